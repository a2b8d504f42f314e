internal import Glibc

/// A regular file that is shorter than its header says. It reports a greater length, so that readers that would refuse it
/// read it to its end. Owns a duplicate of the descriptor.
final class TruncatedFileInput: ByteInput {
    let length: Int
    var position = 0
    private let descriptor: Int32

    /// - Parameter actualLength: of the file. The reported length is 2 GiB or this: libsndfile 1.2 takes longer ones to its
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
