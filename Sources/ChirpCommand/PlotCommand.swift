internal import ArgumentParser
internal import Chirp
internal import ChirpPictures
internal import ChirpSound
internal import Foundation

/// `chirp plot`: a sound as a picture, with what was decoded in it.
struct PlotCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plot", abstract: "Draw the spectrogram of a sound file and mark its chirps.")

    @Argument(help: "A sound file; - is standard input.")
    var file: String

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The picture: \(FileExtensions.pictures.alternatives).", valueName: "picture"))
    var output: String

    @Option(
        help: ArgumentHelp(
            "Format to draw and decode: \(FormatNames.list). Default: the most frequent format in the file; original for "
                + "standard input.",
            valueName: "name"),
        completion: FormatNames.completion)
    var format: String?

    func validate() throws {
        _ = try format.map(FormatNames.format)
        _ = try validated { try PictureFile(path: output) }
    }

    func run() throws {
        let (gnuplot, picture) = (try Gnuplot(), try PictureFile(path: output))
        try WholeFile.check(output)
        let source = try AudioFileReader(path: file)
        defer { for warning in source.flaws.sentences(path: source.path) { StandardError.warn(warning) } }
        let grid: WireFormat
        if let name = format, let format = WireFormat(named: name) {
            grid = format
        } else if source.canRewind {
            let fitting = SoundDecoder.formats(fitting: source.sampleRateHertz)
            let all = try Self.chirps(in: source, formats: fitting)
            try source.rewind()
            grid = Self.mostFrequentFormat(of: all)
        } else {
            grid = .original
        }
        var spectrogram = ToneSpectrogram(sampleRateHertz: source.sampleRateHertz, format: grid)
        let heard = try Self.chirps(in: source, formats: [grid]) { spectrogram.process($0.mean()) }
        spectrogram.finish()
        let name = file == "-" ? "standard input" : URL(filePath: file).lastPathComponent
        let chirps = Self.withoutRepetitions(heard.map(\.chirp))
        try gnuplot.draw(ChirpPicture(spectrogram, chirps: chirps, title: name), to: picture)
        let codes = chirps.isEmpty ? "no chirp" : chirps.map(\.shortcode.description).joined(separator: ", ")
        StandardError.say("wrote \(output): spectrogram of \(name), with \(codes)")
    }

    /// The format that most chirps have, the original when there are none.
    private static func mostFrequentFormat(of heard: [ChannelDetection]) -> WireFormat {
        let counts = WireFormat.all.map { format in (format, heard.count { $0.chirp.format == format }) }
        return counts.reduce((.original, 0)) { $1.1 > $0.1 ? $1 : $0 }.0
    }

    /// The chirps of a sound, from where it is read on to its end; each block is given to `use` as well, once.
    private static func chirps(
        in source: AudioFileReader, formats: [WireFormat], use: (AudioBlock) -> Void = { _ in }
    ) throws -> [ChannelDetection] {
        var heard: [ChannelDetection] = []
        let passes = try ChannelPasses(over: source, formatCount: formats.count, combinesCopies: true)
        for channels in passes.channels {
            let isFirst = channels.lowerBound == 0
            if !isFirst { try source.rewind() }
            let decoder: SoundDecoder
            do {
                decoder = try SoundDecoder(
                    sampleRateHertz: source.sampleRateHertz, channels: channels, formats: formats, combinesCopies: true)
            } catch {
                throw FileProblem(path: source.path, cause: error)
            }
            var block = AudioBlock(channelCount: source.channelCount)
            while try source.read(into: &block) {
                heard += decoder.process(block)
                if isFirst { use(block) }
            }
            heard += decoder.finish()
        }
        return heard.sorted { ($0.chirp.startSeconds, $0.channel) < ($1.chirp.startSeconds, $1.channel) }
    }

    /// A chirp that was heard on several channels is one in the picture.
    private static func withoutRepetitions(_ chirps: [DetectedChirp]) -> [DetectedChirp] {
        chirps.reduce(into: []) { kept, chirp in
            let isKnown = kept.contains {
                $0.codeword == chirp.codeword && abs($0.startSeconds - chirp.startSeconds) < 0.1
            }
            if !isKnown { kept.append(chirp) }
        }
    }
}
