internal import ArgumentParser
internal import ChirpLab
internal import Foundation

/// A channel, put together from options that may be combined as one likes.
struct EvaluateChannelOptions: ParsableArguments {
    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Mix with these sound files instead of white noise.", valueName: "file"))
    var noise: [String] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Simulate a room with this reverberation time (RT60; needs --distance).", valueName: "seconds"))
    var rt60: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Distance from loudspeaker to microphone in the room.", valueName: "metres"))
    var distance: Double?

    @Option(help: ArgumentHelp("Convolve with the impulse response in this sound file.", valueName: "file"))
    var impulseResponse: String?

    @Option(help: "Kind of sender: \(ChannelDescription.senderNames.joined(separator: ", ")).")
    var sender = "own"

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Play this much faster, pitch and tempo together.", valueName: "percent"))
    var speed = 0.0

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Shift the pitch by this much.", valueName: "cents"))
    var pitch = 0.0

    @Option(parsing: .unconditional, help: ArgumentHelp("Low-pass filter at this frequency.", valueName: "hertz"))
    var lowPass: Double?

    @Flag(help: "Telephone band, 300 to 3400 Hz.")
    var telephone = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Hard-clip at this fraction of the chirp's peak.", valueName: "fraction"))
    var clip: Double?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Apply this gain to the recording.", valueName: "decibels"))
    var level: Double?

    @Option(parsing: .unconditional, help: ArgumentHelp("Quantise samples to this many bits.", valueName: "n"))
    var bits: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Add this DC offset (full scale is 1).", valueName: "offset"))
    var offset: Double?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Add mains hum this much above the chirp.", valueName: "decibels"))
    var hum: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Add a steady sine on one of the tones, this much stronger than the chirp.", valueName: "decibels"))
    var whistle: Double?

    @Option(parsing: .unconditional, help: ArgumentHelp("Silence this many of the 18 symbols.", valueName: "n"))
    var silenced = 0

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Replace this many of the 18 codeword symbols by wrong ones.", valueName: "n"))
    var wrong = 0

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Start recording after this many of the 20 symbols.", valueName: "n"))
    var cut = 0

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Start a second chirp this long after the first.", valueName: "seconds"))
    var overlap: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Attenuate one of the two overlapping chirps by this much (with --overlap).", valueName: "decibels"))
    var overlapLevel = 0.0

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Send each code this many times, 1.8 to 15 seconds apart. The receiver combines the copies.",
            valueName: "n"))
    var repeats = 1

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Record on this many channels, each with independent noise and up to 30 ms of delay. The receiver combines "
                + "them.", valueName: "n"))
    var channels = 1

    @Option(help: "Encode and decode with this codec: \(Codec.Kind.allCases.map(\.rawValue).joined(separator: ", ")).")
    var codec: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Sample rate of the receiver.", valueName: "hertz"))
    var rate: Double?

    /// Whether any of it was asked for.
    var isGiven: Bool {
        // What the files contain makes no difference to it.
        description { _ in [] } != ChannelDescription()
    }

    func validate() throws {
        func check(_ name: String, _ value: Double?, _ range: ClosedRange<Double>, _ unit: String) throws {
            guard let value, !range.contains(value) else { return }
            let bounds = String(format: "from %g to %g", range.lowerBound, range.upperBound)
            throw ValidationError("--\(name) takes \(unit) \(bounds).")
        }
        try check("rt60", rt60, 0.05...5, "seconds")
        try check("distance", distance, 0.1...20, "metres")
        try check("speed", speed, -20...20, "percent")
        try check("pitch", pitch, -600...600, "cents")
        try check("low-pass", lowPass, 100...22_000, "hertz")
        try check("clip", clip, 0.001...1, "a fraction")
        try check("level", level, -120...60, "decibels")
        try check("bits", bits.map(Double.init), 1...24, "bits")
        try check("offset", offset, -1...1, "a share of full scale")
        try check("hum", hum, -100...100, "decibels")
        try check("whistle", whistle, -100...100, "decibels")
        try check("silenced", Double(silenced), 0...18, "symbols")
        try check("wrong", Double(wrong), 0...18, "symbols")
        try check("cut", Double(cut), 0...19, "symbols")
        try check("overlap", overlap, 0...10, "seconds")
        try check("overlap-level", overlapLevel, 0...60, "decibels")
        try check("repeats", Double(repeats), 1...16, "copies")
        try check("channels", Double(channels), 1...8, "channels")
        try check("rate", rate, 8_000...192_000, "hertz")
        guard silenced + wrong <= 18 else { throw ValidationError("--silenced and --wrong share 18 symbols.") }
        guard (rt60 == nil) == (distance == nil) else { throw ValidationError("--rt60 and --distance go together.") }
        if let distance, !StandardScenarios.hasSpace(forMetres: distance) {
            throw ValidationError(userMessage(for: EvaluateError.noSpace(metres: distance)))
        }
        guard rt60 == nil || impulseResponse == nil else {
            throw ValidationError("--impulse-response takes the place of --rt60.")
        }
        guard lowPass == nil || !telephone else { throw ValidationError("--telephone takes the place of --low-pass.") }
        guard cut == 0 || overlap == nil else {
            throw ValidationError("--cut is for a single chirp, without --overlap.")
        }
        guard repeats == 1 || (cut == 0 && overlap == nil) else {
            throw ValidationError("--repeats sends whole chirps one after the other, without --cut and --overlap.")
        }
        guard ChannelDescription.senderNames.contains(sender) else {
            throw ValidationError("--sender is one of \(ChannelDescription.senderNames.joined(separator: ", ")).")
        }
        guard codec.map({ Codec.Kind(rawValue: $0) != nil }) ?? true else {
            throw ValidationError("--codec is one of \(Codec.Kind.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
    }

    /// The channel, its files read.
    func description() throws -> ChannelDescription {
        let channel = try description(reading: RecordingFiles.sound(path:))
        if channel.codec != nil && !Codec.isAvailable { throw EvaluateError.noFFmpeg }
        return channel
    }

    /// The same, its files read by `read`.
    private func description(reading read: (_ path: String) throws -> [Float]) rethrows -> ChannelDescription {
        var channel = ChannelDescription()
        channel.senderName = sender
        channel.speedPercent = speed
        channel.pitchCents = pitch
        channel.silencedSymbols = silenced
        channel.wrongSymbols = wrong
        channel.cutSymbols = cut
        channel.overlapSeconds = overlap
        if overlap != nil { channel.overlapWeakerDecibels = overlapLevel }
        channel.repeats = repeats
        channel.channelCount = channels
        if let rt60, let distance {
            channel.space = .room(reverberationSeconds: rt60, metres: distance)
        } else if let impulseResponse {
            channel.space = .impulseResponse(try read(impulseResponse))
        }
        channel.noise = try noise.map(read)
        channel.humDecibels = hum
        channel.whistleDecibels = whistle
        channel.offset = offset
        channel.band = lowPass.map { .lowPass(hertz: $0) } ?? (telephone ? .telephone : nil)
        channel.clippingCeiling = clip
        channel.levelDecibels = level
        channel.bits = bits
        channel.codec = codec.flatMap(Codec.Kind.init)
        channel.sampleRateHertz = rate
        return channel
    }
}
