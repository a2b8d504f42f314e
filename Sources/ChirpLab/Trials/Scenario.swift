public import Chirp

/// A row of an experiment: what is sent, and what happens to it until a receiver gets it.
public struct Scenario: Sendable {
    /// Unique within an experiment; trials draw their random numbers from it, so that a row gives the same result
    /// whatever else runs.
    public let name: String
    public var transmission: Transmission
    /// What each chirp passes on its own: rooms, filters.
    public var propagation: [any Channel]
    /// What is added: noise, hum, other sounds.
    public var disturbances: [any Channel]
    /// What the recording goes through: clipping, quantisation, resampling, codecs.
    public var capture: [any Channel]
    /// Share of chirps that ought to be recovered; nil when there is no such claim.
    public var target: Double?
    /// The ratio that makes the difference between the rows of a sweep, in decibels.
    public var snrDecibels: Double?

    /// The rate at which everything before `capture` happens.
    public static let sampleRateHertz = 44_100.0

    public init(
        _ name: String, transmission: Transmission = Transmission(), propagation: [any Channel] = [],
        disturbances: [any Channel] = [], capture: [any Channel] = [], target: Double? = nil
    ) {
        self.name = name
        self.transmission = transmission
        self.propagation = propagation
        self.disturbances = disturbances
        self.capture = capture
        self.target = target
    }

    /// The rate at which the receiver gets the sound.
    public var deliveredSampleRateHertz: Double {
        capture.compactMap { ($0 as? Resampling)?.sampleRateHertz }.last ?? Self.sampleRateHertz
    }

    /// A chirp that was sent.
    public struct Sent: Sendable {
        public let shortcode: Shortcode
        public let startSeconds: Double
        /// When its last tone ends, echoes apart.
        public let endSeconds: Double
    }

    /// The sound of trial `index` and what is in it: random codes at random moments, the same for the same seed.
    public func makeSound(ofTrial index: Int, seed: UInt64) throws -> (sound: Sound, sent: [Sent]) {
        var random = RandomSource(seed: seed, name: name, index: index)
        let rate = Self.sampleRateHertz
        let schedule = transmission.schedule(using: &random)
        var mixture = [Float](repeating: 0, count: Int(schedule.lengthSeconds * rate))
        var sent: [Sent] = []
        var power = 0.0
        var span: Range<Int>?
        for (start, decibels) in schedule.starts {
            let (shortcode, samples) = transmission.makeChirp(sampleRateHertz: rate, using: &random)
            var chirp = Sound(
                samples: samples, sampleRateHertz: rate, chirpPower: meanSquare(samples[...]),
                chirpSpan: samples.indices)
            for channel in propagation { try channel.pass(&chirp, using: &random) }
            let heard = chirp.chirpSpan.clamped(to: chirp.samples.indices)
            // The strongest chirp is the one that ratios refer to.
            power = max(power, meanSquare(chirp.samples[heard]) * .powerRatio(decibels: decibels))
            Self.placement.add(
                chirp.samples, gain: Float(Double.amplitudeRatio(decibels: decibels)), at: start * rate, to: &mixture)
            let first = Int(start * rate)
            let occupied = (first..<first + heard.count).clamped(to: mixture.indices)
            span =
                span.map { min($0.lowerBound, occupied.lowerBound)..<max($0.upperBound, occupied.upperBound) }
                ?? occupied
            let end = start + Double(heard.upperBound) / rate
            sent.append(Sent(shortcode: shortcode, startSeconds: start, endSeconds: end))
        }
        var sound = Sound(
            samples: mixture, sampleRateHertz: rate, chirpPower: power, chirpSpan: span ?? mixture.indices)
        for channel in disturbances + capture { try channel.pass(&sound, using: &random) }
        return (sound, sent)
    }

    private static let placement = Interpolation(half: 16)
}
