internal import RealModule

/// The energies of the 32 tones at their nominal pitches over every symbol-long stretch, and what they say about it.
struct CoherentToneBank: Sendable {
    private typealias Lanes = SIMD8<Float>
    private static let rows = TonePhases.rows
    private static let ringBlocks = 4 * CoarseAcquisition.blocksPerSymbol

    private let startCode: [Int]
    private let weights: ToneWeights
    /// Turns of each tone's phase a sample.
    private let turns: [Double]

    /// Correlations of the current block, real and imaginary part in turn.
    private var correlations: [Float]
    /// Correlations with the tones, turned to a common phase, rows of 4 × 8 lanes a block.
    private var turned: [ComplexLanes]
    private var energies: [Lanes]
    private var spreads: [Float]
    private(set) var noiseFloors = NoiseFloors(rows: rows)
    /// Keeps what the tones were in the last minutes; nil where nothing is added up.
    private(set) var recorder: ToneRecorder?
    /// The newest symbol start at which there was digital silence.
    private var newestSilentStart = -1

    /// Phases of the tones in the middle of the current block.
    private var phases = TonePhases(turns: [])
    private var phaseSample = -1.0
    private var steps: [(samples: Double, turn: TonePhases)] = []
    private var blocksSinceExact = 0

    private let metric = ToneMetric()
    /// The ratios to the noise of the symbol that was weighed last.
    private var ratios = [Lanes](repeating: Lanes(), count: rows)
    /// Metrics of symbols, for any tone by what was before them, and by what came after them as soon as that is known.
    private(set) var metrics: FrameMetricRing

    private static let tiny = NoiseFloors.tiny

    init(format: WireFormat, transform: borrowing FractionalBinTransform, historyLength: Int) {
        startCode = format.startCode.map(Int.init)
        var places: [FractionalBin] = []
        var turns: [Double] = []
        for tone in 0..<format.toneCount {
            let hertz = format.pitchHertz(of: UInt8(tone))
            let place = transform.place(hertz: hertz)
            guard place.firstBin + 4 < transform.binCount else { continue }
            places.append(place)
            turns.append(hertz / transform.sampleRateHertz)
        }
        weights = ToneWeights(places.map { Optional($0) }, transform: transform)
        self.turns = turns
        recorder =
            historyLength > 0
            ? ToneRecorder(startCode: startCode, places: places, transform: transform, length: historyLength) : nil
        correlations = [Float](repeating: 0, count: 16 * Self.rows)
        turned = [ComplexLanes](repeating: ComplexLanes(), count: Self.rows * Self.ringBlocks)
        energies = [Lanes](repeating: Lanes(), count: Self.rows * CoarseAcquisition.historyLength)
        spreads = [Float](repeating: 1, count: CoarseAcquisition.historyLength)
        metrics = FrameMetricRing(preambleCount: startCode.count)
    }

    /// The recorder's metric of a frame of so many symbols; nil where the noise is not known.
    func weakMetric(start: Int, symbolCount: Int) -> Float? {
        guard recorder?.isFloorKnown == true, !hasSilence(from: start, symbolCount: symbolCount) else { return nil }
        return recorder?.metric.frames.frame(start: start, symbolCount: symbolCount)
    }

    /// Whether there is nothing but digital silence in any symbol of a frame: what is measured of it says nothing about other sound.
    @inline(never)
    func hasSilence(from start: Int, symbolCount: Int) -> Bool {
        guard start <= newestSilentStart else { return false }
        return (0..<symbolCount).contains { symbol in
            let row0 = energyRow(start + CoarseAcquisition.blocksPerSymbol * symbol)
            return (0..<Self.rows).reduce(into: Lanes()) { $0 += energies[row0 + $1] }.total == 0
        }
    }

    /// The first symbol start that the recorder has measured anew since it was taken, once.
    mutating func takeRevisedStart() -> Int? { recorder?.takeRevisedStart() }

    /// Goes back to what was known before the symbol that starts with block `start`, before which floors are kept.
    mutating func rewind(to start: Int) {
        phaseSample = -1
        noiseFloors.rewind(to: start)
    }

    /// Brings the tones' phases to the middle of the next block: by a rotation, and exactly now and then.
    private mutating func turnPhases(to sample: Double) {
        blocksSinceExact += 1
        guard phaseSample >= 0, blocksSinceExact < 256 else {
            blocksSinceExact = 0
            phaseSample = sample
            phases = phases(afterSamples: sample)
            return
        }
        let advance = sample - phaseSample
        phaseSample = sample
        if !steps.contains(where: { $0.samples == advance }) {
            steps.append((advance, phases(afterSamples: advance)))
        }
        for step in steps where step.samples == advance { phases.turn(by: step.turn) }
    }

