/// Metrics of the last symbol starts, and their sums over symbols that follow one another.
struct PrefixSumRing: Sendable {
    private var values = [Float](repeating: 0, count: CoarseAcquisition.historyLength)
    /// Sums of the metrics a whole number of symbols earlier; differences of them are sums over some of those.
    private var sums = [Double](repeating: 0, count: CoarseAcquisition.historyLength)

    /// The metric of the symbol that starts with block `start`. Starts are set in order, and may be set anew a symbol later.
    subscript(start: Int) -> Float {
        get { values[CoarseAcquisition.place(of: start)] }
        set {
            let place = CoarseAcquisition.place(of: start)
            let before = CoarseAcquisition.place(of: start - CoarseAcquisition.blocksPerSymbol)
            values[place] = newValue
            sums[place] = sums[before] + Double(newValue)
        }
    }

    /// The sum over symbols in a row: those that start whole symbols after block `before`, up to the one that starts with block `last`.
    func sum(after before: Int, through last: Int) -> Float {
        Float(sums[CoarseAcquisition.place(of: last)] - sums[CoarseAcquisition.place(of: before)])
    }

    /// The sum over `count` symbols in a row, the first of which starts with block `first`.
    func sum(from first: Int, count: Int) -> Float {
        let before = first - CoarseAcquisition.blocksPerSymbol
        return sum(after: before, through: before + count * CoarseAcquisition.blocksPerSymbol)
    }
}
