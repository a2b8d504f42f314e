internal import Glibc

/// A file descriptor that cannot seek. Does not own it.
///
/// The sound file library looks around in a header before it reads on: the first bytes are kept for that. While a file
/// is being opened, whatever lies beyond them reads as the end, so that skipping over the samples in search of what may
/// follow neither waits for them nor swallows them.
final class PipeInput: ByteInput {
    /// More than any header that is not there for its size.
    private static let headCapacity = 1 << 20

    let length = PipeInput.unboundedLength
    var position = 0
    /// Whether the library is still looking around.
    var isOpening = true
    /// Why reading failed, 0 when it did not.
    private(set) var systemError: Int32 = 0

    private let descriptor: Int32
    private var head: [UInt8] = []
    private var streamPosition = 0
    private var reachedEnd = false

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// The first bytes, as many as there are up to `count`, without moving on.
    func peek(_ count: Int) -> ArraySlice<UInt8> {
        fillHead(to: min(count, Self.headCapacity))
        return head.prefix(count)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var done = 0
        if position < Self.headCapacity, position <= head.count || isOpening {
            if isOpening { fillHead(to: min(position + buffer.count, Self.headCapacity)) }
            let range = min(position, head.count)..<min(position + buffer.count, head.count)
            unsafe buffer.copyBytes(from: head[range])
            done = range.count
            position += done
        }
        guard !isOpening, position == streamPosition else { return done }
        head = []
        while done < buffer.count {
            let count = unsafe readOnce(UnsafeMutableRawBufferPointer(rebasing: buffer[done...]))
            guard count > 0 else { break }
            done += count
            position += count
        }
        return done
    }

    private func fillHead(to count: Int) {
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
