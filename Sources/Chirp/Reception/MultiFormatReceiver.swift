/// Finds the chirps of several formats in a stream of samples: one ``Receiver`` a format over the same samples.
///
///     var receiver = try MultiFormatReceiver(sampleRateHertz: 44_100, formats: [.original, .ultrasonic])
///     for block in blocks {
///         for chirp in receiver.process(block) { print(chirp.shortcode, chirp.format.name) }
///     }
///
/// The time that it takes is the sum of its receivers' times. A detection that is less than 99.9 % certain is not reported if it overlaps
/// in time and pitch with one of another format that was found by then and is ten times less likely to be wrong, or with a frame of
/// another format that is plainly being received. It is reported up to 20 ms later than others.
public struct MultiFormatReceiver: ~Copyable, Sendable {
    /// The formats that it listens for, each once.
    public let formats: [WireFormat]
    /// The rate of the samples that it takes, in hertz.
    public let sampleRateHertz: Double
    let receivers: [ReceiverBox<Receiver>]
    /// Samples that are handed to each receiver in turn.
    private let stepSamples: Int
    private var arbiter = FormatArbiter()
    /// Detections of the current step that are not certain.
    private var doubtful: [DetectedChirp] = []
    /// Samples since time zero.
    private var sampleCount = 0

    /// Listens for some formats at once.
    ///
    /// - Parameters:
    ///   - sampleRateHertz: the rate of the samples, which each format receives at.
    ///   - formats: at least one; those that are named twice count once.
    ///   - combinesCopies: whether copies of a chirp in the original format are added up; see ``Receiver``.
    /// - Throws: ``ReceptionError/sampleRate(_:supported:)`` when one of the formats is not received at this rate.
    public init(
        sampleRateHertz: Double, formats: [WireFormat], combinesCopies: Bool = false
    ) throws(ReceptionError) {
        precondition(!formats.isEmpty, "a receiver listens for at least one format")
        var known: [WireFormat] = []
        var receivers: [ReceiverBox<Receiver>] = []
        for format in formats { try Receiver.check(sampleRateHertz, for: format) }
        let stepSamples = Int(FormatArbiter.stepSeconds * sampleRateHertz)
        let samples = SharedSamples(lead: stepSamples)
        for format in formats where !known.contains(format) {
            known.append(format)
            let combines = combinesCopies && format == .original
            receivers.append(
                ReceiverBox(
                    try Receiver(
                        sampleRateHertz: sampleRateHertz, format: format, combinesCopies: combines, samples: samples)))
        }
        self.formats = known
        self.sampleRateHertz = sampleRateHertz
        self.receivers = receivers
        self.stepSamples = stepSamples
    }

    /// Listens for those of some formats that are received at this rate.
    ///
    /// - Throws: ``ReceptionError/sampleRate(_:supported:)``, of the first, when none is.
    public init(
        sampleRateHertz: Double, fitting formats: [WireFormat], combinesCopies: Bool = false
    ) throws(ReceptionError) {
        let fitting = formats.filter { $0.receptionRatesHertz.contains(sampleRateHertz) }
        try self.init(
            sampleRateHertz: sampleRateHertz, formats: fitting.isEmpty ? Array(formats.prefix(1)) : fitting,
            combinesCopies: combinesCopies)
    }

    /// Takes the next samples and gives back the chirps that they completed, in the order of their starts.
    public mutating func process(_ samples: Span<Float>) -> [DetectedChirp] {
        if receivers.count == 1 { return Self.inOrder(receivers[0].receiver.process(samples)) }
        var found: [DetectedChirp] = []
        var position = 0
        while position < samples.count {
            let end = min(samples.count, position + stepSamples - sampleCount % stepSamples)
            let step = samples.extracting(position..<end)
            for box in receivers {
                let chirps = box.receiver.process(step)
                box.receiver.unload()
                for chirp in chirps.isEmpty ? [] : arbiter.believed(chirps) {
                    if chirp.confidence < FormatArbiter.certainConfidence {
                        doubtful.append(chirp)
                    } else {
                        found.append(chirp)
                    }
                }
            }
            sampleCount += end - position
            position = end
            guard sampleCount % stepSamples == 0 else { continue }
            if !doubtful.isEmpty {
                found += doubtful.filter { !arbiter.isContradictedInStep($0) && !hasRivalUnderway($0) }
                doubtful = []
            }
            arbiter.endStep(atSeconds: Double(sampleCount) / sampleRateHertz)
        }
        return Self.inOrder(found)
    }

    /// Takes the next samples and gives back the chirps that they completed, in the order of their starts.
    public mutating func process(_ samples: [Float]) -> [DetectedChirp] { process(samples.span) }

    /// Takes the next samples and gives back the chirps that they completed, in the order of their starts.
    public mutating func process(_ samples: some Sequence<Float>) -> [DetectedChirp] { process(Array(samples).span) }

    /// Ends the stream and gives back the chirps that end with it. The receiver then begins anew at time zero.
    public mutating func finish() -> [DetectedChirp] {
        defer { forgetFormats() }
        var found = doubtful
        for box in receivers { found += box.receiver.finish() }
        guard receivers.count > 1 else { return Self.inOrder(found) }
        // All of these come at once, so that each is compared with all.
        _ = arbiter.believed(found)
        arbiter.endStep(atSeconds: Double(sampleCount) / sampleRateHertz)
        return Self.inOrder(arbiter.believed(found))
    }

    /// Whether another format's frame that may have made this detection is being received, or waits to be reported.
    private func hasRivalUnderway(_ chirp: DetectedChirp) -> Bool {
        receivers.contains { box in
            guard let starts = FormatArbiter.startsOfRivals(of: chirp, in: box.receiver.format) else { return false }
            return box.receiver.isFrameUnderway(beginningWithin: starts)
                || box.receiver.awaitsReading(
                    beginningWithin: starts, confidence: FormatArbiter.contradictingConfidence(of: chirp))
        }
    }

    /// Forgets everything heard and begins anew at time zero.
    public mutating func reset() {
        for box in receivers { box.receiver.reset() }
        forgetFormats()
    }

    /// Forgets what was heard in several formats.
    private mutating func forgetFormats() {
        arbiter = FormatArbiter()
        doubtful = []
        sampleCount = 0
    }

    private static func inOrder(_ chirps: [DetectedChirp]) -> [DetectedChirp] {
        chirps.sorted { $0.startSeconds < $1.startSeconds }
    }
}
