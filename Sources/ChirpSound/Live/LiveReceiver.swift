public import Chirp

/// Turns the events of a capture into detections, with times since listening began: they continue when the device is lost.
///
/// Sound that was lost becomes silence of the same length, so that a chirp with a hole in it is still decoded.
public struct LiveReceiver: ~Copyable {
    /// What an event led to.
    public struct Outcome: Sendable {
        /// What the receiver was given, silence for lost sound included: frame by frame a sample of each of
        /// ``channelCount`` channels, at ``sampleRateHertz``.
        public var frames: [Float] = []
        /// What was heard; a chirp that several channels hear by themselves is there once for each.
        public var detections: [ChannelDetection] = []
        /// The chirps of ``detections``.
        public var chirps: [DetectedChirp] { detections.map(\.chirp) }
        public var notices: [LevelMonitor.Notice] = []
        /// Tone powers of each format that has new ones, when they are asked for.
        public var tones: [ToneColumns] = []
    }

    /// Beyond this, in seconds, lost sound ends one recording and begins another: no chirp spans it.
    static let longestSilenceSeconds = 2.0

    private let measuresTones: Bool
    private let formats: [WireFormat]
    private let combinesCopies: Bool
    private var receiver: MultiChannelReceiver?
    /// Frames on their way to the receiver.
    private var block: AudioBlock?
    /// The rate of the device that is being listened to; 0 before there is one.
    public private(set) var sampleRateHertz = 0.0
    /// The channels of that device.
    public private(set) var channelCount = 1
    private var levels: LevelMonitor?
    /// One a format that is received at the device's rate.
    private var meters: [ToneMeter] = []
    /// Where the receiver's time began.
    private var receiverStartSeconds = 0.0
    private var frameCount = 0

    /// - Parameters:
    ///   - formats: those that are listened for; at a device's rate, those of them that are received at it.
    ///   - combinesCopies: whether copies of a chirp, and what several channels heard of one, are combined where none can be heard by itself.
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
        case .opened(_, let rate, let channelCount):
            let outcome = finish()
            try begin(rate, channelCount: channelCount, at: max(clockSeconds, seconds))
            return outcome
        case .samples(let samples):
            // A device may run for a while before it delivers anything: its time begins with its first sound.
            if frameCount == 0 {
                let began = clockSeconds - Double(samples.count / channelCount) / sampleRateHertz
                receiverStartSeconds = max(receiverStartSeconds, began)
            }
            return feed(samples)
        case .lost(let seconds, _):
            guard seconds > Self.longestSilenceSeconds else {
                let silence = [Float](repeating: 0, count: Int(seconds * sampleRateHertz) * channelCount)
                return feed(silence, isSound: false)
            }
            let outcome = finish()
            try begin(sampleRateHertz, channelCount: channelCount, at: self.seconds + seconds)
            return outcome
        case .absent: return finish()
        }
    }

    /// Ends the sound and gives back the chirps that end with it.
    public mutating func finish() -> Outcome {
        var outcome = Outcome()
        outcome.detections = shifted(receiver?.finish() ?? [])
        receiverStartSeconds = seconds
        frameCount = 0
        return outcome
    }

    private mutating func begin(
        _ rate: Double, channelCount: Int, at seconds: Double
    ) throws(ReceptionError) {
        receiver = try MultiChannelReceiver(
            sampleRateHertz: rate, channelCount: channelCount, formats: formats, combines: combinesCopies)
        block = AudioBlock(channelCount: channelCount)
        if rate != sampleRateHertz || channelCount != self.channelCount {
            levels = LevelMonitor(sampleRateHertz: rate, channelCount: channelCount)
        }
        if rate != sampleRateHertz {
            meters = (measuresTones ? receiver?.formats ?? [] : []).map { ToneMeter(sampleRateHertz: rate, format: $0) }
        }
        sampleRateHertz = rate
        self.channelCount = channelCount
        receiverStartSeconds = seconds
        frameCount = 0
    }

    /// - Parameter interleaved: frame by frame, a sample of each channel in each.
    private mutating func feed(_ interleaved: [Float], isSound: Bool = true) -> Outcome {
        var outcome = Outcome()
        outcome.frames = interleaved
        outcome.detections = shifted(receive(interleaved))
        if isSound { outcome.notices = levels?.process(interleaved) ?? [] }
        let mean = meters.isEmpty ? [] : Mixdown.mean(of: interleaved, channelCount: channelCount)
        for index in meters.indices {
            let columns = meters[index].process(mean)
            guard !columns.isEmpty else { continue }
            outcome.tones.append(ToneColumns(format: meters[index].format, columns: columns))
        }
        frameCount += interleaved.count / channelCount
        return outcome
    }

    private mutating func receive(_ interleaved: [Float]) -> [ChannelDetection] {
        guard var block else { return [] }
        self.block = nil
        defer { self.block = block }
        var heard: [ChannelDetection] = []
        let length = block.capacityFrames * channelCount
        for start in stride(from: 0, to: interleaved.count, by: length) {
            _ = block.fill(interleaved: interleaved.span.extracting(start..<min(start + length, interleaved.count)))
            heard += block.withSamples(of: 0..<channelCount) { samples, stride in
                receiver?.process(samples, stride: stride, count: block.frameCount) ?? []
            }
        }
        return heard
    }

    private func shifted(_ detections: [ChannelDetection]) -> [ChannelDetection] {
        detections.map { detection in
            let chirp = detection.chirp
            let shifted = DetectedChirp(
                codeword: chirp.codeword, startSeconds: chirp.startSeconds + receiverStartSeconds,
                durationSeconds: chirp.durationSeconds, snrDecibels: chirp.snrDecibels,
                correctedSymbolCount: chirp.correctedSymbolCount, confidence: chirp.confidence,
                tuningCents: chirp.tuningCents, speed: chirp.speed, format: chirp.format, repeats: chirp.repeats)
            return ChannelDetection(channel: detection.channel, channels: detection.channels, chirp: shifted)
        }
    }
}
