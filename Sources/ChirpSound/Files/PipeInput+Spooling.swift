internal import Glibc

extension PipeInput {
    /// How the sound on a pipe is to be read, by its first bytes.
    enum Kind {
        /// From front to end: WAV and AU.
        case streamed
        /// Its end is needed first.
        case spooled
        case unknown
    }

    var kind: Kind {
        let start = Array(peek(12))
        func begins(with mark: String) -> Bool { start.starts(with: mark.utf8) }
        if ["RIFF", "RIFX", ".snd"].contains(where: begins) { return .streamed }
        let isFrameOfMPEG = start.count > 1 && start[0] == 0xFF && start[1] & 0xE0 == 0xE0
        let marks = ["OggS", "fLaC", "FORM", "caff", "RF64", "riff", "ID3", "NIST", "Creative Voi"]
        return isFrameOfMPEG || marks.contains(where: begins) ? .spooled : .unknown
    }

    /// Copies everything into a temporary file without a name and gives back its descriptor, which the caller closes, and
    /// its length.
    func spool(path: String) throws(AudioFileError) -> (descriptor: Int32, length: Int) {
        let descriptor = try TemporaryFile.open()
        isOpening = false
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe read(into: $0) }
            guard count > 0 else { break }
            do {
                try TemporaryFile.write(chunk[..<count], to: descriptor)
            } catch {
                close(descriptor)
                throw error
            }
        }
        guard systemError == 0 else {
            close(descriptor)
            throw .system(.read, path: path, code: systemError)
        }
        lseek(descriptor, 0, SEEK_SET)
        return (descriptor, position)
    }
}

/// Writes bytes until the last, whatever the system takes at a time.
func writeAll(_ bytes: ArraySlice<UInt8>, to descriptor: Int32, path: String) throws(AudioFileError) {
    var rest = bytes
    while !rest.isEmpty {
        let count = unsafe rest.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw .system(.write, path: path, code: errno) }
        rest = rest.dropFirst(count)
    }
}
