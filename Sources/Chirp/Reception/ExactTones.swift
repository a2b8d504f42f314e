internal import RealModule

/// The energies of the 32 tones at their nominal pitches over every symbol-long stretch, and what they say about it.
struct ExactTones: Sendable {
    private typealias Lanes = SIMD8<Float>
    private static let rows = 4
    private static let ringBlocks = 4 * ToneScan.blocksPerSymbol

    private let startCode: [Int]
    private let places: [BinPlace]
    private let weights: [SIMD8<Float>]
    /// Turns of each tone's phase a sample.
    private let turns: [Double]

    /// Correlations of the current block, real and imaginary part in turn.
    private var correlations: [Float]
    // Correlations with the tones, turned to a common phase, rows of 4 × 8 lanes a block.
    private var real: [Lanes]
    private var imaginary: [Lanes]
    private var energies: [Lanes]
    private var spreads: [Float]
    private var floor: [Lanes]
    private var inverseFloor: [Lanes]
    private var heardCount = 0
    /// What the floor and the count were before each of the latest symbol starts.
    private var pastFloors: [Lanes]
    private var pastHeardCounts: [Int]

    // Phase of the tones in the middle of the current block.
    private var phaseReal: [Lanes]
    private var phaseImaginary: [Lanes]
    private var phaseSample = -1.0
    private var steps: [(samples: Double, real: [Lanes], imaginary: [Lanes])] = []
    private var blocksSinceExact = 0

    private let metric = ToneMetric()
    private let likelihood = SymbolLikelihood()
    private var fresh: [Float]
    /// Metrics of symbols whose next one is known, too.
    private(set) var settled = MetricHistory()
    private var openings: [[Float]]

    /// Share of the neighbouring symbols' energy, of the same tone, that counts as noise: a held note is no chirp.
    private static let neighbours: Float = 0.3
    private static let tiny: Float = 1e-20

    init(format: WireFormat, transform: borrowing BandTransform) {
        startCode = format.startCode.map(Int.init)
        var places: [BinPlace] = []
        var weights: [SIMD8<Float>] = []
        var turns: [Double] = []
        for tone in 0..<format.toneCount {
            let hertz = format.pitchHertz(of: UInt8(tone))
            let place = transform.place(hertz: hertz)
            guard place.firstBin + 4 < transform.binCount else { continue }
            places.append(place)
            let w = transform.taps[place.fraction]
            weights.append(SIMD8(w[0], w[0], w[1], w[1], w[2], w[2], w[3], w[3]))
            turns.append(hertz / transform.sampleRateHertz)
        }
        self.places = places
        self.weights = weights
        self.turns = turns
        correlations = [Float](repeating: 0, count: 16 * Self.rows)
        let zeros = [Lanes](repeating: Lanes(), count: Self.rows * Self.ringBlocks)
        real = zeros
        imaginary = zeros
        energies = [Lanes](repeating: Lanes(), count: Self.rows * ToneScan.historyLength)
        pastFloors = energies
        pastHeardCounts = [Int](repeating: 0, count: ToneScan.historyLength)
        spreads = [Float](repeating: 1, count: ToneScan.historyLength)
        floor = [Lanes](repeating: Lanes(), count: Self.rows)
        inverseFloor = floor
        phaseReal = floor
        phaseImaginary = floor
        fresh = [Float](repeating: 0, count: ToneScan.historyLength)
        openings = startCode.map { _ in [Float](repeating: 0, count: ToneScan.historyLength) }
    }

    func freshMetric(at start: Int) -> Float { fresh[start & (ToneScan.historyLength - 1)] }
    func openingMetric(_ symbol: Int, at start: Int) -> Float { openings[symbol][start & (ToneScan.historyLength - 1)] }

    /// Goes back to what was known before the symbol that starts with block `start`.
    mutating func rewind(to start: Int) {
        phaseSample = -1
        heardCount = pastHeardCounts[start & (ToneScan.historyLength - 1)]
        for row in 0..<Self.rows {
            floor[row] = pastFloors[energyRow(start) + row]
            inverseFloor[row] = 1 / (floor[row] + Self.tiny)
        }
    }

