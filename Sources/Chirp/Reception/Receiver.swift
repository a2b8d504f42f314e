/// Finds every chirp in a stream of samples.
///
/// Give it blocks of any size as they come; the result does not depend on how the samples were cut:
///
///     var receiver = try Receiver(sampleRateHertz: 44_100)
///     for block in blocks {
///         for chirp in receiver.process(block) { print(chirp.shortcode, chirp.startSeconds) }
///     }
///     for chirp in receiver.finish() { print(chirp.shortcode, chirp.startSeconds) }
///
/// Samples are mono, of any scale from 1e-10 to 1e8; values that are not finite count as silence. Memory is constant. A chirp is nearly always
/// given back within 100 ms of its last tone, or not at all where it is barely certain and may as well be a part of another one that is
/// still to come; one that overlaps another may be found only when that one has been taken out.
///
/// <doc:HowTheReceiverWorks> tells how it works, and <doc:Embedding> what to expect of it in a program.
public struct Receiver: ~Copyable, Sendable {
    /// The format that it listens for.
    public let format: WireFormat
    /// The rate of the samples that it takes, in hertz.
    public let sampleRateHertz: Double

    /// Sample rates at which enough of the original format's tones exist, in hertz; ``WireFormat/receptionRatesHertz``.
    public static let supportedSampleRates = WireFormat.original.receptionRatesHertz

    var ring: SampleRing
    var scan: CoarseAcquisition
    var blockTransform: FractionalBinTransform
    var detector = CandidateDetector()
    /// What the detector was before each of the latest starts.
    var pastDetectors = [CandidateDetector](repeating: CandidateDetector(), count: CoarseAcquisition.historyLength)
    var decoder: FrameDecoder
    let canceller: ChirpCanceller
    var window: [FrameMetrics] = []
    /// The latest readings by the energies of the acquisition where a preamble and a frame are plain by these, and it is no word by far.
    var hopelessReadings: [DecodedFrame] = []
    /// Readings that wait for a better one.
    var pending: PendingReadings
    /// Where frames began, within the last minute, that looked like a chirp and were none.
    var falseStarts: [Double] = []
    /// The start at which tones were last as clear as can be at nominal tempo and pitch, and no word was found.
    var latestClearStart = Int.min / 2
    /// From the first start at which a loud frame was lately still rising up to where it begins at the latest.
    var risingStarts = noStarts
    private static let noStarts = Int.min / 2...Int.min / 2
    /// What may be spent.
    var budget = WorkBudget()
    /// Frames reported lately.
    var reported: [DecodedFrame] = []
    var found: [DetectedChirp] = []
    /// Whether the stream has ended and none has begun since.
    private var hasEnded = false
    /// Adds up copies of one chirp; nil where each is heard by itself.
    var combiner: CopyCombiner?
    /// Words that were reported within the last minutes, and when their newest copy began, in samples.
    var repeatedWords: [(codeword: Codeword, startSample: Double)] = []

    /// Every reading that was weighed, taken or not, where they are asked for.
    package var candidates: [AcceptanceCandidate]?

    /// How far back from the newest sound frames are looked for, in frames.
    static let searchedFrames = 3

    /// Silence before the first sample, in symbols: so much of a frame's beginning, less a symbol, may be cut off. After the last there is
    /// twice as much.
    static let silentSymbols = 6

    /// Listens for one format.
    ///
    /// - Parameters:
    ///   - sampleRateHertz: the rate of the samples.
    ///   - format: the one that is listened for.
    ///   - combinesCopies: whether copies of one chirp, 1.8 to 15 seconds apart, are added up where none can be heard by itself. Noise
    ///     then takes up to three times as long, and the receiver up to 2 MB more; a single chirp must be 90 % certain.
    /// - Throws: ``ReceptionError/sampleRate(_:supported:)`` outside the format's
    ///   ``WireFormat/receptionRatesHertz``.
    public init(
        sampleRateHertz: Double, format: WireFormat = .original, combinesCopies: Bool = false
    ) throws(ReceptionError) {
        try self.init(
            sampleRateHertz: sampleRateHertz, format: format, combinesCopies: combinesCopies, samples: SharedSamples())
    }

