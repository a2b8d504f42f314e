import RealModule
import Testing

@testable import Chirp

/// What is left when the tones of a frame are taken out.
@Suite struct ChirpCancellerTests {
    /// At these rates the blocks that are fitted have every length modulo eight.
    @Test(arguments: [24_000.0, 32_000, 44_100, 48_000, 96_000], [0.98, 1, 1.01])
    func `of a chirp in noise the noise is left`(rate: Double, speed: Double) throws {
        var random = SplitMix64(seed: 5)
        let codeword = Shortcode.random(using: &random).codeword
        let start = Int(0.5 * rate)
        let sound = try NoisyChirp(
            codeword, decibels: 20, sampleRateHertz: rate, speed: speed, start: start, tail: start, using: &random)
        var ring = SampleRing(sound.samples)
        let format = WireFormat.original
        let pitches = format.frame(of: codeword).map { format.pitchHertz(of: $0) * speed }
        let canceller = ChirpCanceller(format: format, sampleRateHertz: rate)
        let timing = FrameTiming(startSample: Double(start), periodRatio: 1 / speed)
        let rest = canceller.cancel(&ring, timing: timing, pitchesHertz: pitches)
        var left = [Float](repeating: 0, count: sound.samples.count)
        var target = left.mutableSpan
        ring.copy(0..<sound.samples.count, to: &target, at: 0)
        for outside in [0..<start, sound.end + 1..<left.count] { #expect(left[outside] == sound.samples[outside]) }
        let noise = Self.power(sound.samples[..<start])
        // Of fades in and out and of edges something stays.
        #expect(abs(rest / noise - 1) < 0.1, "\(rest / noise)")
        #expect(Self.power(left[start..<sound.end]) < 2 * noise)
        #expect(Self.power(sound.samples[start..<sound.end]) > 80 * noise)
    }

    /// What is fitted does not depend on how many samples a block has beyond a multiple of eight.
    @Test func `a tone of any phase is taken out of blocks of any length`() {
        for rate in stride(from: 44_000.0, to: 44_800, by: 50) {
            let pitch = 3_000.0
            let samples = (0..<Int(2 * rate)).map { Float(Double.sin(2 * Double.pi * pitch * Double($0) / rate + 1)) }
            var ring = SampleRing(samples)
            let canceller = ChirpCanceller(format: .original, sampleRateHertz: rate)
            let rest = canceller.cancel(
                &ring, timing: FrameTiming(startSample: 1_000), pitchesHertz: [Double](repeating: pitch, count: 20))
            #expect(rest < 1e-6, "\(rate)")
        }
    }

    private static func power(_ samples: ArraySlice<Float>) -> Double {
        samples.reduce(0) { $0 + Double($1) * Double($1) } / Double(samples.count)
    }
}