    /// Brings the tones' phases to the middle of the next block: by a rotation, and exactly now and then.
    private mutating func turnPhases(to sample: Double) {
        blocksSinceExact += 1
        guard phaseSample >= 0, blocksSinceExact < 256 else {
            blocksSinceExact = 0
            phaseSample = sample
            (phaseReal, phaseImaginary) = phasors(samples: sample)
            return
        }
        let advance = sample - phaseSample
        phaseSample = sample
        if !steps.contains(where: { $0.samples == advance }) {
            let (real, imaginary) = phasors(samples: advance)
            steps.append((advance, real, imaginary))
        }
        for step in steps where step.samples == advance {
            for row in 0..<Self.rows {
                let (a, b) = (phaseReal[row], phaseImaginary[row])
                phaseReal[row] = a * step.real[row] - b * step.imaginary[row]
                phaseImaginary[row] = a * step.imaginary[row] + b * step.real[row]
            }
        }
    }

    /// exp(−2πi f n) for every tone.
    private func phasors(samples: Double) -> ([Lanes], [Lanes]) {
        var cosines = [Lanes](repeating: Lanes(), count: Self.rows)
        var sines = cosines
        for (tone, turn) in turns.enumerated() {
            let total = turn * samples
            let angle = -2 * Double.pi * (total - total.rounded(.down))
            cosines[tone / 8][tone % 8] = Float(Double.cos(angle))
            sines[tone / 8][tone % 8] = Float(Double.sin(angle))
        }
        return (cosines, sines)
    }

    /// Takes a block's spectrum.
    ///
    /// - Parameter start: first block of the symbol that ends with this one, if all of it has been taken.
    mutating func take(_ spectrum: Span<Float>, block: Int, middleSample: Double, completing start: Int?) {
        turnPhases(to: middleSample)
        correlate(spectrum)
        let base = Self.rows * (block % Self.ringBlocks)
        for row in 0..<Self.rows {
            let part = SIMD16(
                lowHalf: correlations.span.eight(at: 16 * row), highHalf: correlations.span.eight(at: 16 * row + 8))
            let (re, im) = (part.evenHalf, part.oddHalf)
            real[base + row] = re * phaseReal[row] - im * phaseImaginary[row]
            imaginary[base + row] = re * phaseImaginary[row] + im * phaseReal[row]
        }
        if let start { finishSymbol(start) }
    }

    /// The block's correlation with each tone, the phase being that in the middle of the block.
    private mutating func correlate(_ spectrum: Span<Float>) {
        // Taken out of the structure, so that nothing is checked at each write.
        var correlations: [Float] = []
        swap(&correlations, &self.correlations)
        var target = correlations.mutableSpan
        for tone in places.indices {
            let taps = spectrum.eight(at: 2 &* places[tone].firstBin) * weights[tone]
            let pairs = taps.lowHalf + taps.highHalf
            target[2 &* tone] = pairs[0] + pairs[2]
            target[2 &* tone &+ 1] = pairs[1] + pairs[3]
        }
        swap(&correlations, &self.correlations)
    }

    private func energyRow(_ start: Int) -> Int { Self.rows * (start & (ToneScan.historyLength - 1)) }

