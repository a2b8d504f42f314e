internal import RealModule

/// A frame that was decoded, and how well it fits.
struct DecodedFrame: Sendable {
    var hypothesis: FrameHypothesis
    /// Whether each of its tones was taken anywhere in its band: they are not all off by the same.
    var hasFreeTones = false
    var codeword: Codeword
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
    /// Spread of its tones' levels; ``SymbolEvidence/unevenness(energies:frame:)``.
    var unevenness: Float?
    /// How much likelier it is than the next best codeword, in nats.
    var lead: Float
    /// How much likelier it is than chirps that begin a symbol or more later, in nats, once that has been asked;
    /// ``FrameDecoder/leadOverLater(_:_:)``.
    var leadOverLater: Float?

    /// Median of the energies of its tones, on the scale of noise energy.
    var toneEnergy: Float
    /// First sample after the last tone.
    var endSample: Double
    /// The earliest end of all readings of this word that overlapped while they were held.
    var earliestEnd: Double

    /// What the better one of two readings of the same sound has more of: one taken a symbol too early or too late may
    /// be a codeword, too, but has lost tones of the chirp.
    var merit: Float { logOdds + 0.5 * synchronisation }

    /// Whether this frame is made of the tones of another one, or of their echoes: more than half of its symbols, and at
    /// least eight, have a tone that the other one has at that time or a symbol before or after.
    func isGhost(of other: DecodedFrame, symbolSamples: Double) -> Bool {
        let (own, others) = (codeword.frame, other.codeword.frame)
        var (shared, same) = (0, 0)
        for (symbol, tone) in own.enumerated() {
            let middle = hypothesis.startSample + (Double(symbol) + 0.5) * symbolSamples * hypothesis.stretch
            let place = (middle - other.hypothesis.startSample) / (symbolSamples * other.hypothesis.stretch)
            let index = Int(place.rounded(.down))
            guard index >= -1, index <= others.count else { continue }
            shared += 1
            if others[max(0, index - 1)...min(others.count - 1, index + 1)].contains(tone) { same += 1 }
        }
        return same >= 8 && 2 * same > shared
    }

    /// Whether this frame is another one read again: made of its tones or of their echoes.
    func isRepetition(of other: DecodedFrame, symbolSamples: Double) -> Bool {
        overlaps(other, by: symbolSamples)
            && (codeword == other.codeword || isGhost(of: other, symbolSamples: symbolSamples))
    }

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
    /// How often, within the last minute, what was no chirp looked like one.
    var falseStarts = 0
    /// Whether for some time nothing but steady noise was heard; ``CandidatePicker/isCalm``.
    var isCalm = false
    private var posteriors: [Float]
    let exactBias: [Float]
    private let decoder: SoftDecoder

    /// Likelihood ratio, as a logarithm, below which a frame is not worth decoding: of 1,112 frames that were reported at −25
    /// to −26.5 dB the least had 15.6.
    static let leastSynchronisation: Float = 15
    /// As much as far as an eighth of a symbol beside the place: of those frames one had less, and of 444 places in an hour
    /// of white noise 20 have more.
    static let leastCoarseSynchronisation: Float = 8
    /// As much when time, tempo and pitch are searched, each of which is a chance more.
    static let leastWideSynchronisation: Float = 16
    /// Probability that what was heard of a symbol says nothing about it.
    static let doubt: Float = 0.05
    /// Parity evidence, by a quick look at the place that the scan pointed at, below which the search is given up. −8 saves
    /// half of the time in music and speech, but lost five of 80 chirps in a room and at other speeds; −16, four.
    static let leastPromise: Float = -14
    /// Synchronisation from which on that does not count, and more places are tried: a quarter of a symbol off, loud tones are
    /// as plainly wrong as they are right at their place. Of 1,400 chirps at 10 and 20 dB, up to 2.5 % fast or slow, none is
    /// lost; with 80, four.
    static let loudSynchronisation: Float = 50
    /// Energy of a tone, as a multiple of the start code's, from which on it is another sender's where no word is found with it.
    /// Of 600 chirps that overlap, 2–10 dB apart, none came later than 100 ms after its end; with 2 seven, and one in five without.
    static let loudestShare: Float = 1.5
    /// Energy, as a multiple of the median of the symbols' strongest tones, to which tones are limited where no word is found. Of 600
    /// chirps in rooms of RT60 1.0 and 1.5 s 592 are recovered so instead of 583.
    static let limitedShare: Float = 0.25
    /// Frames less likely than this are tried again at times near by.
    static let doubtfulLogOdds: Float = 2.5
    /// Likelihood ratio, as a logarithm, from which a chirp is plainly there. What is missing is asked of the parity instead:
    /// in 40 hours of white noise the 485 frames worth decoding had at most 17.5.
    static let plainSynchronisation: Float = 20
    /// Unsteadiness below which noise is taken for white.
    static let whiteNoise: Float = 1.4
    /// Unsteadiness from which on noise is taken more and more for music.
    static let leastMusic: Float = 1.45
    /// Codewords tried at first, and again when it is close.
    static let patternBudgets = [3_000, 300_000]
    /// Parity evidence by the first of them below which the second would find no better word where a chirp is not plainly
    /// there: of 355 frames that were decoded at −26 and −26.5 dB none had less than −4.5. Clear tones at another tempo may
    /// have far less, and still be decoded.
    static let leastParityEvidence: Float = -6

