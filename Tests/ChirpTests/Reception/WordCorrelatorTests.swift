import RealModule
import Testing

@testable import Chirp

/// The energy of a word's tones that is read off sums over short blocks, against that of whole symbols.
@Suite struct WordCorrelatorTests {
    @Test(arguments: [24_000.0, 44_100, 48_000], [0.985, 1, 1.03])
    func `the energy at any timing is that of the word's tones over their symbols`(rate: Double, ratio: Double) throws {
        var random = SplitMix64(seed: 8)
        let word = Shortcode.random(using: &random).codeword
        let sound = try NoisyChirp(
            word, decibels: 0, sampleRateHertz: rate, speed: 1 / ratio, start: Int(rate), tail: Int(3 * rate),
            using: &random)
        let pitches = WireFormat.original.frame(of: word).map { WireFormat.original.pitchHertz(of: $0) / ratio }
        let symbolSamples = WireFormat.original.symbolSeconds * rate
        let start = rate
        let correlator = WordCorrelator(
            SampleRing(sound.samples), pitchesHertz: pitches,
            around: FrameTiming(startSample: start, periodRatio: ratio), symbolSamples: symbolSamples,
            sampleRateHertz: rate)
        for (offset, tempo) in [(0, 0), (-1.2, 0), (0.7, 0.01), (-0.3, -0.03), (1.2, 0.02)] {
            // About the middle of the frame.
            let timing = FrameTiming(
                startSample: start + (offset - 10 * tempo) * symbolSamples, periodRatio: ratio + tempo)
            let direct = pitches.enumerated().reduce(0) { sum, tone in
                guard tone.element < 0.5 * rate else { return sum }
                let middle = timing.startSample + (Double(tone.offset) + 0.5) * symbolSamples * timing.periodRatio
                let first = Int((middle - 0.5 * symbolSamples).rounded())
                return sum
                    + Self.energy(sound.samples[first..<first + Int(symbolSamples)], hertz: tone.element / rate)
            }
            let read = Double(correlator.energy(at: timing))
            #expect(abs(read - direct) < 0.06 * direct, "\(read) is \(direct) at \(offset), \(tempo)")
        }
    }

    /// The energy of some samples at a pitch, in cycles a sample, noise counting with its variance.
    private static func energy(_ samples: ArraySlice<Float>, hertz: Double) -> Double {
        var (real, imaginary) = (0.0, 0.0)
        for (index, value) in samples.enumerated() {
            let angle = 2 * Double.pi * hertz * Double(index)
            real += Double(value) * Double.cos(angle)
            imaginary += Double(value) * Double.sin(angle)
        }
        return (real * real + imaginary * imaginary) / Double(samples.count)
    }

    @Test(arguments: [44_100.0, 48_000])
    func `a clear chirp is placed within a millisecond`(rate: Double) throws {
        var random = SplitMix64(seed: 9)
        for _ in 0..<8 {
            let sound = try NoisyChirp(
                Shortcode.random(using: &random).codeword, decibels: 10, sampleRateHertz: rate,
                start: Int(rate) + Int.random(in: 0..<4_000, using: &random), tail: Int(rate), using: &random)
            var receiver = try Receiver(sampleRateHertz: rate)
            let found = receiver.process(sound.samples) + receiver.finish()
            #expect(found.count == 1)
            for chirp in found { #expect(abs(chirp.startSeconds - Double(sound.start) / rate) < 0.001) }
        }
    }

    @Test(arguments: [8_000.0, 11_025, 44_100, 192_000], WireFormat.all)
    func `what was not heard, and tones that the sound cannot have, count as nothing`(
        rate: Double, format: WireFormat
    ) {
        var random = SplitMix64(seed: 11)
        let word = Shortcode.random(using: &random).codeword
        let ring = SampleRing([Float](repeating: 0.5, count: Int(rate)))
        let pitches = format.frame(of: word).map { format.pitchHertz(of: $0) }
        let symbolSamples = format.symbolSeconds * rate
        for start in [-4 * rate, -1, 0.4, rate - 3, 6 * rate] {
            for ratio in [0.97, 1, 1.03] {
                let timing = FrameTiming(startSample: start, periodRatio: ratio)
                let correlator = WordCorrelator(
                    ring, pitchesHertz: pitches, around: timing, symbolSamples: symbolSamples, sampleRateHertz: rate)
                let energy = correlator.energy(at: timing)
                #expect(energy.isFinite && energy >= 0)
                if abs(start) > 3 * rate { #expect(energy == 0) }
                let far = FrameTiming(startSample: start + 3 * symbolSamples, periodRatio: 2 - ratio)
                #expect(correlator.energy(at: far).isFinite)
            }
        }
    }
}
