internal import ArgumentParser
internal import Chirp
internal import ChirpReport
internal import ChirpSound

struct DecodeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decode", abstract: "Find every chirp in sound files.")

    @Argument(help: "Sound files; - is standard input.")
    var files: [String]

    @Flag(help: "Print one JSON object a line.")
    var json = false

    @Option(help: ArgumentHelp("Files decoded at the same time.", valueName: "n"))
    var jobs = 1

    @Option(
        help: ArgumentHelp(
            "Read headerless samples, such as s16le:44100:1.", valueName: "format:rate:channels"))
    var raw: String?

    mutating func run() throws {
        let raw = try raw.map { try RawFormat(parsing: $0) }
        var failed = false
        var found = false
        for file in files {
            do {
                let source = try AudioFileReader(path: file, raw: raw)
                let decoder = try SoundDecoder(
                    sampleRateHertz: source.sampleRateHertz, channelCount: source.channelCount)
                var block = AudioBlock(channelCount: source.channelCount)
                var heard: [HeardChirp] = []
                repeat {
                    heard = try source.read(into: &block) ? decoder.process(block) : decoder.finish()
                    found = found || !heard.isEmpty
                    for one in heard {
                        let report = DetectionReport(file: file, channel: one.channel, chirp: one.chirp)
                        print(json ? report.json.text : "\(one.chirp.shortcode)")
                    }
                } while block.frameCount > 0
            } catch {
                StandardError.report(error)
                failed = true
            }
        }
        if failed { throw ExitCode.error }
        if !found { throw ExitCode.nothingFound }
    }
}
