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
    private var receiver: Receiver

    public init(_ scenario: Scenario, seed: UInt64) throws(ReceptionError) {
        self.scenario = scenario
        self.seed = seed
        receiver = try Receiver(
            sampleRateHertz: scenario.deliveredSampleRateHertz, format: scenario.transmission.format)
    }

    /// A receiver gets sound in blocks of this length, as from a device: how promptly it tells a code is measured as finely.
    private static let blockSeconds = 0.005

    /// Runs trial `index`: its outcome depends on the scenario, the seed and the index alone.
    public mutating func run(trial index: Int) throws -> TrialOutcome {
        let (sound, sent) = try scenario.makeSound(ofTrial: index, seed: seed)
        let blockLength = Int(Self.blockSeconds * sound.sampleRateHertz)
        let begin = threadSeconds()
        var heard: [(chirp: DetectedChirp, atSeconds: Double)] = []
        for start in stride(from: 0, to: sound.samples.count, by: blockLength) {
            let end = min(start + blockLength, sound.samples.count)
            heard += receiver.process(sound.samples[start..<end]).map { ($0, Double(end) / sound.sampleRateHertz) }
        }
        // The sound goes on for a second after the last chirp: what is reported at its end is late.
        heard += receiver.finish().map { ($0, Double(sound.samples.count) / sound.sampleRateHertz) }
        let computing = threadSeconds() - begin
        return Self.judge(sent: sent, heard: heard, computingSeconds: computing)
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
                outcome.delaysSeconds.append(seconds - outstanding.remove(at: index).endSeconds)
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
