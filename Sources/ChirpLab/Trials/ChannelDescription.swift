internal import Chirp

/// A channel put together from parts, each of which may be absent: what a person asks for on the command line.
public struct ChannelDescription: Sendable, Equatable {
    /// Where a sender's sound goes before anything is added.
    public enum Space: Sendable, Equatable {
        case free
        /// A simulated room: seconds of reverberation, metres from source to microphone.
        case room(reverberationSeconds: Double, metres: Double)
        /// A measured impulse response at 44.1 kHz.
        case impulseResponse([Float])
    }

    /// Bands that the recording is limited to.
    public enum Band: Sendable, Hashable {
        case lowPass(hertz: Double)
        /// 300–3,400 Hz.
        case telephone
    }

    /// One of ``senderNames``.
    public var senderName = "own"
    public var speedPercent = 0.0
    public var pitchCents = 0.0
    public var silencedSymbols = 0
    public var wrongSymbols = 0
    public var cutSymbols = 0
    /// Start of a second chirp after the first, in seconds; nil for a single one.
    public var overlapSeconds: Double?
    public var overlapWeakerDecibels = 0.0
    /// How often the chirp is sent, 1.8 to 15 s from start to start.
    public var repeats = 1
    /// How many channels hear it, each with its own noise.
    public var channelCount = 1
    public var space = Space.free
    /// Recordings instead of white noise.
    public var noise: [[Float]] = []
    public var humDecibels: Double?
    public var whistleDecibels: Double?
    public var offset: Double?
    public var band: Band?
    public var clippingCeiling: Double?
    public var levelDecibels: Double?
    public var bits: Int?
    public var codec: Codec.Kind?
    public var sampleRateHertz: Double?

    public init() {}

    public static let senderNames = ["own"] + SenderModel.programs.map(\.name)

    /// The scenarios of a sweep, which share what takes long to make.
    ///
    /// - Parameters:
    ///   - snrs: the chirp's power over the noise's in the whole band, in decibels, one scenario each.
    ///   - seed: what the room's places are drawn from.
    public func scenarios(snrDecibels snrs: [Double], seed: UInt64) -> [Scenario] {
        let (label, transmission, propagation) = (label, transmission, propagation(seed: seed))
        let (additions, capture) = (additions, capture)
        return snrs.map { snr in
            let hiss: any Channel =
                noise.isEmpty
                ? WhiteNoise(snrDecibels: snr) : RecordedNoise(recordings: noise, snrDecibels: snr)
            var scenario = Scenario(
                label + snr.formattedShortly, transmission: transmission, propagation: propagation,
                disturbances: [hiss] + additions, capture: capture)
            scenario.snrDecibels = snr
            scenario.channelCount = channelCount
            return scenario
        }
    }

    /// What is not as usual, for the names of rows: also what a row's random numbers are drawn from.
    var label: String {
        var parts: [String] = []
        func note(_ part: String?) { if let part { parts.append(part) } }
        note(senderName == "own" ? nil : senderName)
        note(speedPercent == 0 ? nil : "speed\(speedPercent)%")
        note(pitchCents == 0 ? nil : "pitch\(pitchCents)")
        note(silencedSymbols == 0 ? nil : "silenced\(silencedSymbols)")
        note(wrongSymbols == 0 ? nil : "wrong\(wrongSymbols)")
        note(cutSymbols == 0 ? nil : "cut\(cutSymbols)")
        note(overlapSeconds.map { "overlap\($0)s\(overlapWeakerDecibels.formattedShortly)" })
        note(repeats == 1 ? nil : "repeats\(repeats)")
        note(channelCount == 1 ? nil : "channels\(channelCount)")
        switch space {
        case .free: break
        case .room(let seconds, let metres): note("room\(seconds.formattedShortly)s\(metres.formattedShortly)m")
        case .impulseResponse: note("response")
        }
        note(humDecibels.map { "hum\($0)" })
        note(whistleDecibels.map { "whistle\($0)" })
        note(offset.map { "offset\($0)" })
        note(band.map { if case .lowPass(let hertz) = $0 { "lowpass\(hertz)" } else { "telephone" } })
        note(clippingCeiling.map { "clip\($0)" })
        note(levelDecibels.map { "level\($0)" })
        note(bits.map { "bits\($0)" })
        note(codec?.rawValue)
        note(sampleRateHertz.map { "\(Int($0))Hz" })
        note(noise.isEmpty ? "white" : "noise")
        return parts.joined(separator: "+")
    }

    private var transmission: Transmission {
        let speed = 1 + speedPercent / 100
        let model = SenderModel.programs.first { $0.name == senderName }
        let sender =
            model.map {
                Sender.model($0, speed: speed...speed, toneErrorCents: pitchCents...pitchCents)
            } ?? .played(speed: speed...speed, tuningCents: pitchCents...pitchCents)
        let arrangement: Transmission.Arrangement =
            if let overlapSeconds {
                .overlapping(seconds: overlapSeconds...overlapSeconds, weakerDecibels: overlapWeakerDecibels)
            } else if repeats > 1 {
                .repeated(count: repeats, spacingSeconds: Transmission.repeatSpacingSeconds)
            } else if cutSymbols > 0 {
                .cut(symbols: cutSymbols)
            } else {
                .single
            }
        return Transmission(
            arrangement, sender: sender, silencedSymbols: silencedSymbols, wrongSymbols: wrongSymbols)
    }

    private func propagation(seed: UInt64) -> [any Channel] {
        switch space {
        case .free: []
        case .room(let seconds, let metres):
            [StandardScenarios.reverberation(seconds: seconds, metres: metres, seed: seed, name: label)]
        case .impulseResponse(let response):
            [Reverberation(impulseResponses: [response], signalLength: StandardScenarios.longestChirp)]
        }
    }

    private var additions: [any Channel] {
        var channels: [any Channel] = []
        if let humDecibels { channels.append(MainsHum(aboveChirpDecibels: humDecibels)) }
        if let whistleDecibels {
            let pitches = (0..<32).map { WireFormat.original.pitchHertz(of: $0) }
            channels.append(Whistle(pitchesHertz: pitches, aboveChirpDecibels: whistleDecibels))
        }
        if let offset { channels.append(DirectOffset(Float(offset))) }
        return channels
    }

    private var capture: [any Channel] {
        var channels: [any Channel] = []
        let rate = Scenario.sampleRateHertz
        switch band {
        case .lowPass(let hertz): channels.append(Filter(highHertz: hertz, sampleRateHertz: rate))
        case .telephone:
            channels.append(
                Filter(lowHertz: 300, highHertz: 3_400, transitionHertz: 200, sampleRateHertz: rate))
        case nil: break
        }
        if let clippingCeiling { channels.append(HardClipping(ceiling: clippingCeiling)) }
        if let levelDecibels { channels.append(Gain(decibels: levelDecibels)) }
        if let bits { channels.append(Quantisation(bits: bits)) }
        if let codec {
            // Telephones sample at 8 kHz before they encode.
            if Codec.Kind.telephone.contains(codec) { channels.append(Resampling(to: 8_000)) }
            if let codec = Codec(codec) { channels.append(codec) }
        }
        if let sampleRateHertz { channels.append(Resampling(to: sampleRateHertz)) }
        return channels
    }
}
