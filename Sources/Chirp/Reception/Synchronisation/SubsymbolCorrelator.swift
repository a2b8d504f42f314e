internal import RealModule

/// Energies of the 32 tones at any timing near one, for the price of a few dozen additions each.
///
/// The sound is correlated with each tone's pitch over short blocks, a sixteenth of a symbol, whose phases refer to a common moment, and
/// the correlations are summed up. The correlation with a tone over any stretch is then the difference of two sums, read between the
/// blocks by linear interpolation: a tone hardly turns within one.
struct SubsymbolCorrelator: ~Copyable, Sendable {
    private typealias Lanes = SIMD8<Float>
    private static let rows = TonePhases.rows
    /// Blocks a symbol, about.
    static let blocksPerSymbol = 16
    /// Symbols that are correlated beyond either end of a frame: how far its timing may be off.
    static let margin = 2.5

    private let format: WireFormat
    private let symbolSamples: Double
    private var transform: FractionalBinTransform
    /// Sums up to each block edge, of the tones in four vectors.
    private var sums: [ComplexLanes] = []
    private var firstSample = 0.0
    /// One over the noise energy that a block adds, for each tone; zero for tones beyond the band.
    private var scales = [Lanes](repeating: Lanes(), count: rows)

    init(format: WireFormat, sampleRateHertz: Double) {
        self.format = format
        symbolSamples = format.symbolSeconds * sampleRateHertz
        // Blocks of three quarters of a fast transform's length: where zeros are much less or much more of it, four bins are not a
        // good window over the block.
        let length = FractionalBinTransform.fastLength(atLeast: Int(1.2 * symbolSamples / Double(Self.blocksPerSymbol)))
        transform = FractionalBinTransform(
            longestBlock: Double(length) / 1.34, sampleRateHertz: sampleRateHertz, bandHertz: format.bandHertz,
            padding: 0.3)
        // What will be needed is asked for now: later on a receiver takes no more memory.
        sums.reserveCapacity(Self.rows * (blockCount(periodRatio: 1.1) + 1))
    }

    /// Blocks that reach beyond either end of a frame.
    private func blockCount(periodRatio: Double) -> Int {
        let length = symbolSamples * (periodRatio * Double(format.frameSymbolCount) + 2 * Self.margin)
        return Int(length / Double(transform.blockLength)) + 1
    }

    /// Correlates the sound around a frame.
    ///
    /// - Parameter pitchesHertz: the pitch of each tone.
    mutating func load(_ samples: borrowing SampleRing, around timing: FrameTiming, pitchesHertz: [Double]) {
        let hop = transform.blockLength
        let start = Int((timing.startSample - Self.margin * symbolSamples).rounded(.down))
        let count = blockCount(periodRatio: timing.periodRatio)
        firstSample = Double(start)
        var bins = [FractionalBin?](repeating: nil, count: 32)
        var turns = [Double](repeating: 0, count: 32)
        for (tone, pitch) in pitchesHertz.enumerated() {
            let place = transform.place(hertz: pitch)
            guard place.firstBin >= 0, place.firstBin + 4 < transform.binCount else {
                scales[tone / 8][tone % 8] = 0
                continue
            }
            bins[tone] = place
            scales[tone / 8][tone % 8] = Float(hop) / transform.gains[place.fraction]
            turns[tone] = pitch / transform.sampleRateHertz * Double(hop)
        }
        let turn = TonePhases(turns: turns)
        var phases = TonePhases(turns: [Double](repeating: 0, count: 32))
        var turned = [ComplexLanes](repeating: ComplexLanes(), count: Self.rows)
        var totals = turned
        var sums: [ComplexLanes] = []
        swap(&sums, &self.sums)
        sums.removeAll(keepingCapacity: true)
        sums.reserveCapacity(Self.rows * (count + 1))
        sums.append(contentsOf: totals)
        let weights = ToneWeights(bins, transform: transform)
        var values = [Float](repeating: 0, count: 64)
        for block in 0..<count {
            let begin = start + block * hop
            if begin < samples.horizon, begin + hop > samples.origin {
                transform.transformBlock(of: samples, at: begin) { weights.correlate($0, into: &values) }
                phases.turn(values, into: &turned, at: 0)
                for row in 0..<Self.rows { totals[row] += turned[row] }
            }
            phases.turn(by: turn)
            sums.append(contentsOf: totals)
        }
        swap(&sums, &self.sums)
    }

    /// Forgets the sound, and gives its memory back.
    mutating func unload() { if !sums.isEmpty { sums = [] } }

    /// Energies of the tones in each symbol at a timing, `[32 · symbol + tone]`, noise counting with its variance. As elsewhere, a
    /// nominal symbol's length around the middle of each counts.
    func energies(at timing: FrameTiming) -> [Float] {
        var energies = [Float](repeating: 0, count: 32 * format.frameSymbolCount)
        var target = energies.mutableSpan
        let period = symbolSamples * timing.periodRatio
        let share = 1 / Float(symbolSamples)
        for symbol in 0..<format.frameSymbolCount {
            let middle = timing.startSample + (Double(symbol) + 0.5) * period
            let (low, high) = (place(middle - 0.5 * symbolSamples), place(middle + 0.5 * symbolSamples))
            for row in 0..<Self.rows {
                let power = (sum(high, row) - sum(low, row)).power
                target.setEight(at: 32 * symbol + 8 * row, power * scales[row] * share)
            }
        }
        return energies
    }

    /// The block edge before a sample, as an index of `sums`, and how far beyond it the sample lies.
    private func place(_ sample: Double) -> (index: Int, rest: Float) {
        let edge = (sample - firstSample) / Double(transform.blockLength)
        let whole = max(0, min(edge.rounded(.down), Double(sums.count / Self.rows - 2)))
        return (Self.rows * Int(whole), Float(max(0, min(1, edge - whole))))
    }

    @inline(__always)
    private func sum(_ place: (index: Int, rest: Float), _ row: Int) -> ComplexLanes {
        let low = sums[place.index + row]
        return low + (sums[place.index + Self.rows + row] - low) * place.rest
    }
}
