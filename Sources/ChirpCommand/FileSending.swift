internal import Chirp
internal import ChirpSound
internal import Glibc

/// Writes codes as chirps, in one format after the other, to a sound file, or as WAV to standard output.
struct FileSending {
    let path: String
    let sampleRateHertz: Int
    let sequence: ChirpSequence

    /// Checks that a sound file can be written under a name, and that `-` is no terminal.
    ///
    /// - Throws: ``ChirpSound/AudioFileError`` or ``SoundOnTerminal``.
    static func check(path: String) throws {
        guard path == "-" else {
            _ = try AudioFileFormat(path: path)
            return
        }
        guard isatty(STDOUT_FILENO) == 0 else { throw SoundOnTerminal() }
    }

    struct SoundOnTerminal: UserFacingError {
        let userMessage = "standard output is a terminal, which shows no sound; -o NAME.wav writes a file"
    }

    func run() throws {
        let synthesisers = try sequence.synthesisers(sampleRateHertz: Double(sampleRateHertz))
        let gapLength = Int((sequence.gapSeconds * Double(sampleRateHertz)).rounded())
        let frameLengths = synthesisers.map { $0.symbolEdge($0.format.frameSymbolCount) }
        let length = sequence.count / synthesisers.count * frameLengths.reduce(0) { $0 + $1 + gapLength }
        let sink = try sink(sampleCount: length - gapLength)
        for chirp in 0..<sequence.count {
            if chirp > 0 { try writeSilence(gapLength, to: sink) }
            let synthesiser = synthesisers[sequence.formatIndex(ofChirp: chirp)]
            try sink.write(synthesiser.samples(of: sequence.codeword(ofChirp: chirp), volume: sequence.volume))
        }
        try sink.finish()
    }

    private func sink(sampleCount: Int) throws -> any AudioSink {
        guard path != "-" else { return try WaveStream(sampleRateHertz: sampleRateHertz, frameCount: sampleCount) }
        let format = try AudioFileFormat(path: path)
        if let most = format.maximumSampleCount, sampleCount > most { throw AudioFileError.tooLong(path: path) }
        return try AudioFileWriter(path: path, format: format, sampleRateHertz: sampleRateHertz)
    }

    /// In pieces, as a gap may be an hour long.
    private func writeSilence(_ count: Int, to sink: any AudioSink) throws {
        let piece = [Float](repeating: 0, count: min(count, 65_536))
        var rest = count
        while rest > 0 {
            try sink.write(rest < piece.count ? Array(piece.prefix(rest)) : piece)
            rest -= piece.count
        }
    }
}
