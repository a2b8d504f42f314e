import Chirp
import Testing

/// What comes after something loud is measured against what it comes with.
@Suite struct QuieterSoundTests {
    private static let rate = 44_100.0

    /// - Parameters:
    ///   - before: level of the noise for twenty seconds; none where it is 0.
    ///   - after: that of the noise from then on.
    ///   - seconds: how long after the change the chirp begins.
    private static func heard(
        before: Float, after: Float, chirpLevel: Float, afterSeconds seconds: Double, trial: Int
    ) throws -> Bool {
        var random = SplitMix64(seed: UInt64(trial) + 77)
        let code = Shortcode.random(using: &random)
        let chirp = try Synthesiser(sampleRateHertz: rate).samples(of: code.codeword, volume: chirpLevel)
        func noise(_ seconds: Double, _ level: Float) -> [Float] {
            (0..<Int(seconds * rate)).map { _ in level > 0 ? Float.random(in: -level...level, using: &random) : 0 }
        }
        var sound = noise(20, before) + noise(seconds + 4, after)
        let start = Int((20 + seconds) * rate) + 301 * trial
        for (index, sample) in chirp.enumerated() { sound[start + index] += sample }
        var receiver = try Receiver(sampleRateHertz: rate)
        return (receiver.process(sound) + receiver.finish()).map(\.shortcode) == [code]
    }

    /// The chirp is 10 dB above the noise that it comes in.
    @Test(arguments: [(0.05, 0.0001), (0.3, 0.00003), (0.3, 0.003)] as [(Float, Float)])
    func `a chirp is heard a second after something much louder has ended`(before: Float, after: Float) throws {
        for trial in 0..<3 {
            #expect(
                try Self.heard(
                    before: before, after: after, chirpLevel: 2.6 * after, afterSeconds: 1.2, trial: trial))
        }
    }

    @Test(arguments: [1.2, 20]) func `a chirp is heard in the digital silence after loud noise`(seconds: Double) throws
    {
        for trial in 0..<3 {
            #expect(try Self.heard(before: 0.17, after: 0, chirpLevel: 0.003, afterSeconds: seconds, trial: trial))
        }
    }

    @Test func `a faint chirp is heard after a loud one in the same clean recording`() throws {
        let synthesiser = try Synthesiser(sampleRateHertz: Self.rate)
        let (loud, faint) = (try Shortcode(parsing: "gsm2h88c7u"), try Shortcode(parsing: "kingfisher"))
        let silence = [Float](repeating: 0, count: Int(5 * Self.rate))
        let sound =
            silence + synthesiser.samples(of: loud.codeword, volume: 1) + silence
            + synthesiser.samples(of: faint.codeword, volume: 0.003) + silence
        var receiver = try Receiver(sampleRateHertz: Self.rate)
        #expect((receiver.process(sound) + receiver.finish()).map(\.shortcode) == [loud, faint])
    }
}
