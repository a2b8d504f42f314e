internal import RealModule

/// The first pass over everything: four times a symbol, how much the twenty symbols up to now look like a chirp.
///
/// Every block of a quarter symbol is transformed once. Four blocks in a row, added coherently, give the energies of the
/// 32 tones over a whole symbol (`coherent`); their powers, added, give the strongest bin near each tone, whatever its pitch
/// (`noncoherent`). A symbol's metric is that of its best tone; a frame's is the sum over its symbols.
struct CoarseAcquisition: Sendable {
    /// Blocks a symbol.
    static let blocksPerSymbol = 4
    /// Symbol starts whose metrics are kept.
    static let historyLength = 512

    /// Ratio to the floor beyond which a tone counts for no more: sums of such ratios stay finite.
    static let greatestRatio = SIMD8<Float>(repeating: 1e12)
    /// Share of the neighbouring symbols' energy, of the same tone, that counts as noise: a held note is no chirp.
    static let neighbours: Float = 0.3
    /// How many times the floor an energy counts at most when the floors follow, so that a crack does not deafen for minutes.
    static let greatestRise: Float = 1e4

    let format: WireFormat
    private let blockLength: Int
    private let binCount: Int
    /// Length of a block before rounding.
    let blockSamples: Double
    let frameBlocks: Int

    private(set) var coherent: CoherentToneBank
    private var noncoherent: NoncoherentToneBank
    private(set) var blockCount = 0
    /// The first symbol start all of whose blocks have been taken since the last rewinding.
    private var firstStart = 0
    /// Symbols in a row that are whole symbols apart: the last of them and the one before the first, as blocks from the frame's first.
    private typealias Run = (last: Int, before: Int)
    private let wideRuns: [(periodRatio: Double, runs: [Run])]

    /// - Parameter historyLength: blocks of which it is kept what the tones were, at least.
    init(
        format: WireFormat, sampleRateHertz: Double, transform: borrowing FractionalBinTransform,
        historyLength: Int = 0
    ) {
        self.format = format
        blockLength = transform.blockLength
        binCount = transform.binCount
        blockSamples = format.symbolSeconds * sampleRateHertz / Double(Self.blocksPerSymbol)
        let frameBlocks = Self.blocksPerSymbol * format.frameSymbolCount
        self.frameBlocks = frameBlocks
        coherent = CoherentToneBank(format: format, transform: transform, historyLength: historyLength)
        noncoherent = NoncoherentToneBank(format: format, transform: transform)
        wideRuns = Self.runs(of: format, frameBlocks: frameBlocks)
    }

    /// Symbol starts for tempi from −3 to +3 %, about the frame's middle, those nearest to the nominal one first; tempi
    /// whose starts are the same are one.
    private static func runs(of format: WireFormat, frameBlocks: Int) -> [(periodRatio: Double, runs: [Run])] {
        var known: [[Int]] = []
        var result: [(periodRatio: Double, runs: [Run])] = []
        for percent in [0, -1, 1, -2, 2, -3, 3] {
            let periodRatio = 1 + 0.01 * Double(percent)
            let middle = Double(format.frameSymbolCount - 1) / 2
            let offsets = (0..<format.frameSymbolCount).map { symbol in
                let place = (middle + (Double(symbol) - middle) * periodRatio) * Double(blocksPerSymbol)
                return min(frameBlocks - blocksPerSymbol, max(-1, Int(place.rounded())))
            }
            guard !known.contains(offsets) else { continue }
            known.append(offsets)
            var runs: [Run] = []
            for offset in offsets {
                if let last = runs.last?.last, offset == last + blocksPerSymbol {
                    runs[runs.count - 1].last = offset
                } else {
                    runs.append((offset, offset - blocksPerSymbol))
                }
            }
            result.append((periodRatio, runs))
        }
        return result
    }

    /// Where what is kept of a symbol start has its place.
    @inline(__always)
    static func place(of start: Int) -> Int { start & (historyLength - 1) }

    /// First sample of a block, counted from the first sample of block 0.
    func blockStart(_ block: Int) -> Int { Int((Double(block) * blockSamples).rounded()) }

