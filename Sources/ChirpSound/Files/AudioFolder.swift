internal import Glibc

/// The sound files in a folder and the folders in it.
public enum AudioFolder {
    /// Extensions of the files that are taken for sound, in lower case: what libsndfile reads.
    public static let fileExtensions: Set<String> = [
        "aif", "aifc", "aiff", "au", "avr", "caf", "flac", "iff", "mp3", "mpc", "oga", "ogg", "opus", "paf", "rf64",
        "sf",
        "snd", "svx", "voc", "w64", "wav", "wave", "xi",
    ]

    public static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return unsafe FilePath.withSystemPath(path) { unsafe stat($0, &status) } == 0
            && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Whether it is a file, or what cannot be looked at and is to be reported: a pipe would be waited for.
    private static func isFile(_ path: String) -> Bool {
        var status = stat()
        return unsafe FilePath.withSystemPath(path) { unsafe stat($0, &status) } != 0
            || status.st_mode & S_IFMT == S_IFREG
    }

    /// Paths of the sound files, each beginning with `path`, in order of their names; hidden ones are left out. Links to
    /// folders are not followed, so that the search ends.
    ///
    /// - Returns: the files, and why some of the folders could not be read.
    public static func files(in path: String) -> (files: [String], failures: [AudioFileError]) {
        var files: [String] = []
        var failures: [AudioFileError] = []
        var folders = [path]
        while let folder = folders.popLast() {
            var inside: [String] = []
            var names: [String] = []
            do { names = try Self.names(in: folder) } catch { failures.append(error) }
            for name in names where !name.hasPrefix(".") {
                let child = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
                var status = stat()
                let isKnown = unsafe FilePath.withSystemPath(child) { unsafe lstat($0, &status) } == 0
                if isKnown, status.st_mode & S_IFMT == S_IFDIR {
                    inside.append(child)
                } else if let dot = name.lastIndex(of: "."),
                    fileExtensions.contains(name[name.index(after: dot)...].lowercased()), isFile(child)
                {
                    files.append(child)
                }
            }
            folders += inside
        }
        return (files.sorted(), failures)
    }

    private static func names(in folder: String) throws(AudioFileError) -> [String] {
        guard let stream = unsafe FilePath.withSystemPath(folder, { unsafe opendir($0) }) else {
            throw .system(.open, path: folder, code: errno)
        }
        defer { unsafe _ = closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe FilePath.string(of: bytes.prefix { $0 != 0 })
            }
            names.append(name)
        }
        return names
    }
}
