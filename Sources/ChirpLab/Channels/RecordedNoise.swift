internal import RealModule

/// Recordings mixed in from a random place of a random one; the ratio is the chirp's power over the recording's in the
/// whole band, measured where the chirps sound.
public struct RecordedNoise: Channel {
    /// Mono recordings at the sample rate of the sound that they are mixed with.
    public let recordings: [[Float]]
    public let snrDecibels: Double

    /// - Parameter recordings: at least one, none of them silent throughout. One that is shorter than the sound is
    ///   repeated.
    public init(recordings: [[Float]], snrDecibels: Double) {
        precondition(recordings.contains { !$0.isEmpty }, "noise comes from at least one recording")
        self.recordings = recordings.filter { !$0.isEmpty }
        self.snrDecibels = snrDecibels
    }

    /// Tries at a place that is not a pause: a stretch more than 30 dB below the recording's mean is passed over.
    private static let attempts = 50

    public func pass(_ sound: inout Sound, using random: inout RandomSource) {
        // Recordings are chosen by their length, so that every moment of them all is equally likely.
        let total = recordings.reduce(0) { $0 + $1.count }
        for attempt in 1...Self.attempts {
            var offset = Int.random(in: 0..<total, using: &random)
            let recording = recordings.first {
                if offset < $0.count { return true }
                offset -= $0.count
                return false
            }
            guard let recording else { preconditionFailure("an offset lies within the recordings") }
            // Fits without wrapping around whenever the recording is long enough.
            let latest = recording.count - sound.samples.count
            let start = latest > 0 ? offset % (latest + 1) : offset
            var energy = 0.0
            for i in sound.chirpSpan {
                let sample = Double(recording[(start + i) % recording.count])
                energy += sample * sample
            }
            let power = energy / Double(max(sound.chirpSpan.count, 1))
            guard power > 1e-3 * meanSquare(recording[...]) || attempt == Self.attempts, power > 0 else { continue }
            let gain = Float((sound.chirpPower / .powerRatio(decibels: snrDecibels) / power).squareRoot())
            for i in sound.samples.indices { sound.samples[i] += gain * recording[(start + i) % recording.count] }
            return
        }
    }
}
