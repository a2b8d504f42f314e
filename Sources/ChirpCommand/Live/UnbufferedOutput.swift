internal import Foundation

/// Standard output with its reader watched, so that one who goes away is noticed without waiting for the next result.
enum UnbufferedOutput {
    /// Writes a line at once.
    ///
    /// - Throws: ``OutputFailure``
    static func write(_ line: String) throws(OutputFailure) {
        try writeAll(Array((line + "\n").utf8), to: STDOUT_FILENO)
    }

    /// Writes all bytes to a descriptor, however many calls it takes.
    ///
    /// - Throws: ``OutputFailure``
    static func writeAll(_ bytes: [UInt8], to descriptor: Int32) throws(OutputFailure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw OutputFailure(code: errno) }
            rest = rest.dropFirst(count)
        }
    }

    /// Whether the reading end of a pipe has been closed.
    static var isClosed: Bool {
        var descriptor = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
        return poll(&descriptor, 1, 0) > 0 && descriptor.revents & Int16(POLLERR) != 0
    }
}

/// Standard output does not take the results; the system's error number.
struct OutputFailure: Error {
    let code: Int32
}
