import Chirp
import Testing

@testable import ChirpLab

@Suite struct TrialTests {
    @Test(arguments: ["overlap-6dB", "back-to-back", "rate-16000", "cut-2", "speed-slowest"])
    func `a trial tells how long after its own last tone each chirp came`(row: String) throws {
        let scenario = try scenario(row: row)
        let (sound, sent) = try scenario.makeSound(ofTrial: 1, seed: 3)
        #expect(
            abs(sent.map(\.endSeconds).max()! - Double(sound.chirpSpan.upperBound) / sound.sampleRateHertz) < 0.001)

        var runner = try TrialRunner(scenario, seed: 3)
        let outcome = try runner.run(trial: 1)
        var receiver = try Receiver(sampleRateHertz: sound.sampleRateHertz)
        var expected: [Double] = []
        for end in sound.samples.indices {
            for chirp in receiver.process(sound.samples[end...end]) {
                let own = try #require(sent.first { $0.shortcode == chirp.shortcode })
                expected.append(Double(end + 1) / sound.sampleRateHertz - own.endSeconds)
            }
        }
        try #require(outcome.delaysSeconds.count == expected.count && expected.count == sent.count)
        // Sample by sample, and in blocks of 5 ms.
        for (told, exactly) in zip(outcome.delaysSeconds, expected) {
            #expect((0...0.0051).contains(told - exactly))
        }
    }

    @Test func `delays come to their median, their longest, and how many are late`() throws {
        let promptness = try #require(Promptness(delaysSeconds: [0.2, 0.01, 0.1, 0.03, 0.101]))
        #expect(promptness.medianMilliseconds == 100)
        #expect(promptness.longestMilliseconds == 200)
        #expect(promptness.late == 2)
        #expect(Promptness(delaysSeconds: []) == nil)
    }
}
