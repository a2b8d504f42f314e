internal import RealModule

/// Decides whether there is a chirp near a place that the acquisition pointed at, and which.
struct FrameDecoder: ~Copyable, Sendable {
    let format: WireFormat
    /// Samples of a frame, and of a symbol, at the nominal tempo.
    let frameSamples: Double
    let symbolSamples: Double
    var transform: FractionalBinTransform
    var spectra: FrameSpectra
    var correlator: SubsymbolCorrelator
    private let unbiased = [Float](repeating: 1, count: 32)
    let decoder: SoftDecoder
    /// What was spent so far.
    var work = ReceptionWork()

    /// Frame likelihood ratio, as a logarithm, below which a frame is not worth decoding, nor a false start: chirps at −26.5 dB have more.
    static let minimumFrameLLR: Float = 15
    /// As much as far as an eighth of a symbol beside the place.
    static let minimumCoarseLLR: Float = 8
    /// As much for loud tones without a preamble: they are the end of a chirp whose beginning is lost, or nothing.
    static let minimumEvidenceWithoutPreamble: Float = -8
    /// Frame likelihood ratio from which on that does not count, and more places are tried: a quarter of a symbol off, loud tones are
    /// as plainly wrong as they are right at their place.
    static let loudFrameLLR: Float = 50
    /// Energy of a tone, as a multiple of the preamble's, from which on it is another sender's where no word is found with it.
    static let loudestShare: Float = 1.5
    /// Energy, as a multiple of the median of the symbols' strongest tones, to which tones are limited where no word is found.
    static let limitedShare: Float = 0.25
    /// Frames less likely than this are tried again at times near by: beside the place, or, in steady noise, at the starts beside it.
    static let doubtfulLogOdds: Float = 2.5
    /// Those that are less likely than this are not.
    static let hopelessLogOdds: Float = -4
    /// Noise deviation below which noise is taken for white.
    static let whiteNoise: Float = 1.4
    /// Codewords tried at first, and again when it is close.
    static let patternBudgets = [3_000, 300_000]
    /// Codeword evidence by the first of them below which the second would find no better word.
    static let minimumCodewordEvidence: Float = -4.5

    init(format: WireFormat, sampleRateHertz: Double) {
        self.format = format
        frameSamples = format.frameSeconds * sampleRateHertz
        symbolSamples = format.symbolSeconds * sampleRateHertz
        transform = FractionalBinTransform(
            longestBlock: symbolSamples, sampleRateHertz: sampleRateHertz, bandHertz: format.bandHertz)
        spectra = FrameSpectra(format: format, transform: transform)
        correlator = SubsymbolCorrelator(format: format, sampleRateHertz: sampleRateHertz)
        decoder = SoftDecoder(code: ReedSolomon(format: format))
    }

    /// Transforms the sound at a timing and weighs the tones, all off by its tuning, or each anywhere in its band.
    mutating func observe(
        _ samples: borrowing SampleRing, _ timing: FrameTiming, hasFreeTones: Bool = false
    ) -> SoftFrame {
        load(samples, timing)
        return soft(tuningCents: hasFreeTones ? nil : timing.tuningCents)
    }

    mutating func load(_ samples: borrowing SampleRing, _ timing: FrameTiming) {
        work.transformedFrames += 1
        spectra.compute(samples, at: timing, transform: &transform)
    }

    /// When a frame plays about a middle, which tempo and tuning do not move.
    func timing(middle: Double, periodRatio: Double, tuningCents: Double = 0) -> FrameTiming {
        FrameTiming(
            startSample: middle - 0.5 * frameSamples * periodRatio, periodRatio: periodRatio, tuningCents: tuningCents)
    }

    /// Weighs the spectra at hand, with all tones off by as many cents, or, with nil, each anywhere within 47 cents of its pitch.
    func soft(tuningCents: Double?) -> SoftFrame {
        let adjacentPowers = spectra.adjacentPowers(tuningCents: tuningCents ?? 0)
        let bias = tuningCents == nil ? spectra.bandBias : unbiased
        return SoftFrame(
            energies: tuningCents.map { spectra.energies(tuningCents: $0, transform: transform) }
                ?? spectra.bandEnergies(),
            adjacentPowers: adjacentPowers, floors: SoftFrame.floors(adjacentPowers: adjacentPowers, bias: bias),
            preamble: format.startCode, weights: tuningCents == nil ? .band : .tuned)
    }

