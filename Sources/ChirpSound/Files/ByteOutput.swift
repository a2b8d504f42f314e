internal import CSndfile
internal import Glibc

/// A file that the sound file library writes through functions of ours, as not all of its encoders tell that they could not
/// write: an Ogg or FLAC file on a full disk would just be short.
///
/// Owns the descriptor. libsndfile's user data points to it.
final class ByteOutput {
    private let path: String
    private var descriptor: Int32
    /// The system's first error.
    private var code: Int32 = 0

    /// Creates the file, or replaces it.
    init(path: String) throws(AudioFileError) {
        self.path = path
        descriptor = FilePath.open(path, flags: O_WRONLY | O_CREAT | O_TRUNC)
        guard descriptor >= 0 else { throw .system(.open, path: path, code: errno) }
        guard lseek(descriptor, 0, SEEK_CUR) >= 0 else {
            throw .library(.open, path: path, reason: "It is a pipe, and a file's header is completed at the end.")
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Closes the file: some file systems tell only then that there is no room.
    func finish() throws(AudioFileError) {
        if descriptor >= 0, close(descriptor) != 0, code == 0 { code = errno }
        descriptor = -1
        try check()
    }

    /// What could not be written so far.
    func check() throws(AudioFileError) {
        if code != 0 { throw .system(.write, path: path, code: code) }
    }

    private func attempt(_ operation: () -> Int) -> sf_count_t {
        while true {
            let result = operation()
            if result >= 0 { return sf_count_t(result) }
            guard errno == EINTR else { break }
        }
        if code == 0 { code = errno }
        return -1
    }

    private static func output(_ data: UnsafeMutableRawPointer?) -> ByteOutput? {
        unsafe data.map { unsafe Unmanaged<ByteOutput>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The functions of SF_VIRTUAL_IO, as libsndfile's documentation of sf_open_virtual describes them.
    static var operations: SF_VIRTUAL_IO {
        unsafe SF_VIRTUAL_IO(
            get_filelen: { data in
                guard let output = unsafe ByteOutput.output(data) else { return -1 }
                var status = stat()
                return output.attempt { unsafe Int(fstat(output.descriptor, &status)) } < 0
                    ? -1 : sf_count_t(status.st_size)
            },
            seek: { offset, whence, data in
                guard let output = unsafe ByteOutput.output(data) else { return -1 }
                return output.attempt { lseek(output.descriptor, Int(offset), whence) }
            },
            read: { _, _, _ in 0 },
            write: { buffer, count, data in
                guard let output = unsafe ByteOutput.output(data), let buffer = unsafe buffer else { return 0 }
                var done = 0
                while done < Int(count) {
                    let written = output.attempt {
                        unsafe Glibc.write(output.descriptor, buffer + done, Int(count) - done)
                    }
                    guard written > 0 else { break }
                    done += Int(written)
                }
                return sf_count_t(done)
            },
            tell: { data in
                guard let output = unsafe ByteOutput.output(data) else { return -1 }
                return output.attempt { lseek(output.descriptor, 0, SEEK_CUR) }
            })
    }
}