    private func phases(afterSamples samples: Double) -> TonePhases { TonePhases(turns: turns.map { $0 * samples }) }

    /// Takes a block's spectrum.
    ///
    /// - Parameter start: first block of the symbol that ends with this one, if all of it has been taken.
    mutating func take(_ spectrum: Span<Float>, block: Int, middleSample: Double, completing start: Int?) {
        turnPhases(to: middleSample)
        weights.correlate(spectrum, into: &correlations)
        let base = Self.rows * (block % Self.ringBlocks)
        phases.turn(correlations, into: &turned, at: base)
        recorder?.take(spectrum, block: block, phases)
        if let start { finishSymbol(start) }
    }

    private func energyRow(_ start: Int) -> Int { Self.rows * CoarseAcquisition.place(of: start) }

    private mutating func finishSymbol(_ start: Int) {
        defer { settle(start - CoarseAcquisition.blocksPerSymbol) }
        let row0 = energyRow(start)
        let history = CoarseAcquisition.place(of: start)
        noiseFloors.keep(before: start)
        let energySum = Self.addUp(turned, symbolStart: start, into: &energies, row0: row0)
        guard energySum.total > 0 else {
            // Digital silence says nothing about noise.
            metrics.set(start, any: 0) { _ in 0 }
            spreads[history] = 1
            newestSilentStart = start
            noiseFloors.hearSilence()
            recorder?.finishSilence(start)
            return
        }
        noiseFloors.hear(energies, from: row0)
        let spread = Self.spread(energies, row0, inverseFloors: noiseFloors.inverse, toneCount: turns.count)
        spreads[history] = spread
        let anyTone = metric(weigh(start, isNextKnown: false))
        let (startCode, ratios, metric) = (startCode, ratios, metric)
        metrics.set(start, any: anyTone) { metric(ratios[startCode[$0] / 8][startCode[$0] % 8]) }
        noiseFloors.follow(energies, from: row0, start: start, limit: min(4 * spread, CoarseAcquisition.greatestRise))
        recorder?.finish(start, spread: spread, isAnew: noiseFloors.heardCount <= 1)
    }

    /// Adds up the blocks of a symbol, keeps its energies, and gives the energies' sum; this and the functions below are apart from the
    /// structure, so that a write to one array is checked once and not for each element.
    private static func addUp(
        _ correlations: [ComplexLanes], symbolStart start: Int, into energies: inout [Lanes], row0: Int
    ) -> Lanes {
        var target = energies.mutableSpan
        let correlations = correlations.span
        precondition(correlations.count == rows * ringBlocks, "each block has its rows")
        precondition(row0 >= 0 && row0 + rows <= target.count, "the symbol has its rows")
        var sum = Lanes()
        for row in 0..<rows {
            var symbol = ComplexLanes()
            for offset in 0..<CoarseAcquisition.blocksPerSymbol {
                unsafe symbol += correlations[unchecked: rows &* ((start &+ offset) & (ringBlocks &- 1)) &+ row]
            }
            let energy = symbol.power
            unsafe target[unchecked: row0 &+ row] = energy
            sum += energy
        }
        return sum
    }

    /// How many times louder than the floors a symbol is, its strongest tone left out, at least once.
    private static func spread(
        _ energies: [Lanes], _ row0: Int, inverseFloors: [Lanes], toneCount: Int
    ) -> Float {
        let (energies, inverseFloors) = (energies.span.extracting(row0..<row0 + rows), inverseFloors.span)
        var (sum, most) = (Lanes(), Lanes())
        for row in 0..<rows {
            var ratio = energies[row] * inverseFloors[row]
            ratio.formLesser(CoarseAcquisition.greatestRatio)
            sum += ratio
            most.formGreater(ratio)
        }
        return max(1, (sum.total - most.greatest) / Float(max(1, toneCount - 1)))
    }

    /// What counts as noise of the same tones' energies a symbol earlier or later: a share of what they have beyond the floor of noise alone.
    @inline(__always)
    static func persistent(_ energies: SIMD8<Float>, _ floor: SIMD8<Float>, share: Float) -> SIMD8<Float> {
        (energies - floor * SoftFrame.persistenceFloor) * share
    }

    /// The metric of a symbol once the one after it is known, too.
    private mutating func settle(_ start: Int) {
        guard start >= 0 else { return }
        metrics.anyTone[start] = metric(weigh(start, isNextKnown: true))
    }

