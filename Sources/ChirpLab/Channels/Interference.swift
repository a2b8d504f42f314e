internal import RealModule

/// A constant added to every sample.
public struct DirectOffset: Channel {
    public let offset: Float
    public init(_ offset: Float) { self.offset = offset }

    public func pass(_ sound: inout Sound, using random: inout RandomSource) {
        for i in sound.samples.indices { sound.samples[i] += offset }
    }
}

/// Mains hum: 50 Hz and its harmonics, each 6 dB below the one before, together so far above the chirp.
public struct MainsHum: Channel {
    public let aboveChirpDecibels: Double
    private static let harmonics = 1...10

    public init(aboveChirpDecibels: Double) { self.aboveChirpDecibels = aboveChirpDecibels }

    public func pass(_ sound: inout Sound, using random: inout RandomSource) {
        let weights = Self.harmonics.map { Double.pow(0.5, $0 - 1) }
        let power = weights.reduce(0) { $0 + $1 * $1 / 2 }
        let gain = (sound.chirpPower * .powerRatio(decibels: aboveChirpDecibels) / power).squareRoot()
        for (harmonic, weight) in zip(Self.harmonics, weights) {
            addTone(
                to: &sound, pitchHertz: 50 * Double(harmonic), amplitude: gain * weight,
                phase: .random(in: 0..<2 * .pi, using: &random))
        }
    }
}

/// A steady whistle throughout, exactly on one of the pitches given, so far above the chirp.
public struct Whistle: Channel {
    public let pitchesHertz: [Double]
    public let aboveChirpDecibels: Double

    /// - Parameter pitchesHertz: at least one; each time one of them is drawn.
    public init(pitchesHertz: [Double], aboveChirpDecibels: Double) {
        precondition(!pitchesHertz.isEmpty, "a whistle has a pitch")
        self.pitchesHertz = pitchesHertz
        self.aboveChirpDecibels = aboveChirpDecibels
    }

    public func pass(_ sound: inout Sound, using random: inout RandomSource) {
        let power = sound.chirpPower * .powerRatio(decibels: aboveChirpDecibels)
        let pitch = pitchesHertz[Int.random(in: pitchesHertz.indices, using: &random)]
        addTone(
            to: &sound, pitchHertz: pitch, amplitude: (2 * power).squareRoot(),
            phase: .random(in: 0..<2 * .pi, using: &random))
    }
}

private func addTone(to sound: inout Sound, pitchHertz: Double, amplitude: Double, phase: Double) {
    // A rotating phasor in double precision: its error after ten minutes is below 1e-9.
    let step = 2 * Double.pi * pitchHertz / sound.sampleRateHertz
    let (c, s) = (Double.cos(step), Double.sin(step))
    var (re, im) = (amplitude * Double.cos(phase), amplitude * Double.sin(phase))
    for i in sound.samples.indices {
        sound.samples[i] += Float(im)
        (re, im) = (re * c - im * s, re * s + im * c)
    }
}
