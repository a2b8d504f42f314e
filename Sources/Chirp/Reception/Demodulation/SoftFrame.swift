internal import RealModule

/// What the energies of a frame's tones say about its twenty symbols at one timing.
///
/// Each tone energy is normalised by what would be there without the tone: the greatest of the tone's noise floor over the frame, a
/// share of the adjacent-band power in the same symbol (drums, clicks), a share of the same tone's energy one symbol earlier and
/// later (held notes, whistles, reverberation), and a share of the strongest tone of the symbol (leakage, overtones of another chirp).
///
/// All tables are `[32 · symbol + tone]`.
struct SoftFrame: Sendable {
    /// Shares of other energies that count as noise.
    struct InterferenceWeights: Sendable {
        var previous: Float = 0.5
        var next: Float = 0.05
        var strongest: Float = 0.05
        var adjacent: Float = 0.5

        /// For tones at known pitches.
        static let tuned = InterferenceWeights()
        /// For tones at known pitches where what the symbol before has left is another chirp's and no echo.
        static let withoutEcho = InterferenceWeights(previous: 0, next: 0)
        /// For the strongest bin of a band: what is beside it is the band itself.
        static let band = InterferenceWeights(adjacent: 0)
    }

    /// Energy over the floor that noise alone may have, and which therefore does not count as a tone that goes on.
    static let persistenceFloor: Float = 4
    /// Probability that what was received of a symbol says nothing about it.
    static let erasureProbability: Float = 0.05
    /// As much in steady noise.
    static let erasureProbabilityInSteadyNoise: Float = 0.02

    /// Symbols of the start code.
    let preamble: [UInt8]
    /// Energies of the tones, noise counting with its variance.
    let energies: [Float]
    /// Mean power beside each tone, on the scale of noise energy.
    let adjacentPowers: [Float]
    /// Energies over what would be there without the tone.
    let ratios: [Float]
    /// How many times likelier the energies are with the tone than without.
    private(set) var likelihoods: [Float]
    /// Noise energy of each tone over the frame.
    let floors: [Float]
    /// The tone of the greatest ratio in each symbol.
    let bestTones: [UInt8]
    /// Logarithm of the likelihood ratio of "a chirp with unknown data" to "no chirp".
    private(set) var frameLLR: Float
    /// The part of it that the preamble gives.
    let preambleLLR: Float
    /// Whether it was summed over times in steady noise.
    private(set) var isMarginal = false
    /// A symbol whose best tone is this much below the frame's level says nothing: the tone is not there.
    var absentShare: Float = 0.03

    private var symbolCount: Int { bestTones.count }
}

extension SoftFrame {
    /// Weighs the energies of all tones in all symbols against noise floors, one a tone.
    init(
        energies: [Float], adjacentPowers: [Float], floors: [Float], preamble: [UInt8], weights: InterferenceWeights,
        likelihood: SymbolLikelihood = .standard
    ) {
        let symbolCount = energies.count / 32
        var ratios = [Float](repeating: 0, count: energies.count)
        var likelihoods = ratios
        var bestTones = [UInt8](repeating: 0, count: symbolCount)
        var (frame, preambleSum): (Float, Float) = (0, 0)
        let (energy, adjacent, floor) = (energies.span, adjacentPowers.span, floors.span)
        for symbol in 0..<symbolCount {
            let row = 32 * symbol
            let strongest = SIMD8(repeating: weights.strongest * Self.strongestOnset(symbol, of: symbolCount, energy))
            for lanes in stride(from: 0, to: 32, by: 8) {
                let ratio = Self.ratio(
                    symbol, lanes, of: symbolCount, energy, adjacent, floor, strongestOnset: strongest, weights)
                var target = ratios.mutableSpan
                target.setEight(at: row + lanes, ratio)
                target = likelihoods.mutableSpan
                target.setEight(at: row + lanes, likelihood(ratio))
            }
            var (best, most, total): (Int, Float, Float) = (0, -1, 0)
            for tone in 0..<32 {
                let ratio = ratios[row + tone]
                if ratio > most { (best, most) = (tone, ratio) }
                total += likelihoods[row + tone]
            }
            bestTones[symbol] = UInt8(best)
            if symbol < preamble.count {
                let own = Float.log(likelihoods[row + Int(preamble[symbol])])
                preambleSum += own
                frame += own
            } else {
                frame += Float.log(total * (1.0 / 32))
            }
        }
        self.init(
            preamble: preamble, energies: energies, adjacentPowers: adjacentPowers, ratios: ratios,
            likelihoods: likelihoods, floors: floors, bestTones: bestTones, frameLLR: frame, preambleLLR: preambleSum)
    }