    private mutating func finishSymbol(_ start: Int) {
        let row0 = energyRow(start)
        let before = energyRow(start - ToneScan.blocksPerSymbol)
        for row in 0..<Self.rows { pastFloors[row0 + row] = floor[row] }
        pastHeardCounts[start & (ToneScan.historyLength - 1)] = heardCount
        var ratioSum = Lanes()
        var ratioMost = Lanes()
        var energySum = Lanes()
        for row in 0..<Self.rows {
            var (a, b) = (Lanes(), Lanes())
            for offset in 0..<ToneScan.blocksPerSymbol {
                let index = Self.rows * ((start + offset) % Self.ringBlocks) + row
                a += real[index]
                b += imaginary[index]
            }
            let energy = a * a + b * b
            energies[row0 + row] = energy
            energySum += energy
        }
        let history = start & (ToneScan.historyLength - 1)
        guard energySum.total > 0 else {
            // Digital silence says nothing about noise.
            fresh[history] = 0
            for symbol in openings.indices { openings[symbol][history] = 0 }
            spreads[history] = 1
            settle(start - ToneScan.blocksPerSymbol)
            return
        }
        heardCount += 1
        if let rate = ToneScan.firstFloorRate(heardCount: heardCount) {
            for row in 0..<Self.rows { moveFloor(row, to: energies[row0 + row], rate: rate) }
        }
        for row in 0..<Self.rows {
            let ratio = energies[row0 + row] * inverseFloor[row]
            ratioSum += ratio
            ratioMost.replace(with: ratio, where: ratio .> ratioMost)
        }
        let spread = max(1, (ratioSum.total - ratioMost.greatest) / Float(max(1, places.count - 1)))
        spreads[history] = spread
        var best = Lanes()
        let laterRate = ToneScan.laterFloorRate(heardCount: heardCount, start: start)
        for row in 0..<Self.rows {
            var noise = floor[row] * spread + Self.tiny
            let held = (energies[before + row] - noise * SymbolEvidence.unheld) * Self.neighbours
            noise.replace(with: held, where: held .> noise)
            let ratio = energies[row0 + row] / noise
            best.replace(with: ratio, where: ratio .> best)
            for (symbol, tone) in startCode.enumerated() where tone / 8 == row {
                openings[symbol][history] = metric(ratio[tone % 8])
            }
            if let laterRate {
                var energy = energies[row0 + row]
                let limit = floor[row] * (4 * spread)
                energy.replace(with: limit, where: energy .> limit)
                moveFloor(row, to: energy, rate: laterRate)
            }
        }
        fresh[history] = metric(best.greatest)
        settle(start - ToneScan.blocksPerSymbol)
    }

    @inline(__always)
    private mutating func moveFloor(_ row: Int, to energy: Lanes, rate: Float) {
        let moved = floor[row] + (energy - floor[row]) * rate
        floor[row] = moved
        inverseFloor[row] = 1 / (moved + Self.tiny)
    }

    /// Logarithm of the likelihood ratio of a tone, or of any, to none in the symbol that starts with block `start`.
    func evidence(at start: Int, tone: Int?, hasNext: Bool) -> Float {
        let row0 = energyRow(start)
        let before = energyRow(start - ToneScan.blocksPerSymbol)
        let after = energyRow(start + ToneScan.blocksPerSymbol)
        let spread = spreads[start & (ToneScan.historyLength - 1)]
        var total: Float = 0
        for row in 0..<Self.rows {
            let floor = floor[row] * spread + Self.tiny
            var noise = floor
            var held = (energies[before + row] - floor * SymbolEvidence.unheld) * SymbolEvidence.Shares.exact.previous
            noise.replace(with: held, where: held .> noise)
            if hasNext {
                held = (energies[after + row] - floor * SymbolEvidence.unheld) * SymbolEvidence.Shares.exact.next
                noise.replace(with: held, where: held .> noise)
            }
            let ratio = energies[row0 + row] / noise
            if let tone {
                if tone / 8 == row { return Float.log(likelihood(ratio[tone % 8])) }
            } else {
                for lane in 0..<8 { total += likelihood(ratio[lane]) }
            }
        }
        return Float.log(total * (1.0 / 32))
    }

    /// The metric of a symbol once the one after it is known, too.
    private mutating func settle(_ start: Int) {
        guard start >= 0 else { return }
        let row0 = energyRow(start)
        let before = energyRow(start - ToneScan.blocksPerSymbol)
        let after = energyRow(start + ToneScan.blocksPerSymbol)
        let spread = spreads[start & (ToneScan.historyLength - 1)]
        var best = Lanes()
        for row in 0..<Self.rows {
            var noise = floor[row] * spread + Self.tiny
            var held = energies[before + row]
            let next = energies[after + row]
            held.replace(with: next, where: next .> held)
            held = (held - noise * SymbolEvidence.unheld) * Self.neighbours
            noise.replace(with: held, where: held .> noise)
            let ratio = energies[row0 + row] / noise
            best.replace(with: ratio, where: ratio .> best)
        }
        settled[start] = metric(best.greatest)
    }
}
