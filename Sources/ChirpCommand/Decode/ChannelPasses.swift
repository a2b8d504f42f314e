internal import ChirpSound

/// The channels of a file, in groups that are listened to at once: several where it has so many that all receivers together would take
/// too much memory.
struct ChannelPasses {
    let channels: [Range<Int>]

    /// What all receivers may take, in bytes: with the 28 MB of the program itself this stays under 64 MB.
    static let memoryBytes = 20e6

    /// A pipe cannot be read again, and channels that are listened to one after the other cannot be added up: both may take this much more.
    private static let togetherFactor = 5.0

    /// - Parameter memoryBytes: what the receivers may take.
    /// - Throws: ``ChirpSound/AudioFileError/tooManyChannels(path:count:most:)`` for a pipe that has more than can be listened to at once.
    init(
        over source: AudioFileReader, formatCount: Int, memoryBytes: Double = Self.memoryBytes, combinesCopies: Bool
    ) throws(AudioFileError) {
        let most = Self.mostAtOnce(
            of: source, formatCount: formatCount, memoryBytes: memoryBytes, combinesCopies: combinesCopies)
        let count = source.channelCount
        guard count <= most || source.canRewind else {
            throw .tooManyChannels(path: source.path, count: count, most: most)
        }
        channels = stride(from: 0, to: count, by: most).map { $0..<min($0 + most, count) }
    }

    /// How many channels can be listened to at once.
    static func mostAtOnce(
        of source: AudioFileReader, formatCount: Int, memoryBytes: Double, combinesCopies: Bool
    ) -> Int {
        let bytes = memoryBytes * (source.canRewind && !combinesCopies ? 1 : togetherFactor)
        return SoundDecoder.maximumChannelCount(
            sampleRateHertz: source.sampleRateHertz, memoryBytes: bytes, formatCount: formatCount,
            combinesCopies: combinesCopies)
    }
}
