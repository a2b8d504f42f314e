/// Metrics of the last symbol starts, and their sums over symbols that follow one another.
struct PrefixSumRing: Sendable {
    private static let mask = CoarseAcquisition.historyLength - 1
    private var values = [Float](repeating: 0, count: CoarseAcquisition.historyLength)
    /// Sums of the metrics a whole number of symbols earlier; differences of them are sums over some of those.
    private var sums = [Double](repeating: 0, count: CoarseAcquisition.historyLength)

    /// The metric of the symbol that starts with block `start`. Starts are set in order.
    subscript(start: Int) -> Float {
        get { values[start & Self.mask] }
        set {
            values[start & Self.mask] = newValue
            sums[start & Self.mask] = sums[(start - CoarseAcquisition.blocksPerSymbol) & Self.mask] + Double(newValue)
        }
    }

    /// The sum over symbols in a row: those that start whole symbols after block `before`, up to the one that starts with block `last`.
    func sum(after before: Int, through last: Int) -> Float {
        Float(sums[last & Self.mask] - sums[before & Self.mask])
    }

    /// The sum over `count` symbols in a row, the first of which starts with block `first`.
    func sum(from first: Int, count: Int) -> Float {
        let before = first - CoarseAcquisition.blocksPerSymbol
        return sum(after: before, through: before + count * CoarseAcquisition.blocksPerSymbol)
    }
}
