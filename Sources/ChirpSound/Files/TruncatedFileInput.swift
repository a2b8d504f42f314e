internal import Glibc

/// A Core Audio file that ends before its samples do, which libsndfile refuses. It is read as if its header gave the length of what is there.
/// Owns a duplicate of the descriptor.
///
/// The file's length is reported as it is: behind the end of a file that claims to be longer, libsndfile looks for chunks without end.
final class TruncatedFileInput: ByteInput {
    let length: Int
    var position = 0
    private let descriptor: Int32
    /// Where the header has the length of the samples' chunk.
    private let lengthOffset: Int
    /// The one that is right, as the header would have it.
    private let lengthBytes: [UInt8]

    /// - Parameters:
    ///   - length: of the file.
    ///   - bytes: gives the bytes at a place, fewer where the file ends.
    /// - Returns: nil for any other file.
    init?(descriptor: Int32, length: Int, bytes: (_ offset: Int, _ count: Int) -> [UInt8]) {
        guard let offset = Self.offsetOfSamples(length: length, bytes: bytes) else { return nil }
        lengthOffset = offset + 4
        lengthBytes = (0..<8).map { UInt8(truncatingIfNeeded: (length - offset - 12) >> (56 - 8 * $0)) }
        self.length = length
        self.descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    }

    deinit { close(descriptor) }

    /// Place of the chunk of the samples when it is longer than the rest of the file.
    ///
    /// "Apple Core Audio Format Specification 1.0": a file header of 8 bytes, and chunks with a type of 4 bytes and a length of 8, which does
    /// not count those.
    private static func offsetOfSamples(length: Int, bytes: (_ offset: Int, _ count: Int) -> [UInt8]) -> Int? {
        guard bytes(0, 4).elementsEqual("caff".utf8) else { return nil }
        var offset = 8
        for _ in 0..<mostChunks {
            let head = bytes(offset, 12)
            guard head.count == 12 else { return nil }
            let claimed = head[4...].reduce(0) { $0 << 8 | UInt64($1) }
            let rest = UInt64(max(0, length - offset - 12))
            // Four bytes before the samples count the file's edits.
            if head.starts(with: "data".utf8) { return claimed > rest && rest > 4 ? offset : nil }
            guard claimed <= rest else { return nil }
            offset += 12 + Int(claimed)
        }
        return nil
    }

    private static let mostChunks = 256

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = unsafe max(0, pread(descriptor, buffer.baseAddress, buffer.count, position))
        for (index, byte) in lengthBytes.enumerated() {
            let place = lengthOffset + index - position
            if (0..<count).contains(place) { unsafe buffer[place] = byte }
        }
        position += count
        return count
    }
}
