internal import RealModule

/// Everything beyond a share of the chirp's peak is cut off flat, as by an overdriven microphone input.
public struct HardClipping: Channel {
    /// Where it cuts, as a share of the root of twice the chirp's power (a steady sine's peak).
    public let ceiling: Double
    public init(ceiling: Double) { self.ceiling = ceiling }

    public func pass(_ sound: inout Sound, using random: inout RandomSource) {
        let limit = Float(ceiling * (2 * sound.chirpPower).squareRoot())
        for i in sound.samples.indices { sound.samples[i] = min(max(sound.samples[i], -limit), limit) }
    }
}

/// Amplification, negative for attenuation.
public struct Gain: Channel {
    public let decibels: Double
    public init(decibels: Double) { self.decibels = decibels }

    public func pass(_ sound: inout Sound, using random: inout RandomSource) {
        let gain = Float(Double.amplitudeRatio(decibels: decibels))
        for i in sound.samples.indices { sound.samples[i] *= gain }
        sound.chirpPower *= .powerRatio(decibels: decibels)
    }
}

/// Rounding to whole steps, without dither, of a converter of so many bits; full scale is ±1 and clips.
public struct Quantisation: Channel {
    public let bits: Int
    public init(bits: Int) {
        precondition((1...24).contains(bits), "a converter has 1 to 24 bits")
        self.bits = bits
    }

    public func pass(_ sound: inout Sound, using random: inout RandomSource) {
        let steps = Float(1 << (bits - 1))
        for i in sound.samples.indices {
            sound.samples[i] = min(max((sound.samples[i] * steps).rounded(), -steps), steps - 1) / steps
        }
    }
}