    /// The likeliest of some readings of one frame at timings near each other, with the likelihoods of all of them summed over their
    /// timings, each weighed by how likely it is.
    init(marginalising readings: [SoftFrame]) {
        var best = 0
        for index in readings.indices where readings[index].frameLLR > readings[best].frameLLR { best = index }
        let weights = Self.relativeLikelihoods(of: readings)
        let total = weights.reduce(0, +)
        var sums = [Float](repeating: 0, count: readings[best].likelihoods.count)
        for (reading, weight) in zip(readings, weights) {
            for index in sums.indices { sums[index] += weight / total * reading.likelihoods[index] }
        }
        self = readings[best]
        likelihoods = sums
        frameLLR += Float.log(total / Float(readings.count))
        isMarginal = true
    }

    /// How likely the frame of each reading is beside the likeliest one.
    static func relativeLikelihoods(of readings: [SoftFrame]) -> [Float] {
        let most = readings.reduce(-Float.infinity) { max($0, $1.frameLLR) }
        return readings.map { Float.exp($0.frameLLR - most) }
    }
}

private let persistenceScale = SIMD8<Float>(repeating: SoftFrame.persistenceFloor)

extension SoftFrame {
    /// The ratios of eight tones of a symbol to what would be there without them: the greatest of the floors, of a share of the strongest onset,
    /// of what is beside them, and of the same tones in the symbols before and after; zero where there is nothing.
    @inline(__always)
    private static func ratio(
        _ symbol: Int, _ lanes: Int, of symbolCount: Int, _ energy: Span<Float>, _ adjacent: Span<Float>,
        _ floor: Span<Float>, strongestOnset strongest: SIMD8<Float>, _ weights: InterferenceWeights
    ) -> SIMD8<Float> {
        let place = 32 * symbol + lanes
        let base = floor.eight(at: lanes)
        var noise = base
        noise.formGreater(strongest)
        let local = adjacent.eight(at: place) * weights.adjacent
        noise.formGreater(local)
        let persistent = base * persistenceScale
        if symbol > 0 {
            let previous = (energy.eight(at: place - 32) - persistent) * weights.previous
            noise.formGreater(previous)
        }
        if symbol + 1 < symbolCount {
            let next = (energy.eight(at: place + 32) - persistent) * weights.next
            noise.formGreater(next)
        }
        var ratio = energy.eight(at: place) / noise
        ratio.replace(with: SIMD8<Float>(), where: noise .<= 0)
        return ratio
    }

    /// Energy of the strongest tone of a symbol that does not also sound in both symbols beside it: what a chirp's tone may leak, but
    /// not a whistle.
    private static func strongestOnset(_ symbol: Int, of symbolCount: Int, _ energies: Span<Float>) -> Float {
        let row = 32 * symbol
        let before = symbol > 0 ? row - 32 : row + 32
        let after = symbol + 1 < symbolCount ? row + 32 : row - 32
        var most = SIMD8<Float>()
        for lanes in stride(from: 0, to: 32, by: 8) {
            var beside = energies.eight(at: before + lanes)
            let other = energies.eight(at: after + lanes)
            beside.formLesser(other)
            let onset = energies.eight(at: row + lanes) - beside
            most.formGreater(onset)
        }
        return most.greatest
    }

    /// Mean of the lower three quarters of a tone's adjacent powers: tones of the chirp and loud moments left out, which in steady
    /// noise costs 5 %, made good here.
    ///
    /// - Parameter bias: expected noise in the energies over that in the adjacent powers, for each tone.
    static func floors(adjacentPowers: [Float], bias: [Float]) -> [Float] {
        let symbolCount = adjacentPowers.count / 32
        let kept = symbolCount * 3 / 4
        var sorted = [Float](repeating: 0, count: symbolCount)
        return (0..<32).map { tone in
            for symbol in 0..<symbolCount {
                let value = adjacentPowers[32 * symbol + tone]
                var place = symbol
                while place > 0, sorted[place - 1] > value {
                    sorted[place] = sorted[place - 1]
                    place -= 1
                }
                sorted[place] = value
            }
            return 1.05 * bias[tone] * sorted.prefix(kept).reduce(0, +) / Float(kept)
        }
    }

