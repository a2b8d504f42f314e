internal import RealModule

/// Keeps what a tone bank measures, over the noise of a longer time: for adding up copies and channels.
///
/// Its correlations are more exact than those of the bank, and tell where in a block a tone begins or ends. The noise is the mean of 22
/// seconds. The acquisition's own floors follow the loudness of each moment, and half of the chirps would need 0.8 dB more over them.
struct ToneRecorder: Sendable {
    typealias Lanes = SIMD8<Float>
    private static let rows = TonePhases.rows
    /// Rows of a block's correlations, and of those with its slope.
    private static let blockRows = 2 * rows
    private static let ringBlocks = 2 * CoarseAcquisition.blocksPerSymbol

    /// What the tones were in the last minutes.
    private(set) var history: ToneHistory
    private(set) var metric: WeakSymbolMetric
    /// First of the eight bins of each tone, as a place in the spectrum, and their weights: for the level and for the slope, each twice.
    private let bins: [Int]
    private let taps: [SIMD4<Float>]
    /// By how much each tone of the window around it counts for a tone's floor: those that are there alike.
    private let floorWeights: [Lanes]
    /// A block's correlations before they are turned: real and imaginary parts of the level's sum and of the slope's.
    private var sums = [SIMD4<Float>](repeating: SIMD4(), count: 8 * rows)
    /// Correlations of the latest blocks.
    private var correlations = [ComplexLanes](repeating: ComplexLanes(), count: blockRows * ringBlocks)
    /// Energies of the latest symbols, and how much louder than usual each was.
    private var energies = [Lanes](repeating: Lanes(), count: rows * CoarseAcquisition.historyLength)
    private var spreads = [Float](repeating: 1, count: CoarseAcquisition.historyLength)

    private var floor = [Lanes](repeating: Lanes(), count: rows)
    /// The same with what it has in common with the tones beside it, which is measured better.
    private var noise = [Lanes](repeating: Lanes(), count: rows)
    /// One over the amplitude of the floor.
    private var scale = [Lanes](repeating: Lanes(), count: rows)
    /// How much louder than the floors, which follow slowly, the latest symbols were.
    private var level: Float = 1
    /// Of how many symbol starts the floors are the mean.
    private var floorCount: Float = 0
    /// The first symbol start of which they are.
    private var firstFollowedStart = 0
    /// Correlations of the latest blocks, and the first of them, while the floors are not settled.
    private var early: (first: Int, correlations: [ComplexLanes]) = (0, [])
    var earlyBlockCount: Int { early.correlations.count / Self.blockRows }
    /// The first symbol start that was measured anew when the floors became known, until that is asked for.
    private var revisedStart: Int?

    /// Symbol starts of which the floors are the mean, and of which they are at least before anything is measured by them, and before that is
    /// not measured anew.
    private static let floorStarts: Float = 1_024
    private static let minimumFloorStarts: Float = 96
    private static let settledFloorStarts: Float = 288
    /// Energy, as a multiple of the floor, that counts at most when it follows, and how many times more than what is left of noise noise is:
    /// 1 / (1 − e⁻³).
    private static let greatestFloorShare: Float = 3
    private static let limitedShare: Float = 1.0524
    /// How many tones on either side a floor is averaged with, and how many times more or less than it each counts at most.
    private static let floorReach = 3
    private static let floorWindow = 2 * floorReach + 1
    private static let likeFloors: Float = 4.0 / 3
    /// How much louder than the floors a moment is at least that is no chance, where 31 tones tell.
    private static let loudSpread: Float = 1.5
    /// Symbol starts of which the level is the mean, how far it is off by chance, and by how much more times as many starts as the floors are the
    /// mean of, as those are too low at first; and what it is at least.
    private static let levelStarts: Float = 64
    private static let levelError: (chance: Float, first: Float) = (0.03, 30)
    private static let minimumLevel: Float = 0.1
    private static let tiny = NoiseFloors.tiny

