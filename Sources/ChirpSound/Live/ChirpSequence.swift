public import Chirp

/// What is sent: codes, each in one format after the other, some number of times, with silence between chirps.
public struct ChirpSequence: Sendable {
    public let codewords: [Codeword]
    /// In which each code is sent, at least one.
    public let formats: [WireFormat]
    /// How many times all codes are sent, one or more.
    public let repetitions: Int
    /// Silence between chirps.
    public let gapSeconds: Double
    /// Peak amplitude, 0–1.
    public let volume: Float

    public init(
        _ codewords: [Codeword], formats: [WireFormat] = [.original], repetitions: Int = 1, gapSeconds: Double = 0.5,
        volume: Float = 0.8
    ) {
        precondition(!formats.isEmpty, "codes are sent in some format")
        self.codewords = codewords
        self.formats = formats
        self.repetitions = repetitions
        self.gapSeconds = gapSeconds
        self.volume = volume
    }

    /// Number of chirps in all.
    public var count: Int { codewords.count * formats.count * repetitions }

    /// Which code is sent by a chirp, 0 to `count` - 1.
    public func codeword(ofChirp index: Int) -> Codeword { codewords[index / formats.count % codewords.count] }

    /// Which of the formats a chirp is sent in.
    public func formatIndex(ofChirp index: Int) -> Int { index % formats.count }

    /// Makes the sound of each format.
    ///
    /// - Throws: ``Chirp/SynthesisError``
    public func synthesisers(sampleRateHertz: Double) throws(SynthesisError) -> [Synthesiser] {
        var synthesisers: [Synthesiser] = []
        for format in formats {
            synthesisers.append(try Synthesiser(sampleRateHertz: sampleRateHertz, format: format))
        }
        return synthesisers
    }
}