    /// The word that a soft frame is likeliest of, and how well it fits.
    ///
    /// - Parameters:
    ///   - isQuick: whether few codewords are tried.
    ///   - minimumLogOdds: words that are less likely need not be found; nil where a reading near by may be better.
    mutating func decode(
        _ soft: SoftFrame, at timing: FrameTiming, _ context: ReceptionContext,
        isQuick: Bool = false, minimumLogOdds: Float? = nil
    ) -> DecodedFrame? {
        let scores = soft.scores()
        var result: DecodedFrame?
        let endSample = timing.startSample + frameSamples * timing.periodRatio
        let prepared = decoder.prepare(scores.codeword)
        var features = AcceptanceFeatures(
            codewordEvidence: 0, frameLLR: soft.frameLLR, preambleLLR: scores.preamble, margin: 0,
            noiseLogDeviation: soft.noiseLogDeviation(soft.bestTones), toneLevelSpread: 0,
            falseStartCount: context.falseStartCount, isSearched: timing.isSearched, isMarginal: soft.isMarginal)
        let minimumScore =
            relevantEvidence(features, minimumLogOdds: minimumLogOdds) - scores.preamble + dataPrior
        for budget in isQuick ? [Self.patternBudgets[0]] : Self.patternBudgets {
            let decision = prepared.decode(patternBudget: budget, minimumScore: minimumScore)
            work.decodedFrames += 1
            work.patterns += Int64(decision.patternCount)
            guard let codeword = Codeword(symbols: decision.symbols) else { return nil }
            let evidence = decision.score + scores.preamble - dataPrior
            let tones = format.frame(of: codeword)
            features.codewordEvidence = evidence
            features.margin = decision.score - decision.runnerUpScore
            features.noiseLogDeviation = soft.noiseLogDeviation(tones)
            features.toneLevelSpread = soft.toneLevelSpread(tones)
            let frame = DecodedFrame(
                format: format, timing: timing, codeword: codeword, logOdds: AcceptanceModel.fitted.logOdds(features),
                features: features, toneEnergy: soft.toneEnergy(tones), endSample: endSample, earliestEnd: endSample)
            result = frame
            // Enough, or so far off that a better word would be a wonder.
            if decision.isComplete || frame.logOdds > DecodedFrame.certainLogOdds
                || evidence < Self.minimumCodewordEvidence
            {
                break
            }
        }
        return result
    }

    /// What the choice among all data costs, in nats.
    static func dataPrior(of format: WireFormat) -> Float { Float(format.dataSymbolCount) * Float.log(32) }

    private var dataPrior: Float { Self.dataPrior(of: format) }

    /// Codeword evidence below which a word is nothing, whatever else is received: it could not be believed, even if its tones were as
    /// even as a chirp's, and if a reading near by gave so much more.
    private func relevantEvidence(_ features: AcceptanceFeatures, minimumLogOdds: Float?) -> Float {
        let needed = AcceptanceModel.fitted.minimumEvidence(features, logOdds: minimumLogOdds ?? 0)
        guard minimumLogOdds == nil else { return needed }
        return needed - (features.frameLLR > Self.loudFrameLLR ? Self.gainBesideWhereLoud : Self.gainBeside)
    }

    /// Nats of evidence by which a reading near by, or at the exact tuning, may be better.
    private static let gainBeside: Float = 9.5
    /// As much where tones are plain, and their place is known.
    private static let gainBesideWhereLoud: Float = 2

    /// Whether a soft frame may be a chirp's: of loud tones it tells plainly.
    mutating func isPlausible(_ soft: SoftFrame) -> Bool {
        FramePlausibility.coherent.allowsFrame(soft.greatestEnergies, hasPreamble: soft.hasPreamble)
            && (!Self.lacksPreamble(soft) || algebraicEvidence(soft) > Self.minimumEvidenceWithoutPreamble)
    }

    /// Whether tones are loud and the preamble is not heard: of a word, much evidence is asked for.
    static func lacksPreamble(_ soft: SoftFrame) -> Bool { soft.frameLLR >= loudFrameLLR && !soft.hasPreamble }

    /// The codeword evidence of the best word near the hard decisions, which are right where tones are plain.
    mutating func algebraicEvidence(_ soft: SoftFrame) -> Float {
        let scores = soft.scores()
        work.decodedFrames += 1
        guard let best = decoder.decodeAlgebraically(scores.codeword) else { return -.infinity }
        return best.score + scores.preamble - dataPrior
    }

    /// Whether a decoding of few patterns gives more than some codeword evidence.
    ///
    /// - Parameter minimum: of the likelihood ratio of the preamble, as a logarithm.
    mutating func quickEvidence(_ soft: SoftFrame, exceeds minimum: (Float) -> Float) -> Bool {
        let scores = soft.scores()
        let minimumScore = minimum(scores.preamble) - scores.preamble + dataPrior
        let decision = decoder.decode(
            scores.codeword, patternBudget: Self.patternBudgets[0], minimumScore: minimumScore)
        work.decodedFrames += 1
        work.patterns += Int64(decision.patternCount)
        return decision.score > minimumScore
    }
}

/// What a receiver spent, in operations that do not depend on the machine.
package struct ReceptionWork: Sendable, Hashable {
    /// Frames whose twenty symbols were transformed whole.
    package var transformedFrames = 0
    /// Frames around which the sound was correlated with the tones in short blocks.
    package var correlatedFrames = 0
    /// Soft frames that were decoded.
    package var decodedFrames = 0
    /// Codewords that were tried: in hours of faint chirps more than 32 bits count.
    package var patterns: Int64 = 0
    /// Looks and searches that were left out, as more had been spent than the sound is worth; ``WorkBudget``.
    package var leftOutLooks = 0

    package init() {}
}
