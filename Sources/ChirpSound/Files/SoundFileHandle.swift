internal import CSndfile
internal import Glibc
internal import Synchronization

/// The one owner of a libsndfile handle that is read from.
@safe struct SoundFileHandle: ~Copyable {
    /// What to open, and who closes it.
    enum Source {
        /// A file that can seek. The library is given a duplicate of the descriptor, as it closes the one that it has
        /// when opening fails, even if it is told not to.
        case file(descriptor: Int32)
        /// Bytes from elsewhere, kept alive by the handle.
        case bytes(any ByteInput)
    }

    let info: SF_INFO
    private let pointer: OpaquePointer
    /// The library has an unretained pointer to it.
    private let bytes: ByteInputBox?

    /// The library keeps the reason of a failed opening in a variable of the whole process.
    private static let opening = Mutex(())

    /// - Parameter raw: the format of headerless samples and the place of the first; nil for a file with a header.
    /// - Throws: ``AudioFileError/notSound(path:reason:)``
    init(_ source: Source, path: String, raw: (format: RawFormat, startOffset: Int)?) throws(AudioFileError) {
        var info = SF_INFO()
        if let raw {
            info.samplerate = Int32(raw.format.sampleRateHertz)
            info.channels = Int32(raw.format.channelCount)
            info.format = raw.format.encoding.libraryFormat
        }
        var box: ByteInputBox?
        var opened: OpaquePointer?
        var reason = ""
        Self.opening.withLock { _ in
            switch source {
            case .file(let descriptor):
                unsafe opened = sf_open_fd(
                    fcntl(descriptor, F_DUPFD_CLOEXEC, 0), Int32(SFM_READ), &info, Int32(SF_TRUE))
            case .bytes(let input):
                let created = ByteInputBox(input)
                box = created
                var operations = ByteInputBox.operations
                unsafe opened = sf_open_virtual(
                    &operations, Int32(SFM_READ), &info, Unmanaged.passUnretained(created).toOpaque())
            }
            if unsafe opened == nil { reason = unsafe String(cString: sf_strerror(nil)) }
        }
        guard let opened = unsafe opened else { throw .notSound(path: path, reason: reason) }
        if let offset = raw?.startOffset, offset > 0 {
            var start = sf_count_t(offset)
            _ = unsafe sf_command(
                opened, Int32(SFC_SET_RAW_START_OFFSET), &start, Int32(MemoryLayout<sf_count_t>.size))
            // The offset counts from the next seek on.
            _ = unsafe sf_seek(opened, 0, SEEK_SET)
        }
        unsafe pointer = opened
        self.info = info
        bytes = box
    }

    deinit { _ = unsafe sf_close(pointer) }

    /// Reads up to as many whole frames as the buffer has room for; −1…1 for the whole range of integers.
    func read(into buffer: inout [Float]) -> Int {
        let capacity = sf_count_t(buffer.count) / sf_count_t(info.channels)
        return unsafe buffer.withUnsafeMutableBufferPointer { target in
            unsafe Int(sf_readf_float(pointer, target.baseAddress, capacity))
        }
    }

    /// The same as 16-bit integers.
    func read(into buffer: inout [Int16]) -> Int {
        let capacity = sf_count_t(buffer.count) / sf_count_t(info.channels)
        return unsafe buffer.withUnsafeMutableBufferPointer { target in
            unsafe Int(sf_readf_short(pointer, target.baseAddress, capacity))
        }
    }

    /// Goes back to the first frame; false where that cannot be done.
    func rewind() -> Bool { unsafe sf_seek(pointer, 0, SEEK_SET) == 0 }

    /// What the library last complained of.
    var complaint: String? { unsafe sf_error(pointer) == 0 ? nil : String(cString: sf_strerror(pointer)) }

    /// The library's log of the header. Corrected lengths are reported only here.
    var log: String {
        var text = [UInt8](repeating: 0, count: 16_384)
        let length = unsafe text.withUnsafeMutableBytes { buffer in
            unsafe Int(sf_command(pointer, Int32(SFC_GET_LOG_INFO), buffer.baseAddress, Int32(buffer.count)))
        }
        return String(decoding: text.prefix(max(0, min(length, text.count))), as: UTF8.self)
    }
}
