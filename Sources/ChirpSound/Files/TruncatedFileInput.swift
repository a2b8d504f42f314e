internal import Glibc

/// A regular file that is said to be longer than it is, so that formats whose readers refuse a file shorter than its
/// header says are read as far as it goes. Owns a duplicate of the descriptor.
final class TruncatedFileInput: ByteInput {
    let length: Int
    var position = 0
    private let descriptor: Int32

    /// - Parameter actualLength: of the file. The length told is 2 GiB or this: libsndfile 1.2 takes longer ones to its
    ///   sums in 32 bits where a chunk is longer than the file.
    init(descriptor: Int32, actualLength: Int) {
        self.descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        length = max(actualLength, Int(Int32.max))
    }

    deinit { close(descriptor) }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = unsafe max(0, pread(descriptor, buffer.baseAddress, buffer.count, position))
        position += count
        return count
    }
}
