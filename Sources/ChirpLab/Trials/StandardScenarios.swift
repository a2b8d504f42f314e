internal import Chirp
internal import RealModule

/// The channels that the receiver is measured by.
public enum StandardScenarios {
    /// Noise of the rows that are about something else.
    static let quietSNRDecibels = 10.0

    /// Recordings for the rows that need them, mono at 44.1 kHz.
    public struct Recordings: Sendable {
        public var music: [[Float]]
        public var speech: [[Float]]

        public init(music: [[Float]] = [], speech: [[Float]] = []) {
            self.music = music
            self.speech = speech
        }
    }

    /// All rows; those for which there is no recording are left out.
    ///
    /// - Parameter seed: what the rooms are drawn from.
    public static func all(recordings: Recordings, seed: UInt64) -> [Row] {
        white + inARow + recorded(recordings) + rooms(seed: seed) + tunings + senders + codecs + rates + filters
            + levels + damages + crowds(recordings) + sums + microphones(seed: seed) + formats(recordings, seed: seed)
    }

    /// Rows that together show every kind of channel in under a minute.
    public static let overview: Set<String> = [
        "white-23", "white-24", "white-25", "white-26", "white-26.5", "white-27", "music-15", "speech-20",
        "room-0.6s-3m", "room-1s-3m", "speed-random", "pitch-random", "sender-android", "sender-tones-off",
        "rate-16000", "lowpass-8k", "clipping", "hum+20", "whistle+10", "silenced-6", "wrong-4", "cut-2",
        "overlap-6dB",
    ]

    /// A scenario that is made when it is wanted: impulse responses and tables take time.
    public struct Row: Sendable {
        public let name: String
        public let make: @Sendable () -> Scenario

        init(_ name: String, target: Double?, _ make: @escaping @Sendable (String) -> Scenario) {
            self.name = name
            self.make = {
                var scenario = make(name)
                scenario.target = target
                return scenario
            }
        }
    }

    private static func quiet(
        _ name: String, _ transmission: Transmission = Transmission(), propagation: [any Channel] = [],
        capture: [any Channel] = []
    ) -> Scenario {
        Scenario(
            name, transmission: transmission, propagation: propagation,
            disturbances: [WhiteNoise(snrDecibels: quietSNRDecibels)], capture: capture)
    }

    private static func inWhiteNoise(
        _ name: String, _ transmission: Transmission = Transmission(), snrDecibels: Double
    ) -> Scenario {
        var scenario = Scenario(
            name, transmission: transmission, disturbances: [WhiteNoise(snrDecibels: snrDecibels)])
        scenario.snrDecibels = snrDecibels
        return scenario
    }

    static let white: [Row] = [
        (-23, 0.99), (-24, 0.97), (-25, 0.90), (-26, 0.60), (-26.5, 0.50), (-27, nil),
    ].map { (snr: Double, target: Double?) in
        Row("white\(snr.formattedShortly)", target: target) {
            inWhiteNoise($0, snrDecibels: snr)
        }
    }

    /// Chirps in a row, one in six seconds, in one recording: what came to nothing must not stand in the way of those after it.
    static let inARow: [Row] = [(-24, 0.97), (-25, 0.90), (-26, 0.60)].map { (snr: Double, target: Double) in
        Row("row\(snr.formattedShortly)", target: target) {
            inWhiteNoise($0, Transmission(.scattered(count: 20, seconds: 120)), snrDecibels: snr)
        }
    }

    /// Copies of a chirp, and channels that heard it, combined where none is enough.
    static var sums: [Row] {
        func row(copies: Int, channels: Int, snr: Double) -> Row {
            let parts = [("copies", copies), ("channels", channels)].filter { $0.1 > 1 }
            return Row(parts.map { "\($0.0)-\($0.1)" }.joined(separator: "-"), target: 0.5) {
                var scenario = Scenario($0, disturbances: [WhiteNoise(snrDecibels: snr)])
                if copies > 1 {
                    scenario.transmission = Transmission(
                        .repeated(count: copies, spacingSeconds: Transmission.repeatSpacingSeconds))
                }
                scenario.channelCount = channels
                return scenario
            }
        }
        let copies = [(2, -28.4), (3, -29.4), (4, -30.2), (8, -31.8)].map { row(copies: $0, channels: 1, snr: $1) }
        let channels = [(2, -28.4), (4, -30.2)].map { row(copies: 1, channels: $0, snr: $1) }
        // As loud as four of either.
        return copies + channels + [row(copies: 2, channels: 2, snr: -30.2)]
    }