    init(format: WireFormat, sampleRateHertz: Double) {
        self.format = format
        self.sampleRateHertz = sampleRateHertz
        transform = BandTransform(
            longestBlock: format.symbolSeconds * sampleRateHertz, sampleRateHertz: sampleRateHertz,
            bandHertz: format.bandHertz)
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

    mutating func weigh(_ recording: borrowing Recording, _ hypothesis: FrameHypothesis) -> Float {
        spectra.compute(recording, hypothesis: hypothesis, transform: &transform)
        return weighExact(tuningCents: hypothesis.tuningCents)
    }

    /// Decodes the evidence last weighed, which has a synchronisation of `synchronisation`.
    mutating func decodeEvidence(
        _ hypothesis: FrameHypothesis, synchronisation: Float, patternBudgets: [Int] = Self.patternBudgets
    ) -> DecodedFrame? {
        let (openingEvidence, scores) = scoreSymbols()
        var result: DecodedFrame?
        // A searched tempo and tuning are many more chances.
        let falseStarts = falseStarts + (hypothesis.isSearched ? 1 : 0)
        let endSample = hypothesis.startSample + format.frameSeconds * sampleRateHertz * hypothesis.stretch
        for budget in patternBudgets {
            let decision = decoder.decode(scores, patternBudget: budget)
            guard let codeword = Codeword(symbols: decision.symbols) else { return nil }
            let parityEvidence = parityEvidence(of: decision, openingEvidence: openingEvidence)
            let lead = decision.score - decision.runnerUpScore
            let unsteadiness = evidence.unsteadiness(energies: energies, frame: codeword.frame)
            let unevenness = evidence.unevenness(energies: energies, frame: codeword.frame)
            let frame = DecodedFrame(
                hypothesis: hypothesis, codeword: codeword,
                logOdds: Self.logOdds(
                    parityEvidence: parityEvidence, synchronisation: synchronisation, unsteadiness: unsteadiness,
                    unevenness: unevenness, lead: lead, falseStarts: falseStarts),
                synchronisation: synchronisation, parityEvidence: parityEvidence, openingEvidence: openingEvidence,
                unsteadiness: unsteadiness, unevenness: unevenness, lead: lead, toneEnergy: toneEnergy(codeword),
                endSample: endSample, earliestEnd: endSample)
            result = frame
            // Enough, or so far off that a better word would be a wonder.
            let isHopeless = synchronisation < Self.plainSynchronisation && parityEvidence < Self.leastParityEvidence
            if frame.logOdds > 9 || frame.logOdds < -22 || isHopeless { break }
        }
        return result
    }

    /// What the evidence last weighed says for the start code, and the scores of the eighteen symbols after it.
    private mutating func scoreSymbols() -> (openingEvidence: Float, scores: [Float]) {
        evidence.logPosteriors(doubt: Self.doubt, energies: energies, into: &posteriors)
        var openingEvidence: Float = 0
        for (symbol, tone) in format.startCode.enumerated() { openingEvidence += posteriors[32 * symbol + Int(tone)] }
        return (openingEvidence, Array(posteriors[(32 * format.startCode.count)...]))
    }

    private func parityEvidence(of decision: SoftDecision, openingEvidence: Float) -> Float {
        decision.score + openingEvidence - Float(format.dataSymbolCount) * Float.log(32)
    }

    /// The parity evidence that a quick decoding of the evidence last weighed gives.
    mutating func promise() -> Float {
        let (openingEvidence, scores) = scoreSymbols()
        return parityEvidence(of: decoder.decode(scores, patternBudget: 1_000), openingEvidence: openingEvidence)
    }

    private func toneEnergy(_ codeword: Codeword) -> Float {
        let own = codeword.frame.enumerated().map { energies[32 * $0.offset + Int($0.element)] }.sorted()
        return own[own.count / 2]
    }

    /// Logarithm of the odds that a decoded word is right.
    ///
    /// Some wrong word fits by chance with probability exp(−parityEvidence). In steady noise, where hardly anything looks
    /// like a chirp, four nats are asked for, and more where it does not look much like one. In music and speech, wherever
    /// within the last minute something looked like a chirp and was none (fans, machines), and for a searched tempo and
    /// tuning, it is 9.5 and the logarithm of how often that was, less where the tones are far above all else or all
    /// equally strong. Not so where each tone may be anywhere in its band, as whatever keys tones of its own is clear and even, too.
    static func logOdds(
        parityEvidence: Float, synchronisation: Float, unsteadiness: Float, unevenness: Float?, lead: Float,
        falseStarts: Int, hasFreeTones: Bool = false
    ) -> Float {
        func ramp(_ value: Float, _ low: Float, _ high: Float) -> Float { min(1, max(0, (value - low) / (high - low))) }
        let music = falseStarts == 0 ? ramp(unsteadiness, leastMusic, 1.65) : 1
        // Machines are even, too, and those that key tones as clear as any chirp.
        let even = falseStarts < 3 ? unevenness.map { 1 - ramp($0, 0.25, 0.5) } ?? 0 : 0
        let clear = max(
            falseStarts < 20 ? 0.55 * ramp(synchronisation, 95, 125) : 0, falseStarts == 0 ? even : 0.5 * even)
        let suspicion = hasFreeTones ? music : music * (1 - clear)
        // Of so many that look like it one may be a chirp.
        let often = Float.log(Float(max(1, falseStarts)))
        let demanded = 4 + 5.5 * suspicion + often + max(0, Self.plainSynchronisation - synchronisation)
        let odds = parityEvidence - demanded
        // Either of the two ways of being wrong: by chance, or by taking a word that is nearly as good. The best of those
        // tells of all of them: fitted to 812 frames in white noise at −24.5 to −27 dB.
        let ahead = lead - 2.5
        let least = min(odds, ahead)
        return least - Float.log(1 + Float.exp(least - max(odds, ahead)))
    }
}
