import RealModule
import Testing

@testable import Chirp

/// The energies that are read off sums over short blocks, against those of whole symbols' spectra.
@Suite struct SubsymbolCorrelatorTests {
    @Test(arguments: [24_000.0, 44_100, 48_000], [0.985, 1, 1.02])
    func `energies at any timing are those of the symbols' spectra`(rate: Double, ratio: Double) throws {
        var random = SplitMix64(seed: 8)
        let sound = try NoisyChirp(
            Shortcode.random(using: &random).codeword, decibels: 0, sampleRateHertz: rate, start: Int(2 * rate),
            tail: Int(3 * rate), using: &random)
        let ring = SampleRing(sound.samples)
        var decoder = FrameDecoder(format: .original, sampleRateHertz: rate)
        let around = FrameTiming(startSample: 2 * rate)
        decoder.correlate(ring, around: around, pitchesHertz: decoder.pitches(cents: 0))
        for offset in [-1.3, -0.4, 0, 0.013, 0.7] {
            let timing = FrameTiming(
                startSample: 2 * rate + offset * decoder.symbolSamples, periodRatio: ratio)
            let direct = decoder.observe(ring, timing).energies
            let read = decoder.correlator.energies(at: timing)
            // Where a tone is, and not noise or what leaks, within a seventh.
            let strongest = direct.max() ?? 0
            for (one, other) in zip(direct, read) where one > 0.1 * strongest {
                #expect(abs(one - other) < 0.15 * one, "\(offset)")
            }
        }
    }
}
