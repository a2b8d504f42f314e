internal import ChirpSound
internal import Foundation

extension FileHandle {
    /// Opens a file for reading whose name may be any bytes, see ``ChirpSound/FilePath``.
    ///
    /// - Throws: `POSIXError`
    convenience init(readingPath path: String) throws {
        let descriptor = FilePath.open(path, flags: O_RDONLY)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        self.init(fileDescriptor: descriptor, closeOnDealloc: true)
    }
}