    /// The blocks with which the symbols of a frame begin.
    func symbolStarts(of start: Int) -> StrideTo<Int> {
        stride(from: start, to: start + frameBlocks, by: Self.blocksPerSymbol)
    }

    /// The tones of the preamble of a frame, and the blocks with which they begin.
    func preamble(at start: Int) -> Zip2Sequence<[UInt8], StrideTo<Int>> {
        zip(format.startCode, symbolStarts(of: start))
    }

    /// Takes the next block, which begins with sample number `start`.
    mutating func process(_ samples: borrowing SampleRing, at start: Int, transform: inout FractionalBinTransform) {
        let block = blockCount
        let middle = Double(blockStart(block) + blockLength / 2)
        let symbolStart = block - Self.blocksPerSymbol + 1
        let completed = symbolStart >= firstStart ? symbolStart : nil
        // Tones and bands have their places in it, and are read there unchecked.
        precondition(transform.binCount == binCount, "the transform is the one that the places were made for")
        transform.transformBlock(of: samples, at: start) { spectrum in
            coherent.take(spectrum, block: block, middleSample: middle, completing: completed)
            noncoherent.take(spectrum, block: block, completing: completed)
        }
        blockCount += 1
    }

    /// The first symbol start whose energies have been measured anew since they were taken, once.
    mutating func takeRevisedStart() -> Int? { coherent.takeRevisedStart() }

    /// Whether a symbol of the frame whose first one starts with block `start` is digital silence.
    func hasSilence(start: Int) -> Bool { coherent.hasSilence(from: start, symbolCount: format.frameSymbolCount) }

    /// Goes back to an earlier block, at least a symbol and at most ``historyLength`` blocks ago, or up to three before it, where floors are kept,
    /// so that changed samples can be taken again from there: the symbols that begin with it or later are completed anew, by the noise floors
    /// that were known then.
    mutating func rewind(to block: Int) {
        firstStart = NoiseFloors.keptStart(upTo: max(0, min(block, blockCount - Self.blocksPerSymbol)))
        blockCount = firstStart
        coherent.rewind(to: firstStart)
        noncoherent.rewind(to: firstStart)
    }

    /// Logarithm of the likelihood ratio of "a chirp with unknown data" to "no chirp" for the frame whose first symbol
    /// starts with block `start`, by the energies of the scan.
    func frameLLR(start: Int) -> Float {
        var sum = preambleLLR(start: start)
        for (symbol, slot) in symbolStarts(of: start).enumerated().dropFirst(format.startCode.count) {
            sum += coherent.evidence(at: slot, tone: nil, hasNext: symbol + 1 < format.frameSymbolCount)
        }
        return sum
    }

    /// The part of it that the preamble gives.
    func preambleLLR(start: Int) -> Float {
        preamble(at: start).reduce(0) { $0 + coherent.evidence(at: $1.1, tone: Int($1.0), hasNext: true) }
    }

    /// The frame whose first symbol starts with block `start`, at nominal tempo and pitch, by the energies at hand, scaled as those of spectra.
    func softFrame(start: Int) -> SoftFrame {
        let scale = 1 / Float(Self.blocksPerSymbol * blockLength)
        let energies = symbolStarts(of: start).flatMap { coherent.energies(at: $0, scale: scale) }
        return SoftFrame(
            energies: energies, adjacentPowers: [Float](repeating: 0, count: energies.count),
            floors: coherent.floors.map { scale * $0 }, preamble: format.startCode, weights: .tuned)
    }

    /// The median of the energies of the strongest tones of the frame that begins with block `start`, scaled as those of a soft frame; noise and
    /// all other sound in the band make it greater.
    func greatestMedianLevel(start: Int) -> Float {
        symbolStarts(of: start).map { noncoherent.greatestPower(at: max(0, $0)) }.median / Float(blockLength)
    }

    /// Whether the noise floors are those of a time before the newest frame: at first they are the mean of all that was received, the frame's
    /// own tones among it, and say nothing about how loud those are.
    var floorsAreSettled: Bool { coherent.noiseFloors.heardCount > NoiseFloors.firstCount + frameBlocks }