    /// - Throws: ``ReceptionError/sampleRate(_:supported:)`` outside the format's rates.
    static func check(_ sampleRateHertz: Double, for format: WireFormat) throws(ReceptionError) {
        guard format.receptionRatesHertz.contains(sampleRateHertz) else {
            throw .sampleRate(sampleRateHertz, supported: format.receptionRatesHertz)
        }
    }

    /// - Parameter samples: where those are kept that receivers of other formats take as well.
    init(
        sampleRateHertz: Double, format: WireFormat, combinesCopies: Bool, samples: SharedSamples
    ) throws(ReceptionError) {
        try Self.check(sampleRateHertz, for: format)
        self.format = format
        self.sampleRateHertz = sampleRateHertz
        let blockSamples = format.symbolSeconds * sampleRateHertz / Double(CoarseAcquisition.blocksPerSymbol)
        let transform = FractionalBinTransform(
            longestBlock: blockSamples, sampleRateHertz: sampleRateHertz, bandHertz: format.bandHertz)
        scan = CoarseAcquisition(
            format: format, sampleRateHertz: sampleRateHertz, transform: transform,
            historyLength: combinesCopies ? CopyCombiner.keptBlocks(of: format) : 0)
        combiner = combinesCopies ? CopyCombiner(format: format) : nil
        blockTransform = transform
        decoder = FrameDecoder(format: format, sampleRateHertz: sampleRateHertz)
        pending = PendingReadings(symbolSamples: decoder.symbolSamples)
        canceller = ChirpCanceller(format: format, sampleRateHertz: sampleRateHertz)
        ring = SampleRing(
            silence: Int(Double(Self.silentSymbols) * format.symbolSeconds * sampleRateHertz),
            span: Int(Double(Self.searchedFrames) * format.frameSeconds * sampleRateHertz), samples: samples)
    }

    /// Takes the next samples and gives back the chirps that they completed, in the order in which they were found.
    public mutating func process(_ samples: Span<Float>) -> [DetectedChirp] {
        if hasEnded { reset() }
        var position = 0
        while position < samples.count {
            position += ring.append(samples.extracting(position...))
            advance()
        }
        return takeFound()
    }

    /// Takes the next samples and gives back the chirps that they completed, in the order in which they were found.
    public mutating func process(_ samples: [Float]) -> [DetectedChirp] { process(samples.span) }

    /// Takes the next samples and gives back the chirps that they completed, in the order in which they were found.
    public mutating func process(_ samples: some Sequence<Float>) -> [DetectedChirp] { process(Array(samples).span) }

    /// Ends the stream and gives back the chirps that end with it. The receiver then begins anew at time zero.
    public mutating func finish() -> [DetectedChirp] {
        if hasEnded { reset() }
        // What the next stream needs is made when it begins: there may be none.
        hasEnded = true
        var silence = 2 * ring.silence
        while silence > 0 {
            silence -= ring.appendSilence(silence)
            advance()
        }
        return takeFound()
    }

    /// What was spent since the receiver was made.
    package var work: ReceptionWork { decoder.work }

    /// What was spent on adding up copies; nil where none are.
    package var combinerWork: CopyCombiner.Work? { combiner?.work }

    /// Forgets everything heard and begins anew at time zero.
    public mutating func reset() {
        hasEnded = false
        ring.reset()
        scan = CoarseAcquisition(
            format: format, sampleRateHertz: sampleRateHertz, transform: blockTransform,
            historyLength: combiner != nil ? CopyCombiner.keptBlocks(of: format) : 0)
        if combiner != nil { combiner = CopyCombiner(format: format) }
        repeatedWords = []
        detector = CandidateDetector()
        window = []
        hopelessReadings = []
        pending.readings = []
        falseStarts = []
        latestClearStart = Int.min / 2
        risingStarts = Self.noStarts
        budget = WorkBudget(spent: decoder.work)
        reported = []
        found = []
    }

    private mutating func takeFound() -> [DetectedChirp] {
        defer { found = [] }
        return found
    }

    /// Gives back what was correlated, for which receivers of other formats and channels need as much memory in turn.
    mutating func unload() { decoder.correlator.unload() }
}

/// Why a receiver cannot be made.
public enum ReceptionError: Error, Sendable, Hashable {
    /// Too few of the tones exist at this sample rate, or it is beyond what was tested; the range in hertz.
    case sampleRate(Double, supported: ClosedRange<Double>)
}
