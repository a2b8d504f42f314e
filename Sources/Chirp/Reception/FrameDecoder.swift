internal import RealModule

/// A frame that was decoded, and how well it fits.
struct DecodedFrame: Sendable {
    var hypothesis: FrameHypothesis
    var codeword: Codeword
    /// Symbols of the codeword whose strongest tone was another one.
    var correctedSymbolCount: Int
    /// Logarithm of the odds that the word is right.
    var logOdds: Float
    /// Logarithm of the likelihood ratio of some chirp to none.
    var synchronisation: Float
    /// How much likelier than by chance its symbols belong to a codeword after a start code, in nats.
    var parityEvidence: Float
    /// The part of it that the start code gives.
    var openingEvidence: Float
    /// Spread of the noise; ``SymbolEvidence/unsteadiness(energies:frame:)``.
    var unsteadiness: Float
    /// How much likelier it is than the next best codeword, in nats.
    var lead: Float

    /// Median of the energies of its tones, on the scale of noise energy.
    var toneEnergy: Float
    /// First sample after the last tone.
    var endSample: Double

    /// Whether two frames share more than so many samples.
    func overlaps(_ other: DecodedFrame, by slack: Double) -> Bool {
        hypothesis.startSample < other.endSample - slack && other.hypothesis.startSample < endSample - slack
    }
}

/// Decides whether there is a chirp near a place that the coarse scan pointed at, and which.
struct FrameDecoder: ~Copyable, Sendable {
    let format: WireFormat
    let sampleRateHertz: Double
    var transform: BandTransform
    var spectra: FrameSpectra
    var evidence: SymbolEvidence
    var energies: [Float]
    var surroundings: [Float]
    private var posteriors: [Float]
    private let exactBias: [Float]
    private let decoder: SoftDecoder

    /// Likelihood ratio, as a logarithm, below which a frame is not worth decoding. White noise reaches it about 40 times
    /// an hour.
    static let leastSynchronisation: Float = 8
    /// Probability that what was heard of a symbol says nothing about it.
    static let doubt: Float = 0.05
    /// Codewords tried at first, and again when it is close.
    static let patternBudgets = [3_000, 300_000]

    init(format: WireFormat, sampleRateHertz: Double) {
        self.format = format
        self.sampleRateHertz = sampleRateHertz
        transform = BandTransform(
            longestBlock: format.symbolSeconds * sampleRateHertz, sampleRateHertz: sampleRateHertz)
        spectra = FrameSpectra(format: format, transform: transform)
        evidence = SymbolEvidence(format: format)
        energies = [Float](repeating: 0, count: 32 * format.frameSymbolCount)
        surroundings = energies
        posteriors = energies
        exactBias = [Float](repeating: 1, count: 32)
        decoder = SoftDecoder(code: ReedSolomon(format: format))
    }

    /// Weighs the spectra last computed, with tones exactly at their pitches; gives the synchronisation.
    mutating func weighExact(tuningCents: Double) -> Float {
        spectra.energies(tuningCents: tuningCents, transform: transform, into: &energies)
        spectra.surroundings(tuningCents: tuningCents, into: &surroundings)
        evidence.weigh(energies: energies, surroundings: surroundings, bias: exactBias, shares: .exact)
        return evidence.synchronisation()
    }

    /// Weighs the spectra last computed, with each tone anywhere within 47 cents of its pitch.
    mutating func weighBands() -> Float {
        spectra.bandEnergies(into: &energies)
        spectra.surroundings(tuningCents: 0, into: &surroundings)
        evidence.weigh(energies: energies, surroundings: surroundings, bias: spectra.bandBias, shares: .band)
        return evidence.synchronisation()
    }

    mutating func weigh(_ samples: Span<Float>, origin: Int, _ hypothesis: FrameHypothesis) -> Float {
        spectra.compute(samples, origin: origin, hypothesis: hypothesis, transform: &transform)
        return weighExact(tuningCents: hypothesis.tuningCents)
    }

    /// Decodes the evidence last weighed, which has a synchronisation of `synchronisation`.
    mutating func decodeEvidence(_ hypothesis: FrameHypothesis, synchronisation: Float) -> DecodedFrame? {
        let opening = format.startCode.count
        evidence.logPosteriors(doubt: Self.doubt, into: &posteriors)
        var openingEvidence: Float = 0
        for (symbol, tone) in format.startCode.enumerated() { openingEvidence += posteriors[32 * symbol + Int(tone)] }
        let chance = Float(format.dataSymbolCount) * Float.log(32)
        let scores = Array(posteriors[(32 * opening)...])

        var result: DecodedFrame?
        for budget in Self.patternBudgets {
            let decision = decoder.decode(scores, patternBudget: budget)
            guard let codeword = Codeword(symbols: decision.symbols) else { return nil }
            let parityEvidence = decision.score + openingEvidence - chance
            let lead = decision.score - decision.runnerUpScore
            let unsteadiness = evidence.unsteadiness(energies: energies, frame: codeword.frame)
            let frame = DecodedFrame(
                hypothesis: hypothesis, codeword: codeword, correctedSymbolCount: correctedSymbols(codeword),
                logOdds: Self.logOdds(
                    parityEvidence: parityEvidence, synchronisation: synchronisation, unsteadiness: unsteadiness,
                    lead: lead),
                synchronisation: synchronisation, parityEvidence: parityEvidence, openingEvidence: openingEvidence,
                unsteadiness: unsteadiness, lead: lead, toneEnergy: toneEnergy(codeword),
                endSample: hypothesis.startSample + format.frameSeconds * sampleRateHertz * hypothesis.stretch)
            result = frame
            // Enough, or so far off that a better word would be a wonder.
            if frame.logOdds > 9 || frame.logOdds < -22 { break }
        }
        return result
    }

    private func correctedSymbols(_ codeword: Codeword) -> Int {
        let opening = format.startCode.count
        return codeword.symbols.enumerated().count { position, symbol in
            let row = 32 * (position + opening)
            let own = evidence.ratios[row + Int(symbol)]
            return (0..<32).contains { evidence.ratios[row + $0] > own }
        }
    }

    private func toneEnergy(_ codeword: Codeword) -> Float {
        let own = codeword.frame.enumerated().map { energies[32 * $0.offset + Int($0.element)] }.sorted()
        return own[own.count / 2]
    }

    static func logOdds(parityEvidence: Float, synchronisation: Float, unsteadiness: Float, lead: Float) -> Float {
        let music = min(1, max(0, (unsteadiness - 1.45) / 0.2))
        let noise = max(0, 14 - synchronisation)
        let clear = min(1, max(0, (synchronisation - 95) / 30))
        let odds = parityEvidence - (4 + music * (5.5 - 3 * clear) + noise)
        // Either of the two ways of being wrong: by chance, or by taking the next best word.
        let least = min(odds, lead)
        return least - Float.log(1 + Float.exp(least - max(odds, lead)))
    }
}
