internal import RealModule

/// What the energies of a frame's tones say about its twenty symbols.
///
/// Evidence is an energy's ratio to what would be there without the tone. That is the greatest of: the tone's noise
/// floor over the frame; a share of the power around the tone in the same symbol (drums, clicks); a share of the same
/// tone's energy one symbol earlier and later (held notes, whistles, reverberation); and a share of the strongest tone
/// of the symbol (leakage, the partial tones of another chirp).
struct SymbolEvidence: Sendable {
    struct Shares: Sendable {
        var previous: Float
        var next: Float
        var strongest: Float
        var surroundings: Float

        /// For tones at exact pitches.
        static let exact = Shares(previous: 0.5, next: 0.05, strongest: 0.05, surroundings: 0.5)
        /// For tones at exact pitches without a room: what the tone before has left is another chirp's.
        static let exactWithoutEcho = Shares(previous: 0, next: 0, strongest: 0.05, surroundings: 0.5)
        /// For the strongest bin of a band: what surrounds it is the band itself.
        static let band = Shares(previous: 0.5, next: 0.05, strongest: 0.05, surroundings: 0)
    }

    /// Energy over the floor that noise alone may have, and which therefore does not count as a tone that goes on.
    static let unheld: Float = 4

    let format: WireFormat
    private let symbolCount: Int
    private let likelihood = SymbolLikelihood()
    /// `[32 · symbol + tone]`, as the energies that it was computed from.
    private(set) var ratios: [Float]
    private(set) var likelihoods: [Float]
    /// Noise energy of each tone over the frame.
    private(set) var floors = [Float](repeating: 0, count: 32)
    private var sorted: [Float]
    private var levels: [Float]

    init(format: WireFormat) {
        self.format = format
        symbolCount = format.frameSymbolCount
        ratios = [Float](repeating: 0, count: 32 * symbolCount)
        likelihoods = [Float](repeating: 1, count: 32 * symbolCount)
        sorted = [Float](repeating: 0, count: symbolCount)
        levels = sorted
    }

    /// Weighs the energies of all tones in all symbols, `energies[32 · symbol + tone]`.
    ///
    /// - Parameters:
    ///   - surroundings: power around each tone on the scale of noise energy, laid out in the same way.
    ///   - bias: expected noise in `energies` over that in `surroundings`, for each tone.
    mutating func weigh(energies: [Float], surroundings: [Float], bias: [Float], shares: Shares) {
        estimateFloors(surroundings: surroundings, bias: bias)
        for symbol in 0..<symbolCount {
            let row = 32 * symbol
            let strongest = shares.strongest * strongestOnset(symbol, energies: energies)
            for tone in 0..<32 {
                let energy = energies[row + tone]
                var noise = floors[tone] > strongest ? floors[tone] : strongest
                let local = shares.surroundings * surroundings[row + tone]
                noise = local > noise ? local : noise
                if symbol > 0 {
                    let previous = shares.previous * (energies[row - 32 + tone] - Self.unheld * floors[tone])
                    noise = previous > noise ? previous : noise
                }
                if symbol + 1 < symbolCount {
                    let next = shares.next * (energies[row + 32 + tone] - Self.unheld * floors[tone])
                    noise = next > noise ? next : noise
                }
                let ratio = noise > 0 ? energy / noise : 0
                ratios[row + tone] = ratio
                likelihoods[row + tone] = likelihood(ratio)
            }
        }
    }

    /// Energy of the strongest tone of a symbol that does not also sound in both symbols beside it: what a chirp's tone
    /// may leak, but not a whistle.
    private func strongestOnset(_ symbol: Int, energies: [Float]) -> Float {
        let row = 32 * symbol
        let before = symbol > 0 ? row - 32 : row + 32
        let after = symbol + 1 < symbolCount ? row + 32 : row - 32
        var strongest: Float = 0
        for tone in 0..<32 {
            let beside = min(energies[before + tone], energies[after + tone])
            strongest = max(strongest, energies[row + tone] - beside)
        }
        return strongest
    }

    /// Mean of the lower three quarters of a tone's surroundings: tones of the chirp and loud moments left out, which
    /// in steady noise costs 5 %, made good here.
    private mutating func estimateFloors(surroundings: [Float], bias: [Float]) {
        let kept = symbolCount * 3 / 4
        for tone in 0..<32 {
            for symbol in 0..<symbolCount {
                let value = surroundings[32 * symbol + tone]
                var place = symbol
                while place > 0, sorted[place - 1] > value {
                    sorted[place] = sorted[place - 1]
                    place -= 1
                }
                sorted[place] = value
            }
            var sum: Float = 0
            for place in 0..<kept { sum += sorted[place] }
            floors[tone] = 1.05 * bias[tone] * sum / Float(kept)
        }
    }

