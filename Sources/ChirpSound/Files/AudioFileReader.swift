internal import CSndfile
internal import Glibc

/// Defects of a sound file that could nevertheless be read. Complete when reading has ended.
public struct AudioFileFlaws: Sendable, Hashable {
    /// The data are shorter or longer than the header says.
    public var lengthIsWrong = false
    /// Samples that were not a number or infinite, and count as silence.
    public var nonFiniteSampleCount = 0
    /// Why the library stopped in the middle of the data, when it did.
    public var damage: String?
    /// Share of the file's bytes that were read, where it is less than all: several sounds follow each other in it, or its length was a guess.
    public var readShare: Double?
}

/// A sound file that is read block by block: whatever libsndfile reads, from a file or from a pipe.
///
/// Memory does not depend on what a header claims. It is used by one thread at a time.
public final class AudioFileReader: AudioSource {
    public let path: String
    public let sampleRateHertz: Double
    public let channelCount: Int
    public private(set) var flaws = AudioFileFlaws()

    private let handle: SoundFileHandle
    private let input: OpenedInput
    /// What the header says, nil where it says nothing.
    private let claimedFrames: Int?
    private var framesRead = 0
    /// Samples of at most 16 bits are read as such, which is three times as fast as having libsndfile make floats of
    /// them (0.31 against 0.93 ns a sample); one of the two stays empty.
    private var integers: [Int16] = []
    private var floats: [Float] = []
    private let isNarrow: Bool
    /// Whether it is of frames or pages that go on to the end of the file, but for tags.
    private let fillsFile: Bool
    /// Share of the claimed frames that is there in a whole file.
    private let leastShare: Double
    /// Bytes of tags at the end of a file that are read past.
    private static let mostTagBytes = 65_536

    /// Opens a file, `-` being standard input.
    ///
    /// - Parameters:
    ///   - path: anything that can be opened for reading, pipes included.
    ///   - raw: how samples are stored when there is no header; nil for a file with one.
    public init(path: String, raw: RawFormat? = nil) throws(AudioFileError) {
        let input = try OpenedInput(path: path)
        let opened = try input.openSound(raw: raw)
        self.path = path
        self.input = input
        let info = opened.handle.info
        sampleRateHertz = Double(info.samplerate)
        channelCount = Int(info.channels)
        let subtype = Int(info.format) & Int(SF_FORMAT_SUBMASK)
        isNarrow = [SF_FORMAT_PCM_16, SF_FORMAT_PCM_S8, SF_FORMAT_PCM_U8].contains { Int($0) == subtype }
        let type = Int(info.format) & Int(SF_FORMAT_TYPEMASK)
        // Without a tag the length of MPEG's is worked out of the first frames, in a WAV file as well.
        let isMPEG = [SF_FORMAT_MPEG_LAYER_I, SF_FORMAT_MPEG_LAYER_II, SF_FORMAT_MPEG_LAYER_III].contains {
            Int($0) == subtype
        }
        leastShare = isMPEG ? 0.97 : 1
        fillsFile = [SF_FORMAT_OGG, SF_FORMAT_FLAC, SF_FORMAT_MPEG].contains { Int($0) == type }
        flaws.lengthIsWrong = opened.lengthIsWrong
        claimedFrames = opened.lengthIsKnown && info.frames < 1 << 40 ? Int(info.frames) : nil
        handle = opened.handle
    }

    public func read(into block: inout AudioBlock) throws(AudioFileError) -> Bool {
        precondition(block.channelCount == channelCount, "the block has another number of channels")
        let capacity = channelCount * block.capacityFrames
        let frames: Int
        if isNarrow {
            if integers.count != capacity { integers = [Int16](repeating: 0, count: capacity) }
            frames = max(0, handle.read(into: &integers))
            block.fill(interleaved: integers.span.extracting(first: frames * channelCount))
        } else {
            if floats.count != capacity { floats = [Float](repeating: 0, count: capacity) }
            frames = max(0, handle.read(into: &floats))
            flaws.nonFiniteSampleCount += block.fill(interleaved: floats.span.extracting(first: frames * channelCount))
        }
        framesRead += frames
        if frames == 0 { try noteEnd() }
        return frames > 0
    }

    /// How many frames there are, as far as the header is believed; nil when it does not say.
    public var frameCount: Int? { claimedFrames }

    /// Whether the sound can be read once more from its beginning: not from a pipe.
    public var canRewind: Bool { !input.isStream }

    /// Goes back to the beginning.
    public func rewind() throws(AudioFileError) {
        guard handle.rewind() else {
            throw .library(.read, path: path, reason: handle.complaint ?? "cannot go back to the beginning")
        }
        framesRead = 0
        flaws.nonFiniteSampleCount = 0
    }

    private func noteEnd() throws(AudioFileError) {
        if let code = input.systemError { throw .system(.read, path: path, code: code) }
        if let claimedFrames, Double(framesRead) < Double(claimedFrames) * leastShare { flaws.lengthIsWrong = true }
        flaws.damage = handle.complaint
        if fillsFile, let (unread, length) = input.unread, unread > min(Self.mostTagBytes, length / 20) {
            flaws.readShare = 1 - Double(unread) / Double(length)
        }
    }
}
