import Testing

@testable import Chirp

@Suite struct FormatArbiterTests {
    private static func detection(
        _ format: WireFormat, start: Double, confidence: Double, repeats: Int = 1
    ) throws -> DetectedChirp {
        DetectedChirp(
            codeword: try Shortcode(parsing: "gsm2h88c7u").codeword, startSeconds: start,
            durationSeconds: format.frameSeconds, snrDecibels: -15, correctedSymbolCount: 0, confidence: confidence,
            tuningCents: 0, speed: 1, format: format, repeats: repeats)
    }

    /// What is believed of a second detection a step after a first one.
    private static func isBelieved(_ second: DetectedChirp, after first: DetectedChirp) -> Bool {
        var arbiter = FormatArbiter()
        #expect(arbiter.believed([first]) == [first])
        arbiter.endStep(atSeconds: 3)
        return arbiter.believed([second]) == [second]
    }

    @Test(arguments: [(0.6, false), (0.98, false), (0.9985, false), (0.9991, true), (1, true)])
    func `beside a certain chirp of another format only a certain one is believed`(confidence: Double, isBelieved: Bool)
        throws
    {
        let fast = try Self.detection(.fast, start: 1, confidence: 0.99999)
        let original = try Self.detection(.original, start: 0.5, confidence: confidence)
        #expect(Self.isBelieved(original, after: fast) == isBelieved)
        let telephone = try Self.detection(.telephone, start: 0.5, confidence: confidence)
        #expect(Self.isBelieved(telephone, after: fast) == isBelieved)
    }

    @Test
    func `an unsure chirp is believed beside its own format, other pitches, a hardly surer one, and at another time`()
        throws
    {
        let unsure = try Self.detection(.original, start: 0.5, confidence: 0.7)
        #expect(Self.isBelieved(unsure, after: try Self.detection(.original, start: 0.5, confidence: 1)))
        #expect(Self.isBelieved(unsure, after: try Self.detection(.ultrasonic, start: 0.5, confidence: 1)))
        #expect(Self.isBelieved(unsure, after: try Self.detection(.fast, start: 0.5, confidence: 0.96)))
        #expect(Self.isBelieved(unsure, after: try Self.detection(.fast, start: 2.1, confidence: 1)))
        #expect(!Self.isBelieved(unsure, after: try Self.detection(.fast, start: 2.0, confidence: 1)))
        let sum = try Self.detection(.original, start: 0.5, confidence: 0.7, repeats: 3)
        #expect(Self.isBelieved(sum, after: try Self.detection(.fast, start: 0.5, confidence: 1)))
    }

    @Test func `within a step nothing is held against another, as it may have been reported already`() throws {
        var arbiter = FormatArbiter()
        let fast = try Self.detection(.fast, start: 1, confidence: 1)
        let original = try Self.detection(.original, start: 0.5, confidence: 0.7)
        #expect(arbiter.believed([fast]) == [fast])
        #expect(arbiter.believed([original]) == [original])
        arbiter.endStep(atSeconds: 3)
        #expect(arbiter.believed([original]) == [])
        arbiter.endStep(atSeconds: 60)
        #expect(arbiter.believed([original]) == [original])
    }

    /// Noise with a fast chirp in it.
    private static func noisyFastChirp(seed: UInt64) throws -> (word: Codeword, samples: [Float]) {
        var random = SplitMix64(seed: seed)
        let word = Shortcode.random(using: &random).codeword
        let sound = try NoisyChirp(
            word, format: .fast, decibels: Double.random(in: -19 ... -14, using: &random),
            start: Int.random(in: 20_000...60_000, using: &random), tail: 44_100, using: &random)
        return (word, sound.samples)
    }

    @Test(arguments: [202, 1149, 2681, 6227] as [UInt64])
    func
        `a code that the original's receiver makes of a fast chirp is not reported beside it, however the samples are cut`(
            seed: UInt64
        ) throws
    {
        let (word, samples) = try Self.noisyFastChirp(seed: seed)
        var alone = try Receiver(sampleRateHertz: 44_100)
        let wrong = alone.process(samples) + alone.finish()
        #expect(!wrong.isEmpty, "the seed shows nothing")
        for length in [samples.count, 8_192, 441, 97] {
            var receiver = try MultiFormatReceiver(sampleRateHertz: 44_100, formats: [.original, .fast])
            let heard = stride(from: 0, to: samples.count, by: length).flatMap {
                receiver.process(samples[$0..<min($0 + length, samples.count)])
            }
            #expect((heard + receiver.finish()).map(\.codeword) == [word], "blocks of \(length)")
        }
    }

