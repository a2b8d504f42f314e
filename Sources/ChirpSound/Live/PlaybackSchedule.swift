public import Chirp

/// The samples to play, in short blocks: silence to wake the loudspeaker, then the codes with gaps between them.
///
/// Makes sound and touches no device. Once stopped, it fades out within one block, so that nothing clicks.
public struct PlaybackSchedule: Sendable {
    /// Which symbol of which code a block belongs to.
    public struct Position: Sendable, Hashable {
        /// Counts through all codes and repetitions.
        public let chirpIndex: Int
        public let codeword: Codeword
        public let format: WireFormat
        /// 0–19 within the frame.
        public let symbolIndex: Int
    }

    /// A block of 10 ms, or less at a change, and what is heard in it; no position means silence.
    public struct Block: Sendable, Hashable {
        public let samples: [Float]
        public let position: Position?
    }

    /// Length of a block, and of the fade at a stop.
    public static let blockSeconds = 0.01
    /// Before the first chirp: amplifiers and sound servers that wake up lose the beginning.
    static let leadInSeconds = 0.1
    /// After the last: some devices drop the end of their buffer.
    static let leadOutSeconds = 0.05

    public let sequence: ChirpSequence
    private let synthesisers: [Synthesiser]
    private let sampleRateHertz: Double
    private let blockLength: Int

    private var chirpIndex = -1
    private var silenceLeft: Int
    private var samples: [Float] = []
    private var offset = 0
    private var isStopping = false
    private var isOver = false

    /// - Throws: ``Chirp/SynthesisError``
    public init(_ sequence: ChirpSequence, sampleRateHertz: Double) throws(SynthesisError) {
        synthesisers = try sequence.synthesisers(sampleRateHertz: sampleRateHertz)
        self.sequence = sequence
        self.sampleRateHertz = sampleRateHertz
        blockLength = max(1, Int(Self.blockSeconds * sampleRateHertz))
        silenceLeft = Int(Self.leadInSeconds * sampleRateHertz)
    }

    private var codeword: Codeword { sequence.codeword(ofChirp: chirpIndex) }
    private var synthesiser: Synthesiser { synthesisers[sequence.formatIndex(ofChirp: chirpIndex)] }

    /// Lets the next block be the last, and fade out.
    public mutating func stop() { isStopping = true }

    /// The next block, nil at the end.
    public mutating func next() -> Block? {
        guard !isOver else { return nil }
        if isStopping {
            isOver = true
            guard let block = nextPlayed(), block.position != nil else { return nil }
            return Block(samples: Self.fadedOut(block.samples), position: block.position)
        }
        return nextPlayed()
    }

    private mutating func nextPlayed() -> Block? {
        if silenceLeft == 0, offset == samples.count, !advance() { return nil }
        if silenceLeft > 0 {
            let count = min(silenceLeft, blockLength)
            silenceLeft -= count
            return Block(samples: [Float](repeating: 0, count: count), position: nil)
        }
        let range = offset..<min(offset + blockLength, samples.count)
        offset = range.upperBound
        let format = synthesiser.format
        let symbol = Int(Double(range.lowerBound) / sampleRateHertz / format.symbolSeconds)
        return Block(
            samples: Array(samples[range]),
            position: Position(
                chirpIndex: chirpIndex, codeword: codeword, format: format,
                symbolIndex: min(symbol, format.frameSymbolCount - 1)))
    }

    /// Goes on to the next chirp, or to the silence before it; false at the end.
    private mutating func advance() -> Bool {
        if !samples.isEmpty {
            samples = []
            offset = 0
            let isLast = chirpIndex + 1 == sequence.count
            silenceLeft = Int((isLast ? Self.leadOutSeconds : sequence.gapSeconds) * sampleRateHertz)
            if silenceLeft > 0 { return true }
        }
        guard chirpIndex + 1 < sequence.count else { return false }
        chirpIndex += 1
        samples = synthesiser.samples(of: codeword, volume: sequence.volume)
        return true
    }

    /// Smooth step from 1 to 0 over all samples, flat at both ends.
    private static func fadedOut(_ samples: [Float]) -> [Float] {
        let count = samples.count
        return samples.indices.map { index in
            let left = Float(count - index) / Float(count + 1)
            return samples[index] * left * left * (3 - 2 * left)
        }
    }
}
