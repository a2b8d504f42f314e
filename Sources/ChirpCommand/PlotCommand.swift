internal import ArgumentParser
internal import Chirp
internal import ChirpPictures
internal import ChirpSound
internal import Foundation

/// `chirp plot`: a sound as a picture, with what was decoded in it.
struct PlotCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plot", abstract: "Draw a sound file's spectrogram with the chirps in it.")

    @Argument(help: "A sound file; - is standard input.")
    var file: String

    @Option(name: .shortAndLong, help: ArgumentHelp("The picture: .png or .svg.", valueName: "picture"))
    var output: String

    func validate() throws { _ = try validated { try PictureFile(path: output) } }

    func run() throws {
        let (gnuplot, picture) = (try Gnuplot(), try PictureFile(path: output))
        let source = try AudioFileReader(path: file)
        defer { for warning in source.flaws.sentences(path: source.path) { StandardError.warn(warning) } }
        let decoder = try Self.decoder(for: source)
        var spectrogram = ToneSpectrogram(sampleRateHertz: source.sampleRateHertz)
        var block = AudioBlock(channelCount: source.channelCount)
        var heard: [ChannelDetection] = []
        while try source.read(into: &block) {
            heard += decoder.process(block)
            let share = 1 / Float(block.channelCount)
            var mono = [Float](repeating: 0, count: block.frameCount)
            for channel in 0..<block.channelCount {
                for (index, sample) in block[channel].enumerated() { mono[index] += share * sample }
            }
            spectrogram.process(mono)
        }
        heard += decoder.finish()
        spectrogram.finish()
        let name = file == "-" ? "standard input" : URL(filePath: file).lastPathComponent
        let chirps = Self.withoutRepetitions(heard.map(\.chirp))
        try gnuplot.draw(ChirpPicture(spectrogram, chirps: chirps, title: name), to: picture)
        let codes = chirps.isEmpty ? "no chirp" : chirps.map(\.shortcode.description).joined(separator: ", ")
        StandardError.say("wrote \(output): spectrogram of \(name), with \(codes)")
    }

    /// Listens to as many channels as memory allows; the picture is of all of them together.
    private static func decoder(for source: AudioFileReader) throws -> SoundDecoder {
        let count = min(
            source.channelCount, SoundDecoder.mostChannels(sampleRateHertz: source.sampleRateHertz, memoryBytes: 32e6))
        do {
            return try SoundDecoder(sampleRateHertz: source.sampleRateHertz, channels: 0..<count)
        } catch {
            throw FileProblem(path: source.path, cause: error)
        }
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
