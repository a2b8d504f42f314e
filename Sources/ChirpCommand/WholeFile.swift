internal import ChirpPictures
internal import ChirpSound
internal import Foundation

/// Files that are there as a whole or not at all.
enum WholeFile {
    /// Writes a file beside the one of this name, and puts it in its place with the same permissions. Where the name is a link, what it
    /// leads to is replaced; a pipe or a device is written to.
    ///
    /// - Throws: `POSIXError`
    static func write(_ bytes: [UInt8], to path: String) throws {
        var (status, own) = (stat(), stat())
        let exists = FilePath.withSystemPath(path) { stat($0, &status) } == 0
        let isDanglingLink =
            !exists && FilePath.withSystemPath(path) { lstat($0, &own) } == 0 && own.st_mode & S_IFMT == S_IFLNK
        guard !isDanglingLink, !exists || status.st_mode & S_IFMT == S_IFREG else {
            let descriptor = FilePath.open(path, flags: O_WRONLY | O_CREAT)
            guard descriptor >= 0 else { throw failure() }
            defer { close(descriptor) }
            return try fill(descriptor, with: bytes)
        }
        let (target, folder) = destination(of: path, exists: exists)
        let beside = folder + Array(".chirp-\(UUID().uuidString)".utf8)
        let (source, place) = (FilePath.string(of: beside), FilePath.string(of: target))
        let descriptor = FilePath.open(source, flags: O_WRONLY | O_CREAT | O_EXCL)
        guard descriptor >= 0 else { throw failure() }
        do {
            defer { close(descriptor) }
            if exists, fchmod(descriptor, status.st_mode & 0o7777) != 0 { throw failure() }
            try fill(descriptor, with: bytes)
            guard FilePath.withSystemPath(source, { old in FilePath.withSystemPath(place) { rename(old, $0) } }) == 0
            else { throw failure() }
        } catch {
            FilePath.withSystemPath(source) { _ = unlink($0) }
            throw error
        }
    }

    /// Says, before there is anything to write, what would stop ``write(_:to:)``: a folder in the place of the file, or one that it cannot be
    /// made in.
    ///
    /// - Throws: ``ContentProblem``
    static func check(_ path: String) throws {
        var status = stat()
        let exists = FilePath.withSystemPath(path) { stat($0, &status) } == 0
        guard !exists || status.st_mode & S_IFMT != S_IFDIR else {
            throw ContentProblem(path: path, cause: failure(EISDIR))
        }
        guard !exists || status.st_mode & S_IFMT == S_IFREG else { return }
        let (_, folder) = destination(of: path, exists: exists)
        let place = folder.isEmpty ? "." : FilePath.string(of: folder)
        guard FilePath.withSystemPath(place, { access($0, W_OK | X_OK) }) == 0 else {
            throw ContentProblem(path: path, cause: failure())
        }
    }

    /// The path that a file gets, links followed, and the folder that it is made in, up to its last slash.
    private static func destination(of path: String, exists: Bool) -> (target: [UInt8], folder: ArraySlice<UInt8>) {
        let target = exists ? realPath(of: path) : FilePath.bytes(of: path)
        return (target, target.prefix((target.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1))
    }

    private static func realPath(of path: String) -> [UInt8] {
        FilePath.withSystemPath(path) { name in
            guard let real = realpath(name, nil) else { return FilePath.bytes(of: path) }
            defer { free(real) }
            return Array(UnsafeRawBufferPointer(start: real, count: strlen(real)))
        }
    }

    private static func fill(_ descriptor: Int32, with bytes: [UInt8]) throws {
        do { try UnbufferedOutput.writeAll(bytes, to: descriptor) } catch { throw failure(error.code) }
    }

    private static func failure(_ code: Int32 = errno) -> POSIXError {
        POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO)
    }
}

extension Gnuplot {
    /// Draws a picture into a file.
    ///
    /// - Throws: ``ContentProblem``, ``ChirpPictures/PictureError``
    func draw(_ picture: some Picture, to file: PictureFile) throws {
        let bytes = try draw(picture, format: file.format)
        do { try WholeFile.write(Array(bytes), to: file.path) } catch {
            throw ContentProblem(path: file.path, cause: error)
        }
    }
}
