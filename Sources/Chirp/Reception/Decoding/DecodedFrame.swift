internal import RealModule

/// A frame that was decoded, and how well it fits.
struct DecodedFrame: Sendable {
    let format: WireFormat
    var timing: FrameTiming
    /// Whether each of its tones was taken anywhere in its band: they are not all off by the same.
    var hasFreeTones = false
    /// Whether its timing is the one at which the tones of its word are strongest.
    var isRefined = false
    /// Whether its word is that of the strongest tones, each of them plain, and so is its preamble: no word a few symbols off can have as much.
    var isPlain = false
    /// What was measured of it when its timing was refined; nil where that is to be done at the refined one.
    var details: FrameDecoder.Details?
    var codeword: Codeword
    /// Logarithm of the odds that the word is right.
    var logOdds: Float
    /// The probability that the word is right.
    var confidence: Double { 1 / (1 + Double.exp(-Double(logOdds))) }
    /// What the odds are told by.
    var features: AcceptanceFeatures
    /// How much likelier it is than chirps that begin a symbol or more later, in nats, once that has been asked;
    /// ``FrameDecoder/marginOverLater(_:_:)``.
    var marginOverLater: Float?

    /// Frames more likely than this, as a logarithm of odds, are reported as soon as their end has been received: 99.3 %.
    static let certainLogOdds: Float = 5
    /// What the start code gives at least where it is heard: both its tones, of which each gives 3.4 at most. A frame taken
    /// one symbol too early between two tempi still has something of both.
    static let certainPreambleLLR: Float = 5
    /// Whether its word is certain, and its preamble was heard.
    var isSure: Bool {
        logOdds > Self.certainLogOdds && (isPlain || features.preambleLLR > Self.certainPreambleLLR)
    }

    /// Whether it is worth being read again at times near by: neither certain nor hopeless.
    var isDoubtful: Bool { logOdds < FrameDecoder.doubtfulLogOdds && logOdds > FrameDecoder.hopelessLogOdds }

    /// Whether it may be a chirp that is too faint to be read, or only a part of one so far: not loud, at nominal tempo, in noise
    /// as steady as white noise.
    var mayBeFaintChirp: Bool {
        features.frameLLR < FrameDecoder.loudFrameLLR && features.noiseLogDeviation < FrameDecoder.whiteNoise
            && !features.isSearched
    }

    /// Median of the energies of its tones, on the scale of noise energy.
    var toneEnergy: Float
    /// First sample after the last tone.
    var endSample: Double
    /// The earliest end of all readings of this word that overlapped while they were pending.
    var earliestEnd: Double

    /// What the better one of two readings of the same sound has more of: one taken a symbol too early or too late may be a codeword,
    /// too, but has lost tones of the chirp.
    var rankingScore: Float { features.codewordEvidence + 0.5 * features.frameLLR }

    /// Whether this frame is made of the tones of another one, or of their echoes: more than half of its symbols, and at least eight,
    /// have a tone that the other one has at that time or a symbol before or after.
    func sharesTones(with other: DecodedFrame, symbolSamples: Double) -> Bool {
        let (own, others) = (format.frame(of: codeword), format.frame(of: other.codeword))
        var (shared, same) = (0, 0)
        for (symbol, tone) in own.enumerated() {
            let middle = timing.middle(ofSymbol: symbol, symbolSamples: symbolSamples)
            let place = (middle - other.timing.startSample) / (symbolSamples * other.timing.periodRatio)
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
            && (codeword == other.codeword || sharesTones(with: other, symbolSamples: symbolSamples))
    }

    /// Whether two frames share more than so many samples.
    func overlaps(_ other: DecodedFrame, by slack: Double) -> Bool {
        timing.startSample < other.endSample - slack && other.timing.startSample < endSample - slack
    }
}

/// What was received before a frame, on which depends how much evidence a word needs.
struct ReceptionContext: Sendable {
    /// How often, within the last minute, what was no chirp looked like one.
    var falseStartCount = 0
    /// Whether for some time nothing but steady noise was received; ``CandidateDetector/noiseIsStationary``.
    var noiseIsStationary = false
    /// Energy that the tones of a frame have at least: weaker ones may be what cancellation left of another one.
    var minimumToneEnergy: Float = 0
}
