internal import CSndfile
internal import Glibc

extension PipeInput {
    /// Formats that are read from front to end: WAV and AU. The others need their end first.
    static func canStream(_ start: [UInt8]) -> Bool {
        ["RIFF", "RIFX", ".snd"].contains(String(decoding: start.prefix(4), as: UTF8.self))
    }

    /// Formats that libsndfile knows by their first bytes and that are kept in a file before they are read.
    private static func isKnown(_ start: [UInt8]) -> Bool {
        let isFrameOfMPEG = start.count > 1 && start[0] == 0xFF && start[1] & 0xE0 == 0xE0
        return isFrameOfMPEG
            || ["OggS", "fLaC", "FORM", "caff", "RF64", "riff", "ID3", "NIST", "Crea"].contains {
                String(decoding: start.prefix($0.utf8.count), as: UTF8.self) == $0
            }
    }

    /// Copies everything into a temporary file without a name and gives back its descriptor.
    ///
    /// What does not look like sound is refused at once: an endless device is not copied.
    func spool(path: String) throws(AudioFileError) -> Int32 {
        guard Self.isKnown(peek(12)) else { throw .notSound(path: path, reason: "Format not recognised.") }
        let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
        var template = Array((folder + "/chirp-XXXXXX").utf8CString)
        let descriptor = unsafe mkstemp(&template)
        guard descriptor >= 0 else { throw .system(.write, path: folder, code: errno) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = unsafe unlink(template)
        isOpening = false
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe read(into: $0) }
            guard count > 0 else { break }
            var written = 0
            while written < count {
                let result = unsafe chunk.withUnsafeBytes { bytes in
                    unsafe write(descriptor, bytes.baseAddress.map { unsafe $0 + written }, count - written)
                }
                if result < 0, errno == EINTR { continue }
                guard result > 0 else {
                    let code = errno
                    close(descriptor)
                    throw .system(.write, path: folder, code: code)
                }
                written += result
            }
        }
        guard systemError == 0 else {
            close(descriptor)
            throw .system(.read, path: path, code: systemError)
        }
        lseek(descriptor, 0, SEEK_SET)
        return descriptor
    }

    /// The functions by which libsndfile reads from a pipe (sf_open_virtual in its documentation); the user data is an
    /// unretained `PipeInput`, which the reader keeps as long as the handle.
    static var operations: SF_VIRTUAL_IO {
        unsafe SF_VIRTUAL_IO(
            get_filelen: { _ in sf_count_t(PipeInput.claimedLength) },
            seek: { offset, whence, data in
                guard let input = unsafe PipeInput.from(data) else { return -1 }
                switch whence {
                case SEEK_SET: input.position = Int(offset)
                case SEEK_CUR: input.position += Int(offset)
                default: input.position = PipeInput.claimedLength + Int(offset)
                }
                return sf_count_t(input.position)
            },
            read: { buffer, count, data in
                guard let input = unsafe PipeInput.from(data) else { return 0 }
                let buffer = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: Int(count))
                return unsafe sf_count_t(input.read(into: buffer))
            },
            write: { _, _, _ in 0 },
            tell: { data in unsafe sf_count_t(PipeInput.from(data)?.position ?? 0) })
    }

    private static func from(_ data: UnsafeMutableRawPointer?) -> PipeInput? {
        unsafe data.map { unsafe Unmanaged<PipeInput>.fromOpaque($0).takeUnretainedValue() }
    }
}

extension RawFormat.Encoding {
    /// The libsndfile format of headerless samples.
    var libraryFormat: Int32 {
        let (subtype, endian) =
            switch self {
            case .u8: (SF_FORMAT_PCM_U8, SF_ENDIAN_FILE)
            case .s8: (SF_FORMAT_PCM_S8, SF_ENDIAN_FILE)
            case .s16le: (SF_FORMAT_PCM_16, SF_ENDIAN_LITTLE)
            case .s16be: (SF_FORMAT_PCM_16, SF_ENDIAN_BIG)
            case .s24le: (SF_FORMAT_PCM_24, SF_ENDIAN_LITTLE)
            case .s24be: (SF_FORMAT_PCM_24, SF_ENDIAN_BIG)
            case .s32le: (SF_FORMAT_PCM_32, SF_ENDIAN_LITTLE)
            case .s32be: (SF_FORMAT_PCM_32, SF_ENDIAN_BIG)
            case .f32le: (SF_FORMAT_FLOAT, SF_ENDIAN_LITTLE)
            case .f32be: (SF_FORMAT_FLOAT, SF_ENDIAN_BIG)
            case .f64le: (SF_FORMAT_DOUBLE, SF_ENDIAN_LITTLE)
            case .f64be: (SF_FORMAT_DOUBLE, SF_ENDIAN_BIG)
            case .ulaw: (SF_FORMAT_ULAW, SF_ENDIAN_FILE)
            case .alaw: (SF_FORMAT_ALAW, SF_ENDIAN_FILE)
            }
        return Int32(SF_FORMAT_RAW | subtype | endian)
    }
}
