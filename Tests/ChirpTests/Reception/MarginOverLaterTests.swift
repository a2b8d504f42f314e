import Testing

@testable import Chirp

/// Whether what was read is a part of a chirp that is still to come.
@Suite struct MarginOverLaterTests {
    private static let symbolSamples = WireFormat.original.symbolSeconds * 44_100

    @Test(arguments: [-20.0, -10, 10], [0.988, 1, 1.012])
    func `a part of a chirp is far less likely than the whole`(decibels: Double, speed: Double) throws {
        var random = SplitMix64(seed: UInt64(100 + decibels))
        var decoder = FrameDecoder(format: .original, sampleRateHertz: 44_100)
        let word = Shortcode.random(using: &random).codeword
        let sound = try NoisyChirp(
            word, decibels: decibels, speed: speed, start: 80_000, tail: 50_000, using: &random)
        let recording = SampleRing(sound.samples)
        let middle = Double(sound.start + sound.end) / 2
        let decoded =
            speed == 1
            ? decoder.decodeTuned(recording, start: 80_000, ReceptionContext())
            : decoder.decodeWide(recording, middle: middle, periodRatio: 1, ReceptionContext())
        let whole = try #require(decoded)
        let margin = decoder.marginOverLater(whole, recording)
        #expect(whole.codeword == word)
        #expect(margin > 10)
        for shift in [1, 3, 8] {
            // What was heard a few symbols too early, at nominal tempo and pitch, had it fitted some word as well as chance
            // may let it.
            var part = whole
            let start = Double(sound.start) - Double(shift) * Self.symbolSamples
            part.timing = FrameTiming(startSample: start)
            part.features.codewordEvidence = 5
            let margin = decoder.marginOverLater(part, recording)
            #expect(margin < 0, "\(shift) symbols")
        }
    }
}
