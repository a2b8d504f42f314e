internal import Chirp
internal import ChirpSound

/// Writes codes as chirps to a sound file, or as WAV to standard output.
struct FileSending {
    let path: String
    let sampleRateHertz: Int
    let codewords: [Codeword]
    var repetitions = 1
    var gapSeconds = 0.5
    var volume: Float = 0.8
    var format = WireFormat.original

    /// Checks that a sound file can be written under a name.
    ///
    /// - Throws: ``ChirpSound/AudioFileError``
    static func check(path: String) throws(AudioFileError) {
        if path != "-" { _ = try AudioFileFormat(path: path) }
    }

    func run() throws {
        let synthesiser = try Synthesiser(sampleRateHertz: Double(sampleRateHertz), format: format)
        let chirpCount = codewords.count * repetitions
        let gapLength = Int((gapSeconds * Double(sampleRateHertz)).rounded())
        let frameLength = synthesiser.symbolEdge(synthesiser.format.frameSymbolCount)
        let sink = try sink(sampleCount: chirpCount * frameLength + (chirpCount - 1) * gapLength)
        for index in 0..<chirpCount {
            if index > 0 { try writeSilence(gapLength, to: sink) }
            try sink.write(synthesiser.samples(of: codewords[index % codewords.count], volume: volume))
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