    /// - Parameter length: blocks that are kept at least.
    init(
        startCode: [Int], places: [FractionalBin], transform: borrowing FractionalBinTransform, length: Int
    ) {
        history = ToneHistory(length: length)
        metric = WeakSymbolMetric(startCode: startCode)
        let all = transform.partTaps
        // Of the highest tone below half of the rate not all eight bins may be there.
        let places = places.prefix { $0.firstBin + 6 <= transform.binCount }
        bins = places.map { 2 * ($0.firstBin - 2) }
        precondition(bins.allSatisfy { $0 >= 0 }, "tones lie within the spectrum")
        taps = places.flatMap { all[$0.fraction] }
        floorWeights = Self.floorWeights(toneCount: places.count)
    }

    /// Whether the noise will soon be known by which what was received is to be measured: adding up waits for that.
    var awaitsFloor: Bool { floorCount > 1 && !isFloorKnown }

    var isFloorKnown: Bool { floorCount >= Self.minimumFloorStarts }

    /// The first symbol start whose metric has changed since it was taken, once.
    mutating func takeRevisedStart() -> Int? {
        defer { revisedStart = nil }
        return revisedStart
    }

    /// Takes a block's spectrum, and the phases by which its correlations are turned.
    mutating func take(_ spectrum: Span<Float>, block: Int, _ phases: TonePhases) {
        let base = Self.blockRows * (block % Self.ringBlocks)
        Self.correlate(spectrum, bins: bins, taps: taps, into: &sums)
        Self.turn(sums, by: phases, into: &correlations, at: base)
        let spread = spreads[CoarseAcquisition.place(of: block - CoarseAcquisition.blocksPerSymbol)]
        if floorCount < Self.settledFloorStarts {
            let count = early.correlations.count / Self.blockRows
            // After a rewinding some come again; in digital silence nothing is waited for.
            if block < early.first || block > early.first + count || floorCount < 1 { early = (block, []) }
            early.correlations.removeLast(early.correlations.count - Self.blockRows * (block - early.first))
            early.correlations += correlations[base..<base + Self.blockRows]
        }
        if isFloorKnown {
            keep(block, correlations, base, loudness(spread))
        } else {
            history.clearCorrelations(block)
        }
    }

    /// A block's correlations with the level and the slope of each tone, the phase being that in the middle of the block.
    private static func correlate(
        _ spectrum: Span<Float>, bins: [Int], taps: [SIMD4<Float>], into sums: inout [SIMD4<Float>]
    ) {
        var turned = sums.mutableSpan
        let (bins, taps) = (bins.span, taps.span)
        precondition(taps.count == 8 * bins.count && bins.count <= turned.count, "each tone has weights and a place")
        for tone in 0..<bins.count {
            let bin = bins[tone]
            // Bins lie within the spectrum by their making.
            @inline(__always)
            func product(_ index: Int) -> SIMD4<Float> {
                let (real, imaginary) = unsafe (
                    spectrum[unchecked: bin &+ 2 &* index], spectrum[unchecked: bin &+ 2 &* index &+ 1]
                )
                return unsafe SIMD4(real, imaginary, real, imaginary) * taps[unchecked: 8 &* tone &+ index]
            }
            let even = (product(0) + product(4)) + (product(2) + product(6))
            let odd = (product(1) + product(5)) + (product(3) + product(7))
            turned[tone] = even + odd
        }
    }

    /// The products of correlations and phases: the levels', and the slopes'.
    private static func turn(
        _ sums: [SIMD4<Float>], by phases: TonePhases, into correlations: inout [ComplexLanes], at base: Int
    ) {
        let turned = sums.span
        var target = correlations.mutableSpan
        for row in 0..<rows {
            @inline(__always)
            func four(_ index: Int) -> SIMD16<Float> {
                let first = 8 &* row &+ index
                return SIMD16(
                    lowHalf: SIMD8(lowHalf: turned[first], highHalf: turned[first &+ 1]),
                    highHalf: SIMD8(lowHalf: turned[first &+ 2], highHalf: turned[first &+ 3]))
            }
            let (low, high) = (four(0), four(4))
            let real = SIMD16(lowHalf: low.evenHalf, highHalf: high.evenHalf)
            let imaginary = SIMD16(lowHalf: low.oddHalf, highHalf: high.oddHalf)
            let level = ComplexLanes(real.evenHalf, imaginary.evenHalf)
            let slope = ComplexLanes(real.oddHalf, imaginary.oddHalf)
            let phase = phases.values[row]
            target[base &+ row] = level * phase
            target[base &+ rows &+ row] = slope.turnedBack * phase
        }
    }

