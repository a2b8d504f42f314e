internal import Chirp
internal import ChirpSound

/// Writes codes as chirps, in one format after the other, to a sound file, or as WAV to standard output.
struct FileSending {
    let path: String
    let sampleRateHertz: Int
    let codewords: [Codeword]
    var repetitions = 1
    var gapSeconds = 0.5
    var volume: Float = 0.8
    var formats = [WireFormat.original]

    /// Checks that a sound file can be written under a name.
    ///
    /// - Throws: ``ChirpSound/AudioFileError``
    static func check(path: String) throws(AudioFileError) {
        if path != "-" { _ = try AudioFileFormat(path: path) }
    }

    func run() throws {
        let synthesisers = try formats.map { try Synthesiser(sampleRateHertz: Double(sampleRateHertz), format: $0) }
        let gapLength = Int((gapSeconds * Double(sampleRateHertz)).rounded())
        let frameLengths = synthesisers.map { $0.symbolEdge($0.format.frameSymbolCount) }
        let roundLength = codewords.count * frameLengths.reduce(0) { $0 + $1 + gapLength }
        let sink = try sink(sampleCount: repetitions * roundLength - gapLength)
        var isFirst = true
        for _ in 0..<repetitions {
            for codeword in codewords {
                for synthesiser in synthesisers {
                    if !isFirst { try writeSilence(gapLength, to: sink) }
                    isFirst = false
                    try sink.write(synthesiser.samples(of: codeword, volume: volume))
                }
            }
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