    /// Logarithm of the likelihood ratio of "a chirp with unknown data" to "no chirp".
    func synchronisation() -> Float {
        var sum: Float = 0
        for symbol in 0..<symbolCount {
            sum += symbol < format.startCode.count ? logLikelihood(symbol, ofStart: symbol) : logLikelihood(symbol)
        }
        return sum
    }

    /// Logarithm of the likelihood ratio of "some tone" in a symbol to "none".
    private func logLikelihood(_ symbol: Int) -> Float { Float.log(totalLikelihood(symbol) * (1.0 / 32)) }

    /// Logarithm of the likelihood ratio of one of the start code's tones in a symbol to none.
    private func logLikelihood(_ symbol: Int, ofStart place: Int) -> Float {
        Float.log(likelihoods[32 * symbol + Int(format.startCode[place])])
    }

    /// The sum of the likelihood ratios of a symbol's tones.
    private func totalLikelihood(_ symbol: Int) -> Float {
        let row = 32 * symbol
        var total: Float = 0
        for tone in 0..<32 { total += likelihoods[row + tone] }
        return total
    }

    /// Logarithm of the likelihood ratio of some twenty tones to none, and of the part of a chirp with unknown data that begins
    /// one symbol later, two, and so on. Of a symbol that is far weaker than the clearest no tone is thought to be there; of part
    /// of a chirp that may be most symbols.
    mutating func synchronisations(energies: [Float]) -> (own: Float, later: [Float]) {
        let present = leastPresent(energies: energies, rank: symbolCount * 3 / 4)
        let values = (0..<symbolCount).map { symbol in
            levels[symbol] < present
                ? min(logLikelihood(symbol), Float.log(SymbolLikelihood.outage)) : logLikelihood(symbol)
        }
        let opening = format.startCode.count
        let later = (1..<symbolCount).map { shift in
            var sum: Float = 0
            for symbol in shift..<symbolCount {
                let place = symbol - shift
                sum += place < opening ? logLikelihood(symbol, ofStart: place) : values[symbol]
            }
            return sum
        }
        return (values.reduce(0, +), later)
    }

    /// What time and tempo are found by: the synchronisation, which levels off when the tones are far above the noise, and
    /// the tones' own energies, which do not.
    func alignment(energies: [Float]) -> Float {
        var sum = synchronisation()
        for symbol in 0..<symbolCount {
            let row = 32 * symbol
            let best = bestTone(symbol)
            sum += Float.log(energies[row + best] + floors[best] + 1e-20)
        }
        return sum
    }

    /// A symbol whose best tone is this much below the frame's median, or another rank, says nothing: the chirp's tone is not there.
    static let absentShare: Float = 0.03

    /// 32 times each symbol's probability, in logarithms, given that some symbol was sent, and that with probability
    /// `doubt` what was heard says nothing about it.
    mutating func logPosteriors(doubt: Float, energies: [Float], into posteriors: inout [Float]) {
        let present = leastPresent(energies: energies, rank: symbolCount / 2)
        for symbol in 0..<symbolCount {
            let row = 32 * symbol
            let presence = levels[symbol] < present ? levels[symbol] / present : 1
            let share = (1 - doubt) * presence * presence
            let scale = share * 32 / totalLikelihood(symbol)
            for tone in 0..<32 { posteriors[row + tone] = Float.log(scale * likelihoods[row + tone] + 1 - share) }
        }
    }

    /// Sets `levels` to the energies of the best tones, and gives that below which a symbol's tone is not there, by the level of
    /// the given rank.
    private mutating func leastPresent(energies: [Float], rank: Int) -> Float {
        for symbol in 0..<symbolCount { levels[symbol] = energies[32 * symbol + bestTone(symbol)] }
        return Self.absentShare * levels.sorted()[rank]
    }

    /// The tone of greatest ratio.
    func bestTone(_ symbol: Int) -> Int {
        let row = 32 * symbol
        var best = 0
        for tone in 1..<32 where ratios[row + tone] > ratios[row + best] { best = tone }
        return best
    }

    /// How unlike the energies of a frame's tones are: median deviation of their logarithms from the median, among
    /// those that are the best of their symbol. A chirp heard without a room has next to none, whatever is missing of it;
    /// nil with fewer than half of the symbols.
    func unevenness(energies: [Float], frame: [UInt8]) -> Float? {
        var levels: [Float] = []
        for symbol in 0..<symbolCount where bestTone(symbol) == Int(frame[symbol]) {
            levels.append(Float.log(energies[32 * symbol + Int(frame[symbol])] + 1e-30))
        }
        guard 2 * levels.count >= symbolCount else { return nil }
        levels.sort()
        let median = levels[levels.count / 2]
        let deviations = levels.map { abs($0 - median) }.sorted()
        return deviations[deviations.count / 2]
    }

    /// Spread of the noise: standard deviation of the logarithm of all energies over their floors, the given symbols'
    /// own left out. 1.28 in Gaussian noise (π/√6, the logarithm of an exponential variate), more in music.
    func unsteadiness(energies: [Float], frame: [UInt8]) -> Float {
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
