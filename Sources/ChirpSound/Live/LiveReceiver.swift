public import Chirp

/// Turns the events of a capture into detections, with times since listening began: they continue when the device is lost.
///
/// Sound that was lost becomes silence of the same length, so that a chirp with a hole in it is still decoded.
public struct LiveReceiver: ~Copyable {
    /// What an event led to.
    public struct Outcome: Sendable {
        /// The samples that the receiver was given, silence for lost sound included; at ``sampleRateHertz``.
        public var samples: [Float] = []
        public var chirps: [DetectedChirp] = []
        public var notices: [LevelMonitor.Notice] = []
        /// Tone powers of each format that has new ones, when they are asked for.
        public var tones: [ToneColumns] = []
    }

    /// Beyond this, in seconds, lost sound ends one recording and begins another: no chirp spans it.
    static let longestSilenceSeconds = 2.0

    private let measuresTones: Bool
    private let formats: [WireFormat]
    private let combinesCopies: Bool
    private var receiver: MultiFormatReceiver?
    private var levels: LevelMonitor?
    /// One a format that is received at the device's rate.
    private var meters: [ToneMeter] = []
    /// The rate of the device that is being listened to; 0 before there is one.
    public private(set) var sampleRateHertz = 0.0
    /// Where the receiver's time began.
    private var receiverStartSeconds = 0.0
    private var frameCount = 0

    /// - Parameters:
    ///   - formats: those that are listened for; at a device's rate, those of them that are received at it.
    ///   - combinesCopies: whether copies of a chirp are added up where none can be heard by itself.
    ///   - measuresTones: whether the tones' powers are worked out, for a live view.
    public init(formats: [WireFormat] = [.original], combinesCopies: Bool = false, measuresTones: Bool = false) {
        self.formats = formats
        self.combinesCopies = combinesCopies
        self.measuresTones = measuresTones
    }

    /// Time of the listening, in seconds.
    public var seconds: Double {
        receiverStartSeconds + (sampleRateHertz > 0 ? Double(frameCount) / sampleRateHertz : 0)
    }

    /// Peak of the last block, 0–1.
    public var peak: Float { levels?.peak ?? 0 }

    /// Takes the next event.
    ///
    /// - Parameter clockSeconds: seconds since the listening began, by the clock: a device that comes back goes on there.
    /// - Throws: ``Chirp/ReceptionError`` when chirps cannot be heard at the device's rate.
    public mutating func take(_ event: CaptureEvent, at clockSeconds: Double) throws(ReceptionError) -> Outcome {
        switch event {
        case .opened(_, let rate, _):
            let outcome = finish()
            try begin(rate, at: max(clockSeconds, seconds))
            return outcome
        case .samples(let samples):
            // A device may run for a while before it delivers anything: its time begins with its first sound.
            if frameCount == 0 {
                let began = clockSeconds - Double(samples.count) / sampleRateHertz
                receiverStartSeconds = max(receiverStartSeconds, began)
            }
            return feed(samples)
        case .lost(let seconds, _):
            guard seconds > Self.longestSilenceSeconds else {
                return feed([Float](repeating: 0, count: Int(seconds * sampleRateHertz)), isSound: false)
            }
            let outcome = finish()
            try begin(sampleRateHertz, at: self.seconds + seconds)
            return outcome
        case .absent: return finish()
        }
    }

    /// Ends the sound and gives back the chirps that end with it.
    public mutating func finish() -> Outcome {
        var outcome = Outcome()
        outcome.chirps = shifted(receiver?.finish() ?? [])
        receiverStartSeconds = seconds
        frameCount = 0
        return outcome
    }

    private mutating func begin(_ rate: Double, at seconds: Double) throws(ReceptionError) {
        receiver = try MultiFormatReceiver(
            sampleRateHertz: rate, fitting: formats, combinesCopies: combinesCopies)
        if rate != sampleRateHertz {
            levels = LevelMonitor(sampleRateHertz: rate)
            meters = (measuresTones ? receiver?.formats ?? [] : []).map { ToneMeter(sampleRateHertz: rate, format: $0) }
        }
        sampleRateHertz = rate
        receiverStartSeconds = seconds
        frameCount = 0
    }

    private mutating func feed(_ samples: [Float], isSound: Bool = true) -> Outcome {
        var outcome = Outcome()
        outcome.samples = samples
        outcome.chirps = shifted(receiver?.process(samples) ?? [])
        if isSound { outcome.notices = levels?.process(samples) ?? [] }
        for index in meters.indices {
            let columns = meters[index].process(samples)
            guard !columns.isEmpty else { continue }
            outcome.tones.append(ToneColumns(format: meters[index].format, columns: columns))
        }
        frameCount += samples.count
        return outcome
    }

    private func shifted(_ chirps: [DetectedChirp]) -> [DetectedChirp] {
        chirps.map { chirp in
            DetectedChirp(
                codeword: chirp.codeword, startSeconds: chirp.startSeconds + receiverStartSeconds,
                durationSeconds: chirp.durationSeconds, snrDecibels: chirp.snrDecibels,
                correctedSymbolCount: chirp.correctedSymbolCount, confidence: chirp.confidence,
                tuningCents: chirp.tuningCents, speed: chirp.speed, format: chirp.format, repeats: chirp.repeats)
        }
    }
}
