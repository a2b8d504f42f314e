internal import RealModule

/// Recordings mixed in from a random place of a random one; the ratio is the chirp's power over the recording's in the
/// whole band, measured where the chirps sound.
public struct RecordedNoise: Channel {
    /// Mono recordings at the sample rate of the sound that they are mixed with.
    public let recordings: [[Float]]
    public let snrDecibels: Double

    /// - Parameter recordings: at least one, not all of them silent throughout. One that is shorter than the sound is
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
            let power = Self.power(of: recording, from: start, sound)
            guard power > 1e-3 * meanSquare(recording[...]) || attempt == Self.attempts, power > 0 else { continue }
            return add(recording, from: start, power: power, to: &sound)
        }
        // Hardly anything but pauses: the loudest place there is.
        let places = recordings.flatMap { recording in
            stride(from: 0, to: recording.count, by: max(1, sound.chirpSpan.count / 2)).map {
                (recording: recording, start: $0, power: Self.power(of: recording, from: $0, sound))
            }
        }
        guard let loudest = places.max(by: { $0.power < $1.power }), loudest.power > 0 else {
            preconditionFailure("a recording that is not silent sounds somewhere")
        }
        add(loudest.recording, from: loudest.start, power: loudest.power, to: &sound)
    }

    /// Mean square of a recording where the chirps sound, if it begins at a sample.
    private static func power(of recording: [Float], from start: Int, _ sound: borrowing Sound) -> Double {
        var energy = 0.0
        for i in sound.chirpSpan {
            let sample = Double(recording[(start + i) % recording.count])
            energy += sample * sample
        }
        return energy / Double(max(sound.chirpSpan.count, 1))
    }

    private func add(_ recording: [Float], from start: Int, power: Double, to sound: inout Sound) {
        let gain = Float((sound.chirpPower / .powerRatio(decibels: snrDecibels) / power).squareRoot())
        for i in sound.samples.indices { sound.samples[i] += gain * recording[(start + i) % recording.count] }
    }
}
