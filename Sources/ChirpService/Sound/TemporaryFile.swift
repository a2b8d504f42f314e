internal import ChirpSound
internal import Foundation

/// Files without a name in the folder for temporary ones, `TMPDIR` or `/tmp`.
package enum TemporaryFile {
    /// Makes one.
    ///
    /// - Returns: a descriptor to write and read, which the caller closes.
    package static func open() throws(TemporaryFileError) -> Int32 {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("chirp-\(UUID().uuidString)").path
        let descriptor = FilePath.open(file, flags: O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
        guard descriptor >= 0 else { throw TemporaryFileError() }
        FilePath.withSystemPath(file) { _ = unlink($0) }
        return descriptor
    }

    /// Writes all bytes.
    static func write(_ bytes: some ContiguousBytes, to descriptor: Int32) throws(TemporaryFileError) {
        let isWritten = bytes.withUnsafeBytes { bytes in
            var done = 0
            while done < bytes.count {
                let count = Glibc.write(descriptor, bytes.baseAddress! + done, bytes.count - done)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                done += count
            }
            return true
        }
        guard isWritten else { throw TemporaryFileError() }
    }
}

/// Why there is no temporary file, or no more of it.
package struct TemporaryFileError: Error, CustomStringConvertible {
    /// What the system said, as `errno` has it.
    let code: Int32

    init() { code = errno }

    package var description: String {
        "\(FileManager.default.temporaryDirectory.path): \(String(cString: strerror(code)))"
    }
}