    /// The ratios of a symbol's tones to the noise, or to what rings of them before, and after where that is known; gives the greatest.
    private mutating func weigh(_ start: Int, isNextKnown: Bool) -> Float {
        let before = energyRow(start - CoarseAcquisition.blocksPerSymbol)
        return Self.weigh(
            energies, energyRow(start), before: before,
            after: isNextKnown ? energyRow(start + CoarseAcquisition.blocksPerSymbol) : before,
            floors: noiseFloors.current, spread: spreads[CoarseAcquisition.place(of: start)], into: &ratios)
    }

    private static func weigh(
        _ energies: [Lanes], _ own: Int, before: Int, after: Int, floors: [Lanes], spread: Float,
        into ratios: inout [Lanes]
    ) -> Float {
        let (energies, floors) = (energies.span, floors.span)
        var target = ratios.mutableSpan
        var best = Lanes()
        for row in 0..<rows {
            var noise = floors[row] * spread + tiny
            var ringing = energies[before + row]
            ringing.formGreater(energies[after + row])
            noise.formGreater(persistent(ringing, noise, share: CoarseAcquisition.neighbours))
            let ratio = energies[own + row] / noise
            target[row] = ratio
            best.formGreater(ratio)
        }
        return best.greatest
    }

    /// Logarithm of the likelihood ratio of a tone, or of any, to none in the symbol that starts with block `start`.
    func evidence(at start: Int, tone: Int?, hasNext: Bool) -> Float {
        let row0 = energyRow(start)
        let before = energyRow(start - CoarseAcquisition.blocksPerSymbol)
        let after = energyRow(start + CoarseAcquisition.blocksPerSymbol)
        let spread = spreads[CoarseAcquisition.place(of: start)]
        let (weights, likelihood) = (SoftFrame.InterferenceWeights.tuned, SymbolLikelihood.standard)
        var total: Float = 0
        for row in 0..<Self.rows {
            let floor = noiseFloors.current[row] * spread + Self.tiny
            var noise = floor
            noise.formGreater(Self.persistent(energies[before + row], floor, share: weights.previous))
            if hasNext { noise.formGreater(Self.persistent(energies[after + row], floor, share: weights.next)) }
            let ratio = energies[row0 + row] / noise
            if let tone {
                if tone / 8 == row { return Float.log(likelihood(ratio[tone % 8])) }
            } else {
                let values = likelihood(ratio)
                for lane in 0..<8 { total += values[lane] }
            }
        }
        return Float.log(total * (1.0 / 32))
    }

    /// The energies of the 32 tones in the symbol that starts with block `start`, over how loud that moment is and times `scale`.
    func energies(at start: Int, scale: Float) -> [Float] {
        let (row0, scale) = (energyRow(start), scale / spreads[CoarseAcquisition.place(of: start)])
        return (0..<32).map { energies[row0 + $0 / 8][$0 % 8] * scale }
    }

    /// The energy of a tone in the symbol that starts with block `start`, over the floor that was known before the one that starts with
    /// block `reference`, or up to three later while floors follow each start: a tone that is held raises its own.
    @inline(__always)
    func ratio(of tone: UInt8, at start: Int, floorAt reference: Int) -> Float {
        let (row, lane) = (Int(tone) / 8, Int(tone) % 8)
        let floor = noiseFloors.past(NoiseFloors.keptStart(from: reference), row: row)[lane]
        return energies[energyRow(start) + row][lane] / (floor + Self.tiny)
    }

    /// The greatest energy of a tone in the symbol that starts with block `start`, over its floor and how loud that moment is.
    func greatestRatio(at start: Int) -> Float {
        var most = Lanes()
        for row in 0..<Self.rows {
            let ratio = energies[energyRow(start) + row] * noiseFloors.inverse[row]
            most.formGreater(ratio)
        }
        return most.greatest / spreads[CoarseAcquisition.place(of: start)]
    }

    /// The tone of the greatest ``ratio(of:at:floorAt:)`` in the symbol that starts with block `start`.
    func strongestTone(at start: Int, floorAt reference: Int) -> UInt8 {
        (0..<UInt8(turns.count)).max {
            ratio(of: $0, at: start, floorAt: reference) < ratio(of: $1, at: start, floorAt: reference)
        } ?? 0
    }

    /// The noise floor of each tone now.
    var floors: [Float] { (0..<32).map { noiseFloors.current[$0 / 8][$0 % 8] + Self.tiny } }
}
