internal import CSndfile
internal import Glibc

/// What was wrong with a sound file that could be read all the same. Complete once the reading has ended.
public struct AudioFileFlaws: Sendable, Hashable {
    /// The header's length is not that of the data, or the data end before the header said.
    public var lengthIsWrong = false
    /// Samples that were not a number or infinite, and count as silence.
    public var nonFiniteSampleCount = 0
    /// Why the library stopped in the middle of the data, when it did.
    public var damage: String?
}

/// A sound file that is read block by block: whatever libsndfile reads, from a file or from a pipe.
///
/// Memory does not depend on what a header claims. Owns the library's handle alone, and is used by one thread at a time.
@safe public final class AudioFileReader: AudioSource {
    public let path: String
    public let sampleRateHertz: Double
    public let channelCount: Int
    public private(set) var flaws = AudioFileFlaws()

    private let handle: OpaquePointer
    private let pipe: PipeInput?
    /// What the header says, nil where it says nothing.
    private let claimedFrames: Int?
    private var framesRead = 0
    private var interleaved: [Float] = []

    /// Opens a file, `-` being standard input.
    ///
    /// - Parameters:
    ///   - path: anything that can be opened for reading, pipes included.
    ///   - raw: how samples are stored when there is no header; nil for a file with one.
    public init(path: String, raw: RawFormat? = nil) throws(AudioFileError) {
        let descriptor = try Self.openDescriptor(path)
        let isRegular = try Self.checkKind(of: descriptor, path: path)
        var info = SF_INFO()
        if let raw {
            info.samplerate = Int32(raw.sampleRateHertz)
            info.channels = Int32(raw.channelCount)
            info.format = raw.encoding.libraryFormat
        }
        var pipe: PipeInput?
        var opened: OpaquePointer?
        if isRegular {
            unsafe opened = sf_open_fd(descriptor, Int32(SFM_READ), &info, path == "-" ? 0 : 1)
        } else {
            let input = PipeInput(descriptor: descriptor, ownsDescriptor: path != "-")
            let start = input.peek(12)
            guard !start.isEmpty else { throw .isEmpty(path: path) }
            if raw != nil || PipeInput.canStream(start) {
                var operations = PipeInput.operations
                unsafe opened = sf_open_virtual(
                    &operations, Int32(SFM_READ), &info, Unmanaged.passUnretained(input).toOpaque())
                input.isOpening = false
                pipe = input
            } else {
                let spool = try input.spool(path: path)
                unsafe opened = sf_open_fd(spool, Int32(SFM_READ), &info, 1)
            }
        }
        guard let opened = unsafe opened else {
            throw Self.openingError(path: path)
        }
        unsafe handle = opened
        self.path = path
        self.pipe = pipe
        sampleRateHertz = Double(info.samplerate)
        channelCount = Int(info.channels)
        let isUnbounded = raw != nil || info.frames <= 0 || info.frames > 1 << 40
        claimedFrames = isUnbounded ? nil : Int(info.frames)
        flaws.lengthIsWrong = unsafe pipe == nil && Self.logTellsOfWrongLength(opened)
    }

    deinit { unsafe sf_close(handle) }

    public func read(into block: inout AudioBlock) throws(AudioFileError) -> Bool {
        precondition(block.channelCount == channelCount, "the block has another number of channels")
        if interleaved.count != channelCount * block.capacityFrames {
            interleaved = [Float](repeating: 0, count: channelCount * block.capacityFrames)
        }
        let frames = unsafe interleaved.withUnsafeMutableBufferPointer { buffer in
            unsafe Int(sf_readf_float(handle, buffer.baseAddress, sf_count_t(block.capacityFrames)))
        }
        framesRead += frames
        flaws.nonFiniteSampleCount += block.fill(interleaved: interleaved.span.extracting(first: frames * channelCount))
        if frames == 0 { try noteEnd() }
        return frames > 0
    }

    private func noteEnd() throws(AudioFileError) {
        if let code = pipe?.systemError, code != 0 { throw .system(.read, path: path, code: code) }
        if let claimedFrames, framesRead < claimedFrames { flaws.lengthIsWrong = true }
        if unsafe sf_error(handle) != 0, flaws.damage == nil {
            flaws.damage = unsafe String(cString: sf_strerror(handle))
        }
    }

    // MARK: Opening

    private static func openDescriptor(_ path: String) throws(AudioFileError) -> Int32 {
        guard path != "-" else { return STDIN_FILENO }
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(.open, path: path, code: errno) }
        return descriptor
    }

    /// Whether it is a regular file; closes the descriptor of what cannot be read.
    private static func checkKind(of descriptor: Int32, path: String) throws(AudioFileError) -> Bool {
        var status = stat()
        var failure: AudioFileError?
        if unsafe fstat(descriptor, &status) != 0 {
            failure = .system(.open, path: path, code: errno)
        } else if status.st_mode & S_IFMT == S_IFDIR {
            failure = .isDirectory(path: path)
        } else if status.st_mode & S_IFMT == S_IFREG, status.st_size == 0 {
            failure = .isEmpty(path: path)
        }
        guard let failure else { return status.st_mode & S_IFMT == S_IFREG }
        if path != "-" { close(descriptor) }
        throw failure
    }

    /// What the library says of the file that it has just failed to open. Its numbers are those of the public SFErr and,
    /// beyond them, private ones that all mean a header it could not make sense of.
    private static func openingError(path: String) -> AudioFileError {
        let reason = unsafe String(cString: sf_strerror(nil))
        return .notSound(path: path, reason: reason)
    }

    /// Whether the library had to correct the header's length: it says so nowhere but in its log.
    private static func logTellsOfWrongLength(_ handle: OpaquePointer) -> Bool {
        var log = [CChar](repeating: 0, count: 16_384)
        let length = unsafe log.withUnsafeMutableBufferPointer { buffer in
            unsafe sf_command(handle, Int32(SFC_GET_LOG_INFO), buffer.baseAddress, Int32(buffer.count))
        }
        let text = String(decoding: log.prefix(Int(length)).map(UInt8.init(bitPattern:)), as: UTF8.self)
        return text.contains("should be") || text.contains("wasn't closed properly")
    }
}