    /// One microphone in a room, and two that are 20 cm apart, beside each other.
    static func microphones(seed: UInt64) -> [Row] {
        [(1.0, 3.0), (1.5, 4.0)].flatMap { (seconds: Double, metres: Double) in
            [5.0, 10.0].flatMap { snr in
                [1, 2].map { count in
                    let room = "room-\(seconds.formattedShortly)s-\(metres.formattedShortly)m"
                    return Row("microphones-\(count)-\(room)+\(snr.formattedShortly)", target: nil) {
                        var scenario = Scenario($0, disturbances: [WhiteNoise(snrDecibels: snr)])
                        scenario.channelCount = count
                        scenario.microphones = microphoneArray(
                            seconds: seconds, metres: metres, count: count, seed: seed, name: room)
                        return scenario
                    }
                }
            }
        }
    }

    private static func microphoneArray(
        seconds: Double, metres: Double, count: Int, seed: UInt64, name: String
    ) -> MicrophoneArray {
        let room = Room(reverberationSeconds: seconds)
        let places = (0..<placesPerRoom).map { place in
            var random = RandomSource(seed: seed, name: name, index: -1 - place)
            guard
                let responses = room.randomImpulseResponses(
                    distanceMetres: metres, microphones: count, spacingMetres: 0.2,
                    sampleRateHertz: Scenario.sampleRateHertz, using: &random)
            else { preconditionFailure("the room has space for \(metres) m") }
            return responses
        }
        return MicrophoneArray(places: places, signalLength: longestChirp)
    }

    static func recorded(_ recordings: Recordings) -> [Row] {
        let music: [Row] =
            recordings.music.isEmpty
            ? []
            : [(-10, 1.0), (-15, 0.95), (-20, 0.90)].map { (snr: Double, target: Double) in
                Row("music\(snr.formattedShortly)", target: target) {
                    Scenario($0, disturbances: [RecordedNoise(recordings: recordings.music, snrDecibels: snr)])
                }
            }
        let speech =
            recordings.speech.isEmpty
            ? []
            : [
                Row("speech-20", target: 0.97) {
                    Scenario($0, disturbances: [RecordedNoise(recordings: recordings.speech, snrDecibels: -20)])
                }
            ]
        return music + speech
    }

    static func rooms(seed: UInt64) -> [Row] {
        [(0.6, 3, 0.99), (1.0, 3, 0.95), (1.0, 4.5, 0.90), (1.5, 4, 0.80)].map {
            (seconds: Double, metres: Double, target: Double) in
            let name = "room-\(seconds.formattedShortly)s-\(metres.formattedShortly)m"
            return Row(name, target: target) {
                quiet($0, propagation: [reverberation(seconds: seconds, metres: metres, seed: seed, name: $0)])
            }
        }
    }

    /// Several places in a room of 6.2 × 5.1 × 2.9 m.
    public static func reverberation(seconds: Double, metres: Double, seed: UInt64, name: String) -> Reverberation {
        let room = Room(reverberationSeconds: seconds)
        let responses = (0..<placesPerRoom).map { place in
            var random = RandomSource(seed: seed, name: name, index: -1 - place)
            guard
                let response = room.randomImpulseResponse(
                    distanceMetres: metres, sampleRateHertz: Scenario.sampleRateHertz, using: &random)
            else { preconditionFailure("the room has space for \(metres) m") }
            return response
        }
        return Reverberation(impulseResponses: responses, signalLength: longestChirp)
    }

    /// Samples of a chirp that is played a tenth too slowly.
    static let longestChirp = Int(1.1 * WireFormat.original.frameSeconds * Scenario.sampleRateHertz)

    /// Whether source and microphone can stand so far apart in the simulated room.
    public static func hasSpace(forMetres metres: Double) -> Bool {
        var random = RandomSource(seed: 1)
        return Room(reverberationSeconds: 0.1).randomImpulseResponse(
            distanceMetres: metres, sampleRateHertz: 8_000, using: &random) != nil
    }

    static let placesPerRoom = 12

    static let tunings: [Row] = [
        ("speed-random", -5, 0.975...1.025, 0...0), ("speed-slowest", -5, 0.975...0.975, 0...0),
        ("speed-fastest", -5, 1.025...1.025, 0...0), ("pitch-random", -5, 1...1, -40...40),
        ("pitch-lowest", -5, 1...1, -40 ... -40), ("pitch-highest", -5, 1...1, 40...40),
        ("speed-random-20", -20, 0.975...1.025, 0...0),
    ].map { (name: String, snr: Double, speed: ClosedRange<Double>, cents: ClosedRange<Double>) in
        Row(name, target: snr == -5 ? 0.98 : nil) {
            Scenario(
                $0, transmission: Transmission(sender: .played(speed: speed, tuningCents: cents)),
                disturbances: [WhiteNoise(snrDecibels: snr)])
        }
    }