    /// How much louder than the floors a moment is, by its spread and by those before it. Were a louder noise measured by the floors alone,
    /// half a decibel would make all copies likelier by nats; of four at -30 dB three in four would be lost for a minute.
    private func loudness(_ spread: Float) -> Float {
        let (chance, first) = Self.levelError
        let error = max(chance, first / max(1, floorCount))
        return Self.loudness(spread, level: level > 1 ? max(1, level - error) : min(1, level + error))
    }

    private static func loudness(_ spread: Float, level: Float) -> Float {
        spread > loudSpread ? max(spread, level) : level
    }

    /// Keeps a block's correlations over the noise, which is so much louder than the floors.
    @inline(never)
    private mutating func keep(_ block: Int, _ correlations: [ComplexLanes], _ base: Int, _ loudness: Float) {
        let scales = scale
        history.setCorrelations(
            block, correlations.span.extracting(base..<base + Self.blockRows), scales: scales.span,
            loudness: 1 / loudness.squareRoot())
    }

    /// Keeps that nothing is known of a symbol in digital silence.
    mutating func finishSilence(_ start: Int) {
        sumUp(start)
        spreads[CoarseAcquisition.place(of: start)] = 1
        history.clearEnergies(start)
        metric.clear(start)
        if !isFloorKnown { floorCount = 0 }
        // What came before the silence is not measured anew.
        early = (start + CoarseAcquisition.blocksPerSymbol, [])
        firstFollowedStart = start + 1
    }

    /// Keeps the energies of a symbol, all blocks of which were taken, over the noise, and lets the noise follow.
    ///
    /// - Parameters:
    ///   - spread: how much louder than usual it was.
    ///   - isAnew: whether the noise is measured from here on.
    mutating func finish(_ start: Int, spread: Float, isAnew: Bool) {
        if isAnew { floorCount = 0 }
        sumUp(start)
        spreads[CoarseAcquisition.place(of: start)] = spread
        follow(start)
        guard isFloorKnown else {
            history.clearEnergies(start)
            metric.clear(start)
            return
        }
        if floorCount == Self.minimumFloorStarts || floorCount == Self.settledFloorStarts { keepEarly(before: start) }
        set(start, loudness: loudness(spread))
    }

    private mutating func sumUp(_ start: Int) {
        let row0 = Self.row(start)
        for row in 0..<Self.rows {
            var symbol = ComplexLanes()
            for offset in 0..<CoarseAcquisition.blocksPerSymbol {
                symbol += correlations[Self.blockRows * ((start + offset) % Self.ringBlocks) + row]
            }
            energies[row0 + row] = symbol.power
        }
    }

    @inline(never)
    private mutating func set(_ start: Int, loudness: Float) {
        let ratios = ratios(start, loudness: loudness)
        history.setEnergies(start, ratios)
        metric.set(start, ratios)
    }

    private static func row(_ start: Int) -> Int { rows * CoarseAcquisition.place(of: start) }

    private mutating func follow(_ start: Int) {
        let row0 = Self.row(start)
        if floorCount < 1 { firstFollowedStart = start }
        floorCount = min(Self.floorStarts, floorCount + 1)
        followLevel(row0)
        for row in 0..<Self.rows {
            var energy = energies[row0 + row]
            if floorCount <= 1 { floor[row] = energy }
            // Tones, a chirp's own among them, are not to raise it.
            let isRough = floorCount <= 32
            let limit = floor[row] * (isRough ? CoarseAcquisition.greatestRise : Self.greatestFloorShare)
            energy.formLesser(limit)
            floor[row] += (energy * (isRough ? 1 : Self.limitedShare) - floor[row]) / floorCount
        }
        if start % CoarseAcquisition.blocksPerSymbol == 0 || floorCount <= 1 { smoothFloor() }
    }

