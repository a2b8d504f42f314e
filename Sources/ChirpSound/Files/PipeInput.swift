internal import Glibc

/// A file descriptor that cannot seek, given to the sound file library as a file of unknown, enormous length.
///
/// The library looks around in a header before it reads on: the first bytes are kept for that. While a file is being
/// opened, whatever lies beyond them reads as the end, so that skipping over the samples in search of what may follow
/// neither waits for them nor swallows them.
final class PipeInput {
    /// Samples of a short file are looked past from here as well, so it is larger than any header.
    private static let headCapacity = 1 << 20
    /// What the library is told: more than any pipe will bring, and far from overflowing.
    static let claimedLength = 1 << 60

    private let descriptor: Int32
    private let ownsDescriptor: Bool
    private var head: [UInt8] = []
    private var streamPosition = 0
    private var reachedEnd = false
    private(set) var systemError: Int32 = 0
    var position = 0
    var isOpening = true

    init(descriptor: Int32, ownsDescriptor: Bool) {
        self.descriptor = descriptor
        self.ownsDescriptor = ownsDescriptor
    }

    deinit { if ownsDescriptor { close(descriptor) } }

    /// The first bytes, as many as there are up to `count`, without moving on.
    func peek(_ count: Int) -> [UInt8] {
        fillHead(to: count)
        return Array(head.prefix(count))
    }

    /// Reads up to `buffer.count` bytes at the position and moves on; 0 at the end, or where a pipe cannot go back to.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var done = 0
        if position < Self.headCapacity, position <= head.count || isOpening {
            fillHead(to: min(position + buffer.count, Self.headCapacity))
            let range = min(position, head.count)..<min(position + buffer.count, head.count)
            unsafe buffer.copyBytes(from: head[range])
            done = range.count
            position += done
        }
        guard !isOpening, position == streamPosition else { return done }
        while done < buffer.count {
            let count = unsafe readOnce(UnsafeMutableRawBufferPointer(rebasing: buffer[done...]))
            guard count > 0 else { break }
            done += count
            position += count
        }
        return done
    }

    private func fillHead(to count: Int) {
        guard streamPosition == head.count else { return }
        while head.count < count, !reachedEnd {
            var chunk = [UInt8](repeating: 0, count: count - head.count)
            let got = unsafe chunk.withUnsafeMutableBytes { unsafe readOnce($0) }
            head += chunk.prefix(got)
        }
    }

    private func readOnce(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard !reachedEnd else { return 0 }
        while true {
            let count = unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            if count < 0, errno == EINTR { continue }
            if count < 0 { systemError = errno }
            if count <= 0 { reachedEnd = true }
            streamPosition += max(count, 0)
            return max(count, 0)
        }
    }
}
