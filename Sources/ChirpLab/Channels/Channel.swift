internal import RealModule

/// Sound on its way from the sender to the receiver.
public struct Sound: Sendable {
    /// Mono samples; ±1 is full scale.
    public var samples: [Float]
    public var sampleRateHertz: Double
    /// Mean square of the chirps where they sound, before any noise: what every ratio in decibels refers to.
    public var chirpPower: Double
    /// The samples in which chirps sound.
    public var chirpSpan: Range<Int>

    public init(samples: [Float], sampleRateHertz: Double, chirpPower: Double, chirpSpan: Range<Int>) {
        self.samples = samples
        self.sampleRateHertz = sampleRateHertz
        self.chirpPower = chirpPower
        self.chirpSpan = chirpSpan
    }
}

/// One thing that happens to sound on its way; channels are combined by passing through one after another.
public protocol Channel: Sendable {
    /// Changes the sound. Whatever is random is drawn from `random` alone.
    ///
    /// - Throws: what a program that does the work has to say when it fails; channels that compute do not throw.
    func pass(_ sound: inout Sound, using random: inout RandomSource) throws
}

extension Double {
    /// The power ratio of so many decibels.
    static func powerRatio(decibels: Double) -> Double { .exp10(decibels / 10) }
    /// The amplitude ratio of so many decibels.
    static func amplitudeRatio(decibels: Double) -> Double { .exp10(decibels / 20) }
}

/// Mean square of samples, 0 for none.
func meanSquare(_ samples: ArraySlice<Float>) -> Double {
    guard !samples.isEmpty else { return 0 }
    return samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(samples.count)
}
