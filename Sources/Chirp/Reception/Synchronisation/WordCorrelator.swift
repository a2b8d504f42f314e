internal import RealModule

/// The energy of one word's tones at any timing near one, for the price of a few additions a symbol.
///
/// The sound around each symbol is correlated with that symbol's tone over short blocks, a sixteenth of a symbol, and the correlations are
/// summed up: what a tone has over any stretch is the difference of two sums, read between the blocks by linear interpolation.
struct WordCorrelator: Sendable {
    /// How far a word is searched beside its place, in eighths of a symbol.
    enum Reach: Int {
        /// As far as a plain frame may be off.
        case half = 4
        case whole = 8

        /// Symbols by which a timing may be off in the end.
        fileprivate var symbols: Double { Double(rawValue) / 8 + 0.35 }
    }

    /// How far a tempo may be off, about the frame's middle.
    private static let greatestTempo = 0.053

    private let pitchesHertz: [Double]
    private let symbolSamples: Double
    private let sampleRateHertz: Double
    private let blockSamples: Int
    private let blockCount: Int
    /// First sample of each symbol's sound, and whether its tone exists at the sample rate.
    private let firstSamples: [Int]
    private let isInside: [Bool]
    /// Sums up to each block edge, real and imaginary part; `blockCount + 1` a symbol.
    private var sums: [SIMD2<Float>] = []

    /// Correlates the sound around a frame.
    ///
    /// - Parameter pitchesHertz: the pitch of each symbol's tone.
    init(
        _ samples: borrowing SampleRing, pitchesHertz: [Double], around timing: FrameTiming, reach: Reach = .whole,
        symbolSamples: Double, sampleRateHertz: Double
    ) {
        self.pitchesHertz = pitchesHertz
        self.symbolSamples = symbolSamples
        self.sampleRateHertz = sampleRateHertz
        // Whole groups of eight samples.
        let blockSamples = max(8, Int(symbolSamples / Double(8 * SubsymbolCorrelator.blocksPerSymbol)) * 8)
        self.blockSamples = blockSamples
        let tempo = Self.greatestTempo + abs(timing.periodRatio - 1)
        let reach = (0.5 + reach.symbols + 0.5 * Double(pitchesHertz.count) * tempo) * symbolSamples
        blockCount = Int(2 * reach / Double(blockSamples)) + 3
        firstSamples = pitchesHertz.indices.map { symbol in
            let middle = timing.middle(ofSymbol: symbol, symbolSamples: symbolSamples)
            // Each symbol has its edges elsewhere between those of the blocks, where the interpolation errs.
            let shift = symbol * 7 % pitchesHertz.count * blockSamples / pitchesHertz.count
            return Int((middle - reach).rounded(.down)) - shift
        }
        isInside = pitchesHertz.map { $0 < 0.5 * sampleRateHertz }
        sums.reserveCapacity((blockCount + 1) * pitchesHertz.count)
        let begin = (firstSamples.min() ?? 0)
        let end = (firstSamples.max() ?? 0) + blockCount * blockSamples
        let sound = unsafe [Float](unsafeUninitializedCapacity: end - begin) { buffer, initializedCount in
            var target = unsafe buffer.mutableSpan
            samples.copy(begin..<end, to: &target, at: 0)
            initializedCount = end - begin
        }
        for (symbol, pitch) in pitchesHertz.enumerated() {
            addUp(sound, from: firstSamples[symbol] - begin, step: 2 * Double.pi * pitch / sampleRateHertz)
        }
    }

    /// Appends the sums of the correlation of a part of the sound with a tone that turns by `step` radians a sample.
    private mutating func addUp(_ sound: [Float], from first: Int, step: Double) {
        let wave = ToneWave(step: step, count: blockSamples)
        let (samples, groups) = (sound.span, wave.values.span)
        let turn = SIMD2(Float(Double.cos(step * Double(blockSamples))), Float(Double.sin(step * Double(blockSamples))))
        var phase = SIMD2<Float>(1, 0)
        var total = SIMD2<Float>()
        sums.append(total)
        precondition(first >= 0 && first + 8 * groups.count * blockCount <= samples.count, "there are whole blocks")
        for block in 0..<blockCount {
            var sum = ComplexLanes()
            let begin = first &+ 8 &* groups.count &* block
            for group in 0..<groups.count {
                unsafe sum += groups[unchecked: group] * samples.eight(uncheckedAt: begin &+ 8 &* group)
            }
            let (re, im) = (sum.real.total, -sum.imaginary.total)
            total += SIMD2(re * phase.x + im * phase.y, im * phase.x - re * phase.y)
            sums.append(total)
            phase = SIMD2(phase.x * turn.x - phase.y * turn.y, phase.y * turn.x + phase.x * turn.y)
        }
    }

    /// The sum of the energies of the word's tones, or of the first of them, at a timing, noise counting with its variance.
    /// As elsewhere, a nominal symbol's length around the middle of each counts.
    func energy(at timing: FrameTiming, symbolCount: Int? = nil) -> Float {
        var total: Float = 0
        for symbol in 0..<(symbolCount ?? firstSamples.count) where isInside[symbol] {
            let (begin, end) = edges(of: symbol, at: timing)
            let row = symbol * (blockCount + 1)
            let value = sum(row, edge: end) - sum(row, edge: begin)
            total += value.x * value.x + value.y * value.y
        }
        return total / Float(symbolSamples)
    }

    /// The first of the timings at which the word has most energy, or another one where none has more than that.
    func strongest(of timings: [FrameTiming], orAt other: FrameTiming) -> FrameTiming {
        var (best, most) = (other, energy(at: other))
        for timing in timings {
            let energy = energy(at: timing)
            if energy > most { (best, most) = (timing, energy) }
        }
        return best
    }

    /// The pitch of each symbol's tone at a timing, by how far its phase turns from the first half of it to the second.
    func pitchesHertz(at timing: FrameTiming) -> [Double] {
        pitchesHertz.indices.map { symbol in
            let (begin, end) = edges(of: symbol, at: timing)
            let row = symbol * (blockCount + 1)
            let middle = sum(row, edge: 0.5 * (begin + end))
            let (first, second) = (middle - sum(row, edge: begin), sum(row, edge: end) - middle)
            let turn = Float.atan2(
                y: first.x * second.y - first.y * second.x, x: first.x * second.x + first.y * second.y)
            return pitchesHertz[symbol] + Double(turn) / (Double.pi * symbolSamples) * sampleRateHertz
        }
    }

    /// Where a symbol begins and ends at a timing, in blocks from the first of its sound.
    @inline(__always)
    private func edges(of symbol: Int, at timing: FrameTiming) -> (begin: Double, end: Double) {
        let perBlock = 1 / Double(blockSamples)
        let middle = timing.middle(ofSymbol: symbol, symbolSamples: symbolSamples)
        let begin = middle - 0.5 * symbolSamples - Double(firstSamples[symbol])
        return (begin * perBlock, (begin + symbolSamples) * perBlock)
    }

    /// The sum up to a place between block edges.
    @inline(__always)
    private func sum(_ row: Int, edge: Double) -> SIMD2<Float> {
        let edge = max(0, min(edge, Double(blockCount)))
        let whole = min(Int(edge), blockCount - 1)
        let low = sums[row + whole]
        return low + (sums[row + whole + 1] - low) * Float(edge - Double(whole))
    }
}
