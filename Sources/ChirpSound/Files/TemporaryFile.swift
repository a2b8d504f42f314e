internal import Glibc

/// Files without a name in the folder for temporary ones, `TMPDIR` or `/tmp`: they go with the process, however it ends.
package enum TemporaryFile {
    /// The folder that they are made in.
    static var folder: String { unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp" }

    /// Makes one.
    ///
    /// - Returns: a descriptor to write and read, which the caller closes.
    /// - Throws: ``AudioFileError/system(_:path:code:)`` with the folder's path.
    package static func open() throws(AudioFileError) -> Int32 {
        let folder = folder
        var name = Array((folder + "/chirp-XXXXXX").utf8CString)
        let descriptor = unsafe mkstemp(&name)
        guard descriptor >= 0 else { throw .system(.write, path: folder, code: errno) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = unsafe unlink(name)
        return descriptor
    }

    /// Writes all bytes.
    ///
    /// - Throws: ``AudioFileError/system(_:path:code:)`` with the folder's path.
    package static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) throws(AudioFileError) {
        try writeAll(bytes, to: descriptor, path: folder)
    }
}
