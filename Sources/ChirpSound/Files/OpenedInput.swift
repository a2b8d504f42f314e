internal import CSndfile
internal import Glibc

/// A file or a pipe that was opened for reading, and the choice of the way in which sound is read from it.
///
/// Owns the descriptor, but for standard input.
final class OpenedInput {
    /// Sound that was opened, and what is known of its length.
    struct Sound: ~Copyable {
        let handle: SoundFileHandle
        /// The header gives a wrong length.
        var lengthIsWrong = false
        /// The number of frames in the handle is meaningful.
        var lengthIsKnown = true
    }

    /// Fields that the library corrects in its log as well, and that are no lengths.
    private static let noLengths = ["Bytes/sec", "Block Align", "Samples/sec", "Bit Width"]

    private let path: String
    private let descriptor: Int32
    /// Length of a regular file; nil for what cannot seek.
    private let fileLength: Int?
    private var pipe: PipeInput?
    private var isSpooled = false
    /// What the library reads of by itself, and its length: the file, or where a pipe was kept.
    private var whole: (descriptor: Int32, length: Int)?

    init(path: String) throws(AudioFileError) {
        self.path = path
        var failure: AudioFileError?
        var status = stat()
        descriptor = path == "-" ? STDIN_FILENO : FilePath.open(path, flags: O_RDONLY)
        if descriptor < 0 || (unsafe fstat(descriptor, &status)) != 0 {
            failure = .system(.open, path: path, code: errno)
        } else if status.st_mode & S_IFMT == S_IFDIR {
            failure = .isDirectory(path: path)
        }
        fileLength = status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
        if failure == nil, fileLength == 0 { failure = .isEmpty(path: path) }
        if let failure { throw failure }
    }

    deinit {
        if let whole, whole.descriptor != descriptor { close(whole.descriptor) }
        if descriptor > STDIN_FILENO { close(descriptor) }
    }

    /// Bytes that the library has not got to, and all of them; nil where that cannot be told. Its duplicate of the descriptor moves this one.
    var unread: (bytes: Int, length: Int)? {
        whole.map { (max(0, $0.length - lseek($0.descriptor, 0, SEEK_CUR)), $0.length) }
    }

    /// Whether what comes is gone once it is read.
    var isStream: Bool { pipe != nil && !isSpooled }

    /// Why reading from a pipe failed, when it did.
    var systemError: Int32? { pipe.flatMap { $0.systemError == 0 ? nil : $0.systemError } }

    func openSound(raw: RawFormat?) throws(AudioFileError) -> Sound {
        if let fileLength { return try openFile(descriptor, length: fileLength, raw: raw) }
        return try openPipe(raw: raw)
    }

    private func openFile(_ descriptor: Int32, length: Int, raw: RawFormat?) throws(AudioFileError) -> Sound {
        whole = (descriptor, length)
        let file = SoundFileHandle.Source.file(descriptor: descriptor)
        if let raw {
            return Sound(handle: try SoundFileHandle(file, path: path, raw: (raw, 0)), lengthIsKnown: false)
        }
        let bytes = { (offset: Int, count: Int) in readBytes(of: descriptor, at: offset, count: count) }
        // A WAV file is plain enough to be read past its header when that is wrong.
        if let header = WaveHeader(bytes: bytes), let samples = header.samples,
            !header.isPlausible(fileLength: length, bytes: bytes)
        {
            let handle = try SoundFileHandle(file, path: path, raw: (samples, header.dataOffset))
            return Sound(handle: handle, lengthIsWrong: true, lengthIsKnown: false)
        }
        guard OggHeaders.areIntact(bytes: bytes) else {
            throw .notSound(path: path, reason: "Supported file format but file is malformed.")
        }
        do {
            let handle = try SoundFileHandle(file, path: path, raw: nil)
            // Corrections appear only in the library's log; an Ogg stream without its last page has no length.
            let log = handle.log
            let isCorrected = log.split(whereSeparator: \.isNewline).contains { line in
                line.contains("wasn't closed properly")
                    || line.contains("should be") && !Self.noLengths.contains { line.contains($0) }
            }
            let isOgg = Int(handle.info.format) & Int(SF_FORMAT_TYPEMASK) == Int(SF_FORMAT_OGG)
            let isWrong = isCorrected || isOgg && handle.info.frames == Int64.max
            return Sound(handle: handle, lengthIsWrong: isWrong)
        } catch {
            // One of the library's readers refuses a file that is shorter than its header says.
            guard let input = TruncatedFileInput(descriptor: descriptor, length: length, bytes: bytes),
                let handle = try? SoundFileHandle(.bytes(input), path: path, raw: nil)
            else { throw error }
            return Sound(handle: handle, lengthIsWrong: true)
        }
    }

    private func openPipe(raw: RawFormat?) throws(AudioFileError) -> Sound {
        let input = PipeInput(descriptor: descriptor)
        pipe = input
        defer { input.isOpening = false }
        guard !input.peek(1).isEmpty else {
            throw systemError.map { .system(.read, path: path, code: $0) } ?? .isEmpty(path: path)
        }
        if let raw {
            return Sound(handle: try SoundFileHandle(.bytes(input), path: path, raw: (raw, 0)), lengthIsKnown: false)
        }
        switch input.kind {
        case .unknown: throw .notSound(path: path, reason: "Format not recognised.")
        case .spooled:
            let spool = try input.spool(path: path)
            isSpooled = true
            return try openFile(spool.descriptor, length: spool.length, raw: nil)
        case .streamed:
            let header = WaveHeader { offset, count in Array(input.peek(offset + count).dropFirst(offset)) }
            if let header, let samples = header.samples, !header.knowsLength {
                // Everything that comes is samples, however much it is.
                let handle = try SoundFileHandle(.bytes(input), path: path, raw: (samples, header.dataOffset))
                return Sound(handle: handle, lengthIsKnown: false)
            }
            return Sound(handle: try SoundFileHandle(.bytes(input), path: path, raw: nil))
        }
    }
}

private func readBytes(of descriptor: Int32, at offset: Int, count: Int) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: count)
    let got = unsafe buffer.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress, $0.count, offset) }
    return Array(buffer.prefix(max(0, got)))
}
