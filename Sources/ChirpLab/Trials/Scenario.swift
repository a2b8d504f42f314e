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
    /// How many channels the recording has: each has its own noise, and hears the chirps up to 30 ms late.
    public var channelCount = 1
    /// As many microphones as channels, which hear each chirp; nil where all channels hear the same.
    public var microphones: MicrophoneArray?
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
        /// When its last tone ends, echoes apart: of each copy.
        public let endsSeconds: [Double]
        /// When its last tone ends, or that of the last copy.
        public var endSeconds: Double { endsSeconds.last ?? startSeconds }
    }

    /// Whether copies of a chirp, or channels that heard it, are there to be combined.
    public var combines: Bool { channelCount > 1 || transmission.isRepeated }

    /// The sound of trial `index` and what is in it: random codes at random moments, the same for the same seed. Of several channels, the
    /// first.
    public func makeSound(ofTrial index: Int, seed: UInt64) throws -> (sound: Sound, sent: [Sent]) {
        let (channels, sent) = try makeSounds(ofTrial: index, seed: seed)
        return (channels[0], sent)
    }

    /// The sounds of all channels of trial `index`, and what is in them.
    public func makeSounds(ofTrial index: Int, seed: UInt64) throws -> (channels: [Sound], sent: [Sent]) {
        var random = RandomSource(seed: seed, name: name, index: index)
        let rate = Self.sampleRateHertz
        let schedule = transmission.schedule(using: &random)
        var delays = [Double](repeating: 0, count: channelCount)
        if channelCount > 1, microphones == nil {
            delays = (0..<channelCount).map { _ in .random(in: Self.channelDelaySeconds, using: &random) }
        }
        let silence = [Float](repeating: 0, count: Int(schedule.lengthSeconds * rate))
        var mixtures = delays.map { _ in silence }
        var sent: [Sent] = []
        var power = 0.0
        var span: Range<Int>?
        var copied: (shortcode: Shortcode, samples: [Float])?
        for (start, decibels) in schedule.starts {
            let (shortcode, samples) = copied ?? transmission.makeChirp(sampleRateHertz: rate, using: &random)
            if transmission.isRepeated { copied = (shortcode, samples) }
            var chirp = Sound(
                samples: samples, sampleRateHertz: rate, chirpPower: meanSquare(samples[...]),
                chirpSpan: samples.indices)
            for channel in propagation { try channel.pass(&chirp, using: &random) }
            let received =
                microphones?.hear(chirp.samples, using: &random) ?? delays.map { (chirp.samples, $0) }
            precondition(received.count == channelCount, "each channel has a microphone")
            chirp.samples = received[0].samples
            let heard = chirp.chirpSpan.clamped(to: chirp.samples.indices)
            // The strongest chirp is the one that ratios refer to.
            power = max(power, meanSquare(chirp.samples[heard]) * .powerRatio(decibels: decibels))
            let gain = Float(Double.amplitudeRatio(decibels: decibels))
            for (channel, own) in received.enumerated() {
                Self.placement.add(
                    own.samples, gain: gain, at: (start + own.delaySeconds) * rate, to: &mixtures[channel])
            }
            let first = Int(start * rate)
            let occupied = (first..<first + heard.count).clamped(to: silence.indices)
            span =
                span.map { min($0.lowerBound, occupied.lowerBound)..<max($0.upperBound, occupied.upperBound) }
                ?? occupied
            let end = start + (delays.max() ?? 0) + Double(heard.upperBound) / rate
            if copied != nil, let before = sent.popLast() {
                sent.append(
                    Sent(
                        shortcode: shortcode, startSeconds: before.startSeconds, endsSeconds: before.endsSeconds + [end]
                    ))
            } else {
                sent.append(Sent(shortcode: shortcode, startSeconds: start, endsSeconds: [end]))
            }
        }
        let sounds = try mixtures.map { mixture in
            var sound = Sound(
                samples: mixture, sampleRateHertz: rate, chirpPower: power, chirpSpan: span ?? mixture.indices)
            for channel in disturbances + capture { try channel.pass(&sound, using: &random) }
            return sound
        }
        return (sounds, sent)
    }

    /// How late a channel may hear a chirp: ten metres of sound in air.
    private static let channelDelaySeconds = 0.0...0.03
    private static let placement = Interpolation(half: 16)
}