    /// The floors, drawn towards the mean of those beside them as far as they scatter by chance: all the way in noise whose spectrum is
    /// smooth, hardly where it is not (empirical Bayes: W. James and C. Stein, "Estimation with quadratic loss", 1961).
    func smoothedFloors() -> [Float] {
        guard floors.allSatisfy({ $0 > 0 }) else { return floors }
        let logs = floors.map { Float.log($0) }
        var smooth = logs
        // Mean square of what each differs by from those beside it, and what that is by chance: the variance of a mean over the symbols.
        var (scatter, chance): (Float, Float) = (0, 0)
        for tone in 0..<32 {
            let beside = max(0, tone - Self.smoothedTones)...min(31, tone + Self.smoothedTones)
            smooth[tone] = logs[beside].reduce(0, +) / Float(beside.count)
            let difference = logs[tone] - smooth[tone]
            scatter += difference * difference / (1 - 1 / Float(beside.count))
            var (sum, squares): (Float, Float) = (0, 0)
            for symbol in 0..<symbolCount {
                let power = adjacentPowers[32 * symbol + tone]
                sum += power
                squares += power * power
            }
            chance += max(0, squares * Float(symbolCount) / (sum * sum) - 1) / Float(symbolCount - 1)
        }
        let own = scatter > chance ? 1 - chance / scatter : 0
        return zip(logs, smooth).map { Float.exp($1 + own * ($0 - $1)) }
    }

    /// Tones on either side that a floor is smoothed over.
    private static let smoothedTones = 4

    /// The same sound with other energies, weighed against the same adjacent powers, and the same floors unless others are given.
    func weighed(
        energies: [Float], floors: [Float]? = nil, weights: InterferenceWeights,
        likelihood: SymbolLikelihood = .standard
    ) -> SoftFrame {
        SoftFrame(
            energies: energies, adjacentPowers: adjacentPowers, floors: floors ?? self.floors, preamble: preamble,
            weights: weights, likelihood: likelihood)
    }

    /// What a table `[32 · symbol + tone]` has of one tone a symbol.
    static func values(of tones: [UInt8], in table: [Float]) -> [Float] {
        tones.enumerated().map { table[32 * $0.offset + Int($0.element)] }
    }

    /// The energy of a tone over its floor, whether it sounded before or not; zero without a floor.
    private func energyOverFloor(_ symbol: Int, _ tone: Int) -> Float {
        floors[tone] > 0 ? energies[32 * symbol + tone] / floors[tone] : 0
    }

    /// The sum of the likelihood ratios of a symbol's tones.
    private func totalLikelihood(_ symbol: Int) -> Float {
        let row = 32 * symbol
        var total: Float = 0
        for tone in 0..<32 { total += likelihoods[row + tone] }
        return total
    }

    /// The tone of the greatest energy in a symbol.
    func strongestTone(_ symbol: Int) -> UInt8 {
        (0..<UInt8(32)).max { energies[32 * symbol + Int($0)] < energies[32 * symbol + Int($1)] } ?? 0
    }

    /// What the preamble has at least of its part of the frame's likelihood ratio where it is heard: one of its two tones alone gives less.
    private static let heardShare: Float = 0.5

    /// Whether the preamble is heard as the other symbols are.
    var hasPreamble: Bool {
        preambleLLR > Self.heardShare * frameLLR * Float(preamble.count) / Float(symbolCount)
    }

    /// The greatest energy in each symbol over its tone's floor.
    var greatestEnergies: [Float] {
        (0..<symbolCount).map { symbol in (0..<32).reduce(0) { max($0, energyOverFloor(symbol, $1)) } }
    }

    /// Whether the preamble is followed by a tone that is the strongest of most symbols, and was not there before.
    var hasHeldTone: Bool {
        var counts = [Int](repeating: 0, count: 32)
        for symbol in preamble.count..<symbolCount {
            counts[(0..<32).max { energyOverFloor(symbol, $0) < energyOverFloor(symbol, $1) } ?? 0] += 1
        }
        guard let tone = counts.firstIndex(where: { 2 * $0 > symbolCount - preamble.count }) else { return false }
        let levels = (0..<symbolCount).map { energies[32 * $0 + tone] }
        let level = levels.dropFirst(preamble.count).median
        return levels.prefix(preamble.count).allSatisfy { $0 < 0.5 * level }
    }

    /// Energy of each symbol's best tone.
    private var levels: [Float] { Self.values(of: bestTones, in: energies) }

    /// Median of the energies of the symbols' best tones.
    var medianLevel: Float { levels.median }

