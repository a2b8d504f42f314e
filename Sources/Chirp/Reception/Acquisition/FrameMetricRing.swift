/// Metrics of the last symbol starts for any tone and for each one of the preamble, and what they make of the frames that begin there.
struct FrameMetricRing: Sendable {
    /// The metrics for any tone.
    var anyTone = PrefixSumRing()
    private var preamble: [[Float]]

    /// - Parameter preambleCount: symbols of the preamble.
    init(preambleCount: Int) {
        preamble = [[Float]](
            repeating: [Float](repeating: 0, count: CoarseAcquisition.historyLength), count: preambleCount)
    }

    /// Sets the metrics of a symbol that starts with a block; starts are set in order.
    ///
    /// - Parameters:
    ///   - metric: its metric for any tone.
    ///   - preambleMetric: that for the tone of a symbol of the preamble.
    @inline(__always)
    mutating func set(_ start: Int, any metric: Float, preamble preambleMetric: (_ symbol: Int) -> Float) {
        anyTone[start] = metric
        for symbol in preamble.indices { preamble[symbol][CoarseAcquisition.place(of: start)] = preambleMetric(symbol) }
    }

    /// The metric of a frame of so many symbols.
    func frame(start: Int, symbolCount: Int) -> Float {
        let count = preamble.count
        let first = start + count * CoarseAcquisition.blocksPerSymbol
        return preamble(start: start, addedTo: anyTone.sum(from: first, count: symbolCount - count))
    }

    /// The metric of the preamble of a frame.
    func preamble(start: Int, addedTo sum: Float = 0) -> Float {
        preamble.indices.reduce(sum) {
            $0 + preamble[$1][CoarseAcquisition.place(of: start + $1 * CoarseAcquisition.blocksPerSymbol)]
        }
    }
}
