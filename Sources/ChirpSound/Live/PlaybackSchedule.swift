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

    private let synthesisers: [Synthesiser]
    private let sampleRateHertz: Double
    private let codewords: [Codeword]
    private let repetitions: Int
    private let gapSeconds: Double
    private let volume: Float
    private let blockLength: Int

    private var chirpIndex = -1
    private var silenceLeft: Int
    private var samples: [Float] = []
    private var offset = 0
    private var isStopping = false
    private var isOver = false

    /// - Parameters:
    ///   - synthesisers: of each format in which each code is played, at least one, all at one rate.
    ///   - repetitions: how many times all codes are played, one or more.
    ///   - gapSeconds: silence between chirps.
    ///   - volume: peak amplitude, 0–1.
    public init(
        _ codewords: [Codeword], synthesisers: [Synthesiser], repetitions: Int = 1, gapSeconds: Double = 0.5,
        volume: Float = 0.8
    ) {
        precondition(!synthesisers.isEmpty, "codes are played in some format")
        self.synthesisers = synthesisers
        sampleRateHertz = synthesisers[0].sampleRateHertz
        self.codewords = codewords
        self.repetitions = repetitions
        self.gapSeconds = gapSeconds
        self.volume = volume
        blockLength = max(1, Int(Self.blockSeconds * sampleRateHertz))
        silenceLeft = Int(Self.leadInSeconds * sampleRateHertz)
    }

    /// Number of chirps in all.
    public var chirpCount: Int { codewords.count * synthesisers.count * repetitions }

    private var codeword: Codeword { codewords[chirpIndex / synthesisers.count % codewords.count] }
    private var synthesiser: Synthesiser { synthesisers[chirpIndex % synthesisers.count] }

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
            let isLast = chirpIndex + 1 == chirpCount
            silenceLeft = Int((isLast ? Self.leadOutSeconds : gapSeconds) * sampleRateHertz)
            if silenceLeft > 0 { return true }
        }
        guard chirpIndex + 1 < chirpCount else { return false }
        chirpIndex += 1
        samples = synthesiser.samples(of: codeword, volume: volume)
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