    /// How far before a start, in blocks, the preamble of a loud frame of another tempo may begin. One that begins later has not ended.
    private static let preambleReach = 8
    /// Share of the strongest tone that another one in the same symbol has at least where it is there.
    private static let leakage: Float = 0.1

    /// Whether a loud frame of any pitch near the nominal one may begin around block `start`: the tones of its preamble are there, or
    /// nothing is, and in the place of few symbols more.
    func allowsLoudFrame(near start: Int) -> Bool {
        let profile = FramePlausibility.noncoherent
        let ratios = greatestRatios(from: start)
        guard !profile.isStillToCome(ratios), !beginsSymbolLater(ratios, start: start) else { return false }
        let least = Self.faintestAudible * profile.audible
        let preamble = preamble(in: max(0, start - Self.preambleReach)...start) { symbol, slot in
            let ratio = noncoherent.ratio(of: format.startCode[symbol], at: slot)
            let isThere = ratio.own > Self.leakage * ratio.greatest && ratio.own > least
            return (isThere, ratio.greatest < profile.audible)
        }
        return preamble.isThere
            || preamble.mayBeMissing && profile.allowsFrame(ratios, hasPreamble: false)
                && !preambleFollows(ratios, of: profile, from: start) { hasDominantPreamble(at: $0) }
    }

    /// Whether all tones of a preamble that begins at some place, each up to a block early or late, are there, and whether otherwise at one there may
    /// be nothing.
    private func preamble(
        in places: ClosedRange<Int>, _ signs: (_ symbol: Int, _ slot: Int) -> (isThere: Bool, isSilent: Bool)
    ) -> (isThere: Bool, mayBeMissing: Bool) {
        var mayBeMissing = false
        for place in places {
            var (isThere, isSilent) = (true, true)
            for symbol in format.startCode.indices {
                var any = (isThere: false, isSilent: false)
                for slip in symbol == 0 ? 0...0 : -1...1 {
                    let own = signs(symbol, max(0, place + symbol * Self.blocksPerSymbol + slip))
                    any = (any.isThere || own.isThere, any.isSilent || own.isSilent)
                }
                (isThere, isSilent) = (isThere && any.isThere, isSilent && any.isSilent)
            }
            if isThere { return (true, false) }
            mayBeMissing = mayBeMissing || isSilent
        }
        return (false, mayBeMissing)
    }

    /// Share of the greatest power in a frame that counts as the floor of all tones while floors are not settled.
    private static let assumedFloorShare: Float = 0.003
    /// Share of the strongest tone that one of the preamble has at least there: what is fainter is not found by other tones' tempo or pitch.
    private static let faintestPreambleShare: Float = 0.01

    /// As ``allowsLoudFrame(near:)`` while floors are not settled, which hold the frame's own tones: by the powers in the frame alone.
    func allowsFrameOverAssumedFloor(near start: Int) -> Bool {
        let profile = FramePlausibility.noncoherent
        let powers = symbolStarts(of: start).map { noncoherent.greatestPower(at: max(0, $0)) }
        let floor = Self.assumedFloorShare * powers.reduce(NoiseFloors.tiny, max)
        let ratios = powers.map { $0 / floor }
        guard !profile.isStillToCome(ratios) else { return false }
        let places = max(0, start - Self.preambleReach)...start + Self.blocksPerSymbol
        let preamble = preamble(in: places) { symbol, slot in
            let (own, greatest) = (noncoherent.preamblePower(symbol, at: slot), noncoherent.greatestPower(at: slot))
            return (own > Self.faintestPreambleShare * greatest, greatest < profile.audible * floor)
        }
        return preamble.isThere || preamble.mayBeMissing && profile.allowsFrame(ratios, hasPreamble: false)
    }