    /// What time and tempo are found by: how well other energies of the same sound fit a frame, weighed against the same noise. The best tone
    /// of a symbol stands for its likelihood ratio, which levels off when it is far above the noise, and for its energy, which does not.
    func alignment(of other: [Float]) -> Float {
        let likelihood = SymbolLikelihood.standard
        let (energy, adjacent, floor) = (other.span, adjacentPowers.span, floors.span)
        let weights = InterferenceWeights.tuned
        var sum: Float = 0
        for symbol in 0..<symbolCount {
            let strongest = SIMD8(repeating: weights.strongest * Self.strongestOnset(symbol, of: symbolCount, energy))
            var (bestRatio, bestEnergy, own) = (SIMD8<Float>(), SIMD8<Float>(), Float(0))
            for lanes in stride(from: 0, to: 32, by: 8) {
                let ratio = Self.ratio(
                    symbol, lanes, of: symbolCount, energy, adjacent, floor, strongestOnset: strongest, weights)
                let energies = energy.eight(at: 32 * symbol + lanes) + floor.eight(at: lanes)
                bestEnergy.replace(with: energies, where: ratio .> bestRatio)
                bestRatio.formGreater(ratio)
                if symbol < preamble.count, Int(preamble[symbol]) / 8 == lanes / 8 {
                    own = ratio[Int(preamble[symbol]) % 8]
                }
            }
            var best = 0
            for lane in 1..<8 where bestRatio[lane] > bestRatio[best] { best = lane }
            let value = symbol < preamble.count ? likelihood(own) : likelihood(bestRatio[best]) * (1.0 / 32)
            sum += Float.log(value * (bestEnergy[best] + 1e-20))
        }
        return sum
    }

    /// Scores of the symbols after the preamble, `[32 · position + symbol]`: 32 times each one's probability, in logarithms, given that
    /// some symbol was sent, and that with ``erasureProbability`` what was received says nothing about it; and the preamble's own sum.
    func scores() -> (preamble: Float, codeword: [Float]) {
        let erasureProbability = isMarginal ? Self.erasureProbabilityInSteadyNoise : Self.erasureProbability
        let levels = levels
        let present = absentShare * levels.median
        var scores = [Float](repeating: 0, count: energies.count - 32 * preamble.count)
        var preambleSum: Float = 0
        for symbol in 0..<symbolCount {
            let row = 32 * symbol
            let presence = levels[symbol] < present ? levels[symbol] / present : 1
            let share = (1 - erasureProbability) * presence * presence
            let scale = share * 32 / totalLikelihood(symbol)
            if symbol < preamble.count {
                preambleSum += Float.log(scale * likelihoods[row + Int(preamble[symbol])] + 1 - share)
            } else {
                let target = row - 32 * preamble.count
                for tone in 0..<32 { scores[target + tone] = Float.log(scale * likelihoods[row + tone] + 1 - share) }
            }
        }
        return (preambleSum, scores)
    }

    /// Logarithm of the likelihood ratio of some twenty tones to none, and of the part of a chirp with unknown data that begins one
    /// symbol later, two, and so on. Of a symbol that is far weaker than the clearest no tone is thought to be there; of part of a chirp
    /// that may be most symbols.
    func laterFrameLLRs() -> (own: Float, later: [Float]) {
        let levels = levels
        let present = absentShare * levels.sorted()[symbolCount * 3 / 4]
        let values = (0..<symbolCount).map { symbol in
            let value = Float.log(totalLikelihood(symbol) * (1.0 / 32))
            return levels[symbol] < present ? min(value, Float.log(SymbolLikelihood.outage)) : value
        }
        let later = (1..<symbolCount).map { shift in
            var sum: Float = 0
            for symbol in shift..<symbolCount {
                let place = symbol - shift
                sum +=
                    place < preamble.count
                    ? Float.log(likelihoods[32 * symbol + Int(preamble[place])]) : values[symbol]
            }
            return sum
        }
        return (values.reduce(0, +), later)
    }

    /// Median of the energies of a word's tones.
    func toneEnergy(_ frame: [UInt8]) -> Float { Self.values(of: frame, in: energies).median }

    /// How unlike the energies of a frame's tones are: median deviation of their logarithms from the median, among those that are the
    /// best of their symbol. A chirp received without a room has next to none, whatever is missing of it; nil with fewer than half of
    /// the symbols.
    func toneLevelSpread(_ frame: [UInt8]) -> Float? {
        var levels: [Float] = []
        for symbol in 0..<symbolCount where bestTones[symbol] == frame[symbol] {
            levels.append(Float.log(energies[32 * symbol + Int(frame[symbol])] + 1e-30))
        }
        guard 2 * levels.count >= symbolCount else { return nil }
        let median = levels.median
        return levels.map { abs($0 - median) }.median
    }

