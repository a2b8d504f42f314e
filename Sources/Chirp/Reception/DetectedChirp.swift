/// A chirp that was heard.
public struct DetectedChirp: Sendable, Hashable {
    /// The decoded word.
    public let codeword: Codeword
    /// Start of its first tone, in seconds from the first sample given to the receiver. Negative when the beginning was
    /// cut off by more than a sixteenth of a symbol; less is the error of the estimate, and counts as zero.
    public let startSeconds: Double
    /// From the start of the first to the end of the last tone: the frame's nominal length over ``speed``.
    public let durationSeconds: Double
    /// Power of the chirp over the noise power in the whole band of the recording, in decibels, −60 to 120: a recording without any noise
    /// has 120.
    public let snrDecibels: Double
    /// Number of the eighteen symbols whose strongest tone was not the decoded one.
    public let correctedSymbolCount: Int
    /// Probability that the code is right, 0–1.
    public let confidence: Double
    /// How far its pitches lie above the nominal ones, in cents.
    public let tuningCents: Double
    /// How fast it was played: 1 at the format's symbol length, more when faster.
    public let speed: Double

    /// Copies of it that were added up, at equal distances; 1 when it was heard by itself. The start is that of the first one.
    public let repeats: Int

    /// The format in which it was sent.
    public let format: WireFormat

    /// The ten characters that it carries.
    public var shortcode: Shortcode { codeword.shortcode }

    /// A detection with these figures, for tests and for records of earlier ones; a ``Receiver`` makes its own.
    public init(
        codeword: Codeword, startSeconds: Double, durationSeconds: Double, snrDecibels: Double,
        correctedSymbolCount: Int, confidence: Double, tuningCents: Double, speed: Double,
        format: WireFormat = .original, repeats: Int = 1
    ) {
        self.codeword = codeword
        self.startSeconds = startSeconds
        self.durationSeconds = durationSeconds
        self.snrDecibels = snrDecibels
        self.correctedSymbolCount = correctedSymbolCount
        self.confidence = confidence
        self.tuningCents = tuningCents
        self.speed = speed
        self.format = format
        self.repeats = repeats
    }
}
