internal import Foundation

/// Standard output with its reader watched, so that one who goes away is noticed without waiting for the next result.
enum UnbufferedOutput {
    /// Writes a line at once.
    ///
    /// - Throws: ``OutputFailure``
    static func write(_ line: String) throws(OutputFailure) {
        let bytes = Array((line + "\n").utf8)
        var done = 0
        while done < bytes.count {
            let rest = Array(bytes[done...])
            let count = Foundation.write(STDOUT_FILENO, rest, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw OutputFailure(code: errno) }
            done += count
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
