public import Chirp
private import Glibc

/// What a receiver made of one trial.
public struct TrialOutcome: Sendable {
    /// Chirps sent, and those of them that were heard.
    public var sent: Int
    public var recovered: Int
    /// Reported codes that were not sent, and repetitions of a right one.
    public var wrong: Int
    public var extra: Int
    /// The receiver's confidence in each code it reported, and whether it was right.
    public var reports: [(confidence: Double, isRight: Bool)]
    /// How much sound the receiver was given after the end of each recovered chirp's last tone until it reported it, in seconds.
    public var delaysSeconds: [Double]
    /// Time that the receiver computed, in seconds of one core.
    public var computingSeconds: Double
}

/// Plays trials of one scenario to one receiver.
public struct TrialRunner: ~Copyable {
    public let scenario: Scenario
    private let seed: UInt64
    private var receiver: MultiChannelReceiver

    public init(_ scenario: Scenario, seed: UInt64) throws(ReceptionError) {
        self.scenario = scenario
        self.seed = seed
        receiver = try MultiChannelReceiver(
            sampleRateHertz: scenario.deliveredSampleRateHertz, channelCount: scenario.channelCount,
            formats: [scenario.transmission.format], combines: scenario.combines)
    }

    /// A receiver gets sound in blocks of this length, as from a device: how promptly it tells a code is measured as finely.
    private static let blockSeconds = 0.005

    /// Runs trial `index`: its outcome depends on the scenario, the seed and the index alone.
    public mutating func run(trial index: Int) throws -> TrialOutcome {
        let (channels, sent) = try scenario.makeSounds(ofTrial: index, seed: seed)
        let rate = channels[0].sampleRateHertz
        // Resampling and codecs give each channel the same length.
        let count = channels.map(\.samples.count).min() ?? 0
        let samples = channels.flatMap { $0.samples.prefix(count) }
        let blockLength = Int(Self.blockSeconds * rate)
        let begin = threadSeconds()
        var heard: [(chirp: DetectedChirp, atSeconds: Double)] = []
        for start in stride(from: 0, to: count, by: blockLength) {
            let end = min(start + blockLength, count)
            heard += receiver.process(samples.span.extracting(start..<samples.count), stride: count, count: end - start)
                .map { ($0.chirp, Double(end) / rate) }
        }
        // The sound goes on for a second after the last chirp: what is reported at its end is late.
        heard += receiver.finish().map { ($0.chirp, Double(count) / rate) }
        let computing = threadSeconds() - begin
        return Self.judge(sent: sent, heard: heard, computingSeconds: computing)
    }

    /// When the copy that made a chirp certain ended: the last one of which most had been heard.
    private static func end(of sent: Scenario.Sent, before seconds: Double) -> Double {
        let heard = seconds + WireFormat.original.frameSeconds / 2
        return sent.endsSeconds.last { $0 < heard } ?? sent.endsSeconds[0]
    }

    /// A chirp is recovered when its code is reported; every report of it after the first is extra.
    private static func judge(
        sent: [Scenario.Sent], heard: [(chirp: DetectedChirp, atSeconds: Double)], computingSeconds: Double
    ) -> TrialOutcome {
        var outstanding = sent
        var outcome = TrialOutcome(
            sent: sent.count, recovered: 0, wrong: 0, extra: 0, reports: [], delaysSeconds: [],
            computingSeconds: computingSeconds)
        for (chirp, seconds) in heard {
            let isRight = sent.contains { $0.shortcode == chirp.shortcode }
            outcome.reports.append((chirp.confidence, isRight))
            if let index = outstanding.firstIndex(where: { $0.shortcode == chirp.shortcode }) {
                outcome.delaysSeconds.append(seconds - Self.end(of: outstanding.remove(at: index), before: seconds))
                outcome.recovered += 1
            } else if isRight {
                outcome.extra += 1
            } else {
                outcome.wrong += 1
            }
        }
        return outcome
    }
}

/// Processor time of this thread, in seconds.
func threadSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + 1e-9 * Double(time.tv_nsec)
}