    /// Lets the level follow the energies of a symbol over the floors, limited as these are where they follow.
    @inline(never)
    private mutating func followLevel(_ row0: Int) {
        guard floorCount > 1 else {
            level = 1
            return
        }
        let limit = Lanes(repeating: Self.greatestFloorShare * level)
        var sum = Lanes()
        for row in 0..<Self.rows {
            var ratio = energies[row0 + row] / (noise[row] + Self.tiny)
            ratio.formLesser(limit)
            sum += ratio
        }
        let mean = Self.limitedShare * sum.total / Float(max(1, bins.count))
        level = max(Self.minimumLevel, level + (mean - level) / min(Self.levelStarts, floorCount))
    }

    /// Averages the floors of tones beside each other as far as they are about the same: that of one tone alone is off by 8 %, and by as much
    /// again where a chirp has the tone.
    private mutating func smoothFloor() {
        // Tones beside each other in vectors, with room for those beyond either end.
        var values = InlineArray<48, Float>(repeating: 0)
        var target = values.mutableSpan
        for row in 0..<Self.rows { target.setEight(at: 8 + 8 * row, floor[row]) }
        for row in 0..<Self.rows {
            let own = floor[row]
            let (low, high) = (own * (1 / Self.likeFloors), own * Self.likeFloors)
            var sum = Lanes()
            for offset in -Self.floorReach...Self.floorReach {
                var other = target.span.eight(at: 8 + 8 * row + offset)
                other.formGreater(low)
                other.formLesser(high)
                sum += other * floorWeights[Self.floorWindow * row + offset + Self.floorReach]
            }
            noise[row] = sum
        }
        for row in 0..<Self.rows { scale[row] = (1 / (noise[row] + Self.tiny)).squareRoot() }
    }

    private static func floorWeights(toneCount: Int) -> [Lanes] {
        var weights = [Lanes](repeating: Lanes(), count: rows * floorWindow)
        for tone in 0..<8 * rows {
            let tones = max(0, tone - floorReach)...min(max(tone, toneCount - 1), tone + floorReach)
            for other in tones {
                weights[floorWindow * (tone / 8) + other - tone + floorReach][tone % 8] = 1 / Float(tones.count)
            }
        }
        return weights
    }

    /// The energies of a symbol over the noise, which is so much louder than the floors.
    private func ratios(_ start: Int, loudness: Float) -> (Lanes, Lanes, Lanes, Lanes) {
        let row0 = Self.row(start)
        let before = Self.row(start - CoarseAcquisition.blocksPerSymbol)
        func ratio(_ row: Int) -> Lanes {
            var noise = self.noise[row] * loudness + Self.tiny
            let ringing = energies[before + row]
            noise.formGreater(CoherentToneBank.persistent(ringing, noise, share: CoarseAcquisition.neighbours))
            return energies[row0 + row] / noise
        }
        return (ratio(0), ratio(1), ratio(2), ratio(3))
    }

    /// Keeps what was received before the floors were known, or anew before they were settled.
    private mutating func keepEarly(before start: Int) {
        // Of these the floors are the mean.
        func loudness(_ start: Int) -> Float {
            Self.loudness(spreads[CoarseAcquisition.place(of: start)], level: 1)
        }
        for earlier in firstFollowedStart..<max(firstFollowedStart, start) {
            set(earlier, loudness: loudness(earlier))
        }
        revisedStart = firstFollowedStart
        let (first, correlations) = early
        if floorCount >= Self.settledFloorStarts { early = (0, []) }
        for place in stride(from: 0, to: correlations.count, by: Self.blockRows) {
            let block = first + place / Self.blockRows
            keep(block, correlations, place, loudness(block - CoarseAcquisition.blocksPerSymbol))
        }
    }
}