    /// Standard deviation of the amplitudes of a frame's tones over the noise: about √½ in steady noise, however strong they are (Rice).
    func amplitudeDeviation(_ frame: [UInt8]) -> Float {
        let amplitudes = Self.values(of: frame, in: ratios).map { $0.squareRoot() }
        let mean = amplitudes.reduce(0, +) / Float(symbolCount)
        return (amplitudes.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Float(symbolCount)).squareRoot()
    }

    /// Logarithms of the likelihoods of a frame's tones.
    func logLikelihoods(of frame: [UInt8]) -> [Float] {
        Self.values(of: frame, in: likelihoods).map { Float.log($0) }
    }

    /// The least share that half as many symbols, one after the other, have of the log-likelihood of a frame's tones.
    func weakestHalfShare(_ frame: [UInt8]) -> Float {
        let values = logLikelihoods(of: frame)
        let half = symbolCount / 2
        let least = (0...symbolCount - half).reduce(Float.infinity) { min($0, values[$1..<$1 + half].reduce(0, +)) }
        return least / max(1e-3, values.reduce(0, +))
    }

    /// The second greatest energy over the noise of all tones that are not a frame's own.
    func secondEnergyBeside(_ frame: [UInt8]) -> Float {
        var (first, second): (Float, Float) = (0, 0)
        for (symbol, own) in frame.enumerated() {
            for tone in 0..<32 where tone != Int(own) {
                let ratio = energyOverFloor(symbol, tone)
                if ratio > first { (first, second) = (ratio, first) } else if ratio > second { second = ratio }
            }
        }
        return second
    }

    /// Mean energy over the noise that a frame's tones have in the symbols of others: about one beside a chirp in steady noise, and more where
    /// notes sound for longer, or again.
    func meanEnergyBeside(_ frame: [UInt8]) -> Float {
        var (sum, count): (Float, Float) = (0, 0)
        for (symbol, own) in frame.enumerated() {
            for tone in frame where tone != own {
                sum += energyOverFloor(symbol, Int(tone))
                count += 1
            }
        }
        return sum / max(1, count)
    }

    /// Spread of the noise: standard deviation of the logarithm of all energies over their floors, the given symbols' own left out. 1.28
    /// in Gaussian noise (π/√6, the logarithm of an exponential variate), more in music.
    func noiseLogDeviation(_ frame: [UInt8]) -> Float {
        var (sum, squares, count): (Float, Float, Float) = (0, 0, 0)
        for symbol in 0..<symbolCount {
            for tone in 0..<32 where tone != Int(frame[symbol]) && floors[tone] > 0 {
                let energy = energies[32 * symbol + tone]
                guard energy > 0 else { continue }
                let value = Float.log(energy / floors[tone])
                sum += value
                squares += value * value
                count += 1
            }
        }
        guard count > 32 else { return 0 }
        let mean = sum / count
        return max(0, squares / count - mean * mean).squareRoot()
    }
}

extension SoftFrame {
    /// What several copies of one frame say together.
    ///
    /// - Parameters:
    ///   - logLikelihoods: logarithms of the likelihood ratios of all tones in all symbols.
    ///   - ratios: mean energies of the tones over the noise.
    init(logLikelihoods: [Float], ratios: [Float], frameLLR: Float, preamble: [UInt8]) {
        let symbolCount = ratios.count / 32
        var likelihoods = logLikelihoods
        var bestTones = [UInt8](repeating: 0, count: symbolCount)
        for symbol in 0..<symbolCount {
            let row = 32 * symbol
            var best = 0
            for tone in 0..<32 where logLikelihoods[row + tone] > logLikelihoods[row + best] { best = tone }
            bestTones[symbol] = UInt8(best)
            // Of a symbol the proportions count.
            let scale = max(0, logLikelihoods[row + best] - 60)
            for tone in 0..<32 { likelihoods[row + tone] = Float.exp(logLikelihoods[row + tone] - scale) }
        }
        self.init(
            preamble: preamble, energies: ratios, adjacentPowers: [Float](repeating: 0, count: ratios.count),
            ratios: ratios, likelihoods: likelihoods, floors: [Float](repeating: 1, count: 32), bestTones: bestTones,
            frameLLR: frameLLR, preambleLLR: Self.values(of: preamble, in: logLikelihoods).reduce(0, +))
    }
}