    static let senders: [Row] = {
        let programs = SenderModel.programs.map { (name: $0.name, sender: Sender.model($0)) }
        let others = [
            (name: "own", sender: Sender.own),
            (name: "speed-off", sender: .model(.browser, speed: 0.975...1.025)),
            (name: "tones-off", sender: .model(.browser, toneErrorCents: -45...45)),
        ]
        let rows = (programs + others).map { name, sender in
            Row("sender-\(name)", target: 1) {
                Scenario(
                    $0, transmission: Transmission(sender: sender), disturbances: [WhiteNoise(snrDecibels: -10)])
            }
        }
        let measured = Row("sender-measured", target: 1) {
            var transmission = Transmission()
            transmission.measured = MeasuredChirp.all
            return quiet($0, transmission)
        }
        return rows + [measured]
    }()

    /// None when ffmpeg is not installed.
    static var codecs: [Row] {
        guard Codec.isAvailable else { return [] }
        return Codec.Kind.music.map { kind in
            Row("codec-\(kind.rawValue)", target: 0.98) { quiet($0, capture: [Codec(kind)].compactMap(\.self)) }
        }
    }

    static let rates: [Row] = [22_050, 32_000, 48_000, 96_000, 192_000, 16_000].map { rate in
        Row("rate-\(Int(rate))", target: rate == 16_000 ? 0.95 : 1) { quiet($0, capture: [Resampling(to: rate)]) }
    }

    static let filters: [Row] = [
        ("lowpass-8k", 0, 8_000, 0.95), ("lowpass-6k", 0, 6_000, 0.40), ("telephone", 300, 3_400, nil),
    ].map { (name: String, low: Double, high: Double, target: Double?) in
        Row(name, target: target) {
            let filter = Filter(
                lowHertz: low, highHertz: high, transitionHertz: low > 0 ? 200 : 500,
                sampleRateHertz: Scenario.sampleRateHertz)
            return quiet($0, capture: [filter])
        }
    }

    static let levels: [Row] = [
        Row("clipping", target: 0.95) { quiet($0, capture: [HardClipping(ceiling: 0.1)]) },
        Row("quiet-16bit", target: 0.95) { quiet($0, capture: [Gain(decibels: -60), Quantisation(bits: 16)]) },
        Row("offset", target: 0.95) {
            var scenario = quiet($0)
            scenario.disturbances.append(DirectOffset(0.5))
            return scenario
        },
        Row("hum+20", target: 0.95) {
            var scenario = quiet($0)
            scenario.disturbances.append(MainsHum(aboveChirpDecibels: 20))
            return scenario
        },
        Row("whistle+10", target: 0.95) {
            var scenario = quiet($0)
            let pitches = (0..<32).map { WireFormat.original.pitchHertz(of: $0) }
            scenario.disturbances.append(Whistle(pitchesHertz: pitches, aboveChirpDecibels: 10))
            return scenario
        },
    ]

    static let damages: [Row] = [
        ("silenced-4", Transmission(silencedSymbols: 4), 1), ("silenced-6", Transmission(silencedSymbols: 6), 0.97),
        ("silenced-8", Transmission(silencedSymbols: 8), 0.60), ("wrong-4", Transmission(wrongSymbols: 4), 1),
        ("cut-1", Transmission(.cut(symbols: 1)), 0.95), ("cut-2", Transmission(.cut(symbols: 2)), 0.80),
        ("cut-4", Transmission(.cut(symbols: 4)), 0.95), ("cut-4-shifted", shiftedWords(.cut(symbols: 4)), 0.95),
    ].map { (name: String, transmission: Transmission, target: Double) in
        Row(name, target: target) { quiet($0, transmission) }
    }

    /// One code in sixteen is another one when it is read a symbol early or late: here all are.
    private static func shiftedWords(_ arrangement: Transmission.Arrangement) -> Transmission {
        var transmission = Transmission(arrangement)
        transmission.hasShiftedWords = true
        return transmission
    }

    static func crowds(_ recordings: Recordings) -> [Row] {
        let overlaps = [("overlap-equal", 0.0), ("overlap-6dB", 6.0)].map { (name: String, weaker: Double) in
            Row(name, target: 0.80) {
                quiet($0, Transmission(.overlapping(seconds: 0.4...1.3, weakerDecibels: weaker)))
            }
        }
        let rows =
            overlaps + [
                Row("back-to-back", target: 1) { quiet($0, Transmission(.backToBack(count: 5))) },
                Row("two-loudspeakers", target: 0.97) {
                    quiet(
                        $0, shiftedWords(.single),
                        propagation: [SecondLoudspeaker(delaySeconds: 0.1...1, gain: 0.6...1)])
                },
            ]
        guard !recordings.music.isEmpty else { return rows }
        // One recording after another, as on the radio.
        let programme = recordings.music.flatMap { $0 }
        return rows + [
            Row("music-30-in-600s", target: 0.97) {
                Scenario(
                    $0, transmission: Transmission(.scattered(count: 30, seconds: 600)),
                    disturbances: [RecordedNoise(recordings: [programme], snrDecibels: -8)])
            }
        ]
    }
}

extension Double {
    /// Without a needless decimal: −23, −26.5.
    var formattedShortly: String { self == rounded() ? String(Int(self)) : String(self) }
}