    @Test(arguments: WireFormat.all)
    func `a frame is under way for its own format's receiver from a few symbols after its preamble`(format: WireFormat)
        throws
    {
        var seen = 0
        for seed in 1...20 as ClosedRange<UInt64> {
            var random = SplitMix64(seed: seed)
            let word = Shortcode.random(using: &random).codeword
            let start = Int.random(in: 60_000...70_000, using: &random)
            let startSeconds = Double(start) / 44_100
            let samples = try NoisyChirp(word, format: format, decibels: -10, start: start, tail: 0, using: &random)
                .samples
            for other in WireFormat.all {
                var receiver = try Receiver(sampleRateHertz: 44_100, format: other)
                _ = receiver.process(samples[..<start])
                let isUnderwayBefore = receiver.isFrameUnderway(beginningWithin: 0...startSeconds)
                #expect(!isUnderwayBefore, "\(other.name), seed \(seed), before")
                _ = receiver.process(samples[start..<start + Int(0.7 * format.frameSeconds * 44_100)])
                let isUnderway = receiver.isFrameUnderway(
                    beginningWithin: startSeconds - 0.2...startSeconds + 0.2)
                #expect(other == format || !isUnderway, "\(other.name), seed \(seed)")
                seen += isUnderway ? 1 : 0
            }
        }
        // Not all: a second start tone that is the first data tone as well is held beyond its symbol.
        #expect(seen >= 15, "\(seen) of 20")
    }

    /// Noise with a telephone chirp in it, of which the receiver of the original makes a code before the chirp has ended.
    @Test(arguments: [649, 1215, 1307, 1957, 2222] as [UInt64])
    func `an unsure code is not reported while another format's frame is under way, however the samples are cut`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let word = Shortcode.random(using: &random).codeword
        let samples = try NoisyChirp(
            word, format: .telephone, decibels: Double.random(in: -18 ... -6, using: &random),
            start: Int.random(in: 20_000...60_000, using: &random), tail: 44_100, using: &random
        ).samples
        var alone = try Receiver(sampleRateHertz: 44_100)
        let wrong = alone.process(samples) + alone.finish()
        #expect(!wrong.isEmpty, "the seed shows nothing")
        for length in [samples.count, 8_192, 441, 97] {
            var receiver = try MultiFormatReceiver(sampleRateHertz: 44_100, formats: [.original, .telephone])
            let heard = stride(from: 0, to: samples.count, by: length).flatMap {
                receiver.process(samples[$0..<min($0 + length, samples.count)])
            }
            #expect((heard + receiver.finish()).map(\.codeword) == [word], "blocks of \(length)")
        }
    }

    @Test func `only what overlaps an unsure chirp in time and pitch is its rival`() throws {
        let unsure = try Self.detection(.original, start: 10, confidence: 0.7)
        let starts = try #require(FormatArbiter.startsOfRivals(of: unsure, in: .telephone))
        #expect(starts.lowerBound > 10 - WireFormat.telephone.frameSeconds && starts.lowerBound < 10)
        #expect(starts.upperBound < 10 + unsure.durationSeconds && starts.upperBound > 10)
        #expect(FormatArbiter.startsOfRivals(of: unsure, in: .original) == nil)
        #expect(FormatArbiter.startsOfRivals(of: unsure, in: .ultrasonic) == nil)
        let certain = try Self.detection(.original, start: 10, confidence: 0.9995)
        #expect(FormatArbiter.startsOfRivals(of: certain, in: .telephone) == nil)
        let sum = try Self.detection(.original, start: 10, confidence: 0.7, repeats: 2)
        #expect(FormatArbiter.startsOfRivals(of: sum, in: .telephone) == nil)
    }

    @Test(arguments: [-1.2, -0.5, 0, 0.6, 1.3])
    func `chirps of two formats at once are both reported, however the samples are cut`(delaySeconds: Double) throws {
        let delay = Int(delaySeconds * 44_100)
        var random = SplitMix64(seed: 5)
        let words = [Shortcode.random(using: &random).codeword, Shortcode.random(using: &random).codeword]
        var sound = try NoisyChirp(words[0], decibels: 0, start: 66_150, tail: 66_150, using: &random).samples
        let fast = try Synthesiser(sampleRateHertz: 44_100, format: .fast).samples(of: words[1])
        for (index, sample) in fast.enumerated() { sound[66_150 + delay + index] += sample }
        for length in [sound.count, 441] {
            var receiver = try MultiFormatReceiver(sampleRateHertz: 44_100, formats: [.original, .fast])
            let heard = stride(from: 0, to: sound.count, by: length).flatMap {
                receiver.process(sound[$0..<min($0 + length, sound.count)])
            }
            #expect(Set((heard + receiver.finish()).map(\.codeword)) == Set(words), "blocks of \(length)")
        }
    }
}
