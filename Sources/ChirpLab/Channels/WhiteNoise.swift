internal import RealModule

/// White Gaussian noise; the ratio is the chirp's power over the noise's in the whole band, 0 to half the sample rate.
public struct WhiteNoise: Channel {
    public let snrDecibels: Double
    private let gaussian = Gaussian()

    public init(snrDecibels: Double) { self.snrDecibels = snrDecibels }

    public func pass(_ sound: inout Sound, using random: inout RandomSource) {
        let deviation = (sound.chirpPower / .powerRatio(decibels: snrDecibels)).squareRoot()
        gaussian.add(to: &sound.samples, deviation: Float(deviation), using: &random)
    }
}
