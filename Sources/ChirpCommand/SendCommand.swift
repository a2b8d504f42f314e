internal import ArgumentParser
internal import Chirp
internal import ChirpSound

struct SendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send", abstract: "Play codes as chirps, or write them to a sound file.")

    @Argument(help: "Codes of 10 characters, longcodes of 18, or links that end in one.")
    var codes: [String]

    @Option(
        name: .shortAndLong,
        help: "Write a sound file instead: \(FileExtensions.sounds.alternatives); - is WAV on standard output.")
    var output: String?

    @OptionGroup var choice: DeviceOptions

    @Option(parsing: .unconditional, help: "Peak amplitude, 0 to 1.")
    var volume = 0.8

    @Option(
        name: .customLong("repeat"),
        parsing: .unconditional,
        help: ArgumentHelp("Send the codes this many times.", valueName: "n"))
    var repetitions = 1

    @Option(parsing: .unconditional, help: ArgumentHelp("Silence between chirps.", valueName: "seconds"))
    var gap = 0.5

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Sample rate, 22050 to 192000 Hz (ultrasonic: from 44100, telephone: from 8000). Default: 44100 for a file, the device's rate for playback.",
            valueName: "hertz"))
    var rate: Int?

    @OptionGroup var formats: SentFormatOptions

    @OptionGroup var registry: RegistryOptions

    /// Whether `chirp share` runs it, which notes what is sent itself.
    var isPartOfShare = false

    private enum CodingKeys: CodingKey { case codes, output, choice, volume, repetitions, gap, rate, formats, registry }

    func validate() throws {
        guard (0...1).contains(volume) else { throw ValidationError("--volume takes a number from 0 to 1.") }
        guard (1...100_000).contains(repetitions) else {
            throw ValidationError("--repeat takes a number from 1 to 100000.")
        }
        guard (0...3600).contains(gap) else { throw ValidationError("--gap takes seconds from 0 to 3600.") }
        for format in try formats.chosen() {
            _ = try validated { try rate.map { try Synthesiser(sampleRateHertz: Double($0), format: format) } }
        }
        if let output { try validated { try FileSending.check(path: output) } }
    }

    mutating func run() async throws {
        let codewords = try codes.map { code in
            do throws(ShortcodeError) { return try Codeword(parsing: code) } catch {
                throw CodeProblem(code: code, cause: error)
            }
        }
        let formats = try formats.chosen()
        let sequence = ChirpSequence(
            codewords, formats: formats, repetitions: repetitions, gapSeconds: gap, volume: Float(volume))
        if let output {
            try FileSending(path: output, sampleRateHertz: rate ?? 44_100, sequence: sequence).run()
        } else {
            try await LivePlayback(
                device: choice.name, preferredRateHertz: rate.map(Double.init) ?? 48_000, sequence: sequence
            ).run()
        }
        await note(codewords)
    }

    /// Notes in the history what was sent.
    private func note(_ codewords: [Codeword]) async {
        if !isPartOfShare { await LinkResolver(registry).sent(codewords.map(\.shortcode)) }
    }
}
