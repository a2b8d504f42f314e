import Foundation

@testable import ChirpLab

/// What tests of a channel pass through it, and how they measure what comes out.
extension Sound {
    /// A sound for a chirp of power 0.01 that sounds from the first sample to the last.
    init(_ samples: [Float]) {
        self.init(samples: samples, sampleRateHertz: 44_100, chirpPower: 0.01, chirpSpan: samples.indices)
    }

    /// A second of silence: what a channel adds is all that is heard of it.
    static let silence = Sound([Float](repeating: 0, count: 44_100))

    /// The sound behind a channel.
    func passed(through channel: any Channel, seed: UInt64 = 1) throws -> Sound {
        var (sound, random) = (self, RandomSource(seed: seed))
        try channel.pass(&sound, using: &random)
        return sound
    }

    /// Mean square of all samples over the chirp's power, in decibels.
    var decibelsAboveChirp: Double { 10 * log10(meanSquare(samples[...]) / chirpPower) }

    /// Amplitude of the sine at a frequency, exact when the sound has a whole number of its periods.
    func amplitude(atHertz hertz: Double) -> Double {
        var (re, im) = (0.0, 0.0)
        for (i, sample) in samples.enumerated() {
            let phase = 2 * Double.pi * hertz * Double(i) / sampleRateHertz
            re += Double(sample) * cos(phase)
            im += Double(sample) * sin(phase)
        }
        return 2 * hypot(re, im) / Double(samples.count)
    }
}