    /// Noncoherent metric of a frame whose preamble would be heard: 20 times the logarithm of 3.4. And the ratio from which on a tone is.
    private static let clearWideMetric: Float = 24.5
    private static let heardRatio: Float = 2.5
    /// How far beside a start, in blocks, the preamble of a frame of another tempo may begin, about whose middle the start tells.
    private static let tempoReach = 2

    /// Whether tones of any pitch are so clear in the frame that begins with block `start` that a preamble would be heard, and there is none.
    func lacksPreamble(near start: Int, _ metrics: FrameMetrics) -> Bool {
        metrics.wide > Self.clearWideMetric
            && !(start - Self.tempoReach...start + Self.tempoReach).contains { place in
                preamble(at: place).allSatisfy { noncoherent.ratio(of: $0, at: max(0, $1)).own > Self.heardRatio }
            }
    }

    /// Whether a loud frame of any pitch that begins later than with block `start` has not ended.
    func isLoudFrameToCome(start: Int) -> Bool {
        FramePlausibility.noncoherent.isStillToCome(greatestRatios(from: start))
    }

    /// The greatest ratio of any tone, whatever its pitch, in each symbol of the frame that begins with block `start`.
    private func greatestRatios(from start: Int) -> [Float] {
        symbolStarts(of: start).map { noncoherent.ratio(of: 0, at: max(0, $0)).greatest }
    }

    /// Ratio of a faint tone of a preamble, over that of what is audible.
    private static let faintestAudible: Float = 0.4

    /// Whether after the first symbols, which are not loud, a preamble begins: that of a frame which is looked at when it has ended.
    ///
    /// - Parameter ratios: of the strongest tone of each symbol to its floor.
    func preambleFollows(
        _ ratios: [Float], of profile: FramePlausibility, from start: Int, isPreamble: (_ start: Int) -> Bool
    ) -> Bool {
        let silentSymbols = ratios.prefix { $0 < profile.loud }.count
        guard silentSymbols > 0, silentSymbols < format.frameSymbolCount else { return false }
        let first = start + silentSymbols * Self.blocksPerSymbol
        return (first - Self.blocksPerSymbol...first + Self.blocksPerSymbol).contains(where: isPreamble)
    }

    /// Whether the frame that seems to begin with block `start` begins a symbol later, and has not ended: of its first symbol next to nothing is
    /// there.
    private func beginsSymbolLater(_ ratios: [Float], start: Int) -> Bool {
        ratios[0] < Self.leakage * ratios[1] && hasDominantPreamble(at: start + Self.blocksPerSymbol)
    }

    /// Whether the tones of the preamble are loud, and about the strongest of their symbols, whatever their exact pitch.
    private func hasDominantPreamble(at place: Int) -> Bool {
        preamble(at: place).allSatisfy { tone, slot in
            let ratio = noncoherent.ratio(of: tone, at: max(0, slot))
            return ratio.own > FramePlausibility.noncoherent.loud && ratio.own > Self.dominance * ratio.greatest
        }
    }

    /// Share of the strongest tone that the preamble's have at least where they are a symbol's own.
    private static let dominance: Float = 0.6

    /// Metrics of the frame whose first symbol starts with block `start`: all blocks of it, and of the symbol before, have
    /// been taken not longer ago than the history reaches.
    ///
    /// Inlined, as compilers copy the whole structure for a call.
    @inline(__always)
    func metrics(start: Int) -> FrameMetrics {
        let newest = start + frameBlocks - Self.blocksPerSymbol
        var sum = coherent.metrics.preamble(start: start)
        sum += coherent.metrics.anyTone.sum(
            after: start + (format.startCode.count - 1) * Self.blocksPerSymbol, through: newest - Self.blocksPerSymbol)
        // The last one's successor may not have been heard.
        sum += coherent.metrics.anyTone[newest]
        var best: Float = 0
        var periodRatio = 1.0
        for (candidate, runs) in wideRuns {
            var total: Float = 0
            for run in runs { total += noncoherent.metrics.sum(after: start + run.before, through: start + run.last) }
            if total > best { (best, periodRatio) = (total, candidate) }
        }
        return FrameMetrics(exact: sum, wide: best, widePeriodRatio: periodRatio)
    }
}
