internal import Foundation

/// Results, a line at a time and at once, so that a pipe's reader need not wait.
enum StandardOutput {
    static func print(_ line: String) throws(OutputError) {
        do {
            try UnbufferedOutput.write(line)
        } catch {
            throw OutputError(reason: String(cString: strerror(error.code)))
        }
    }
}

/// Standard output does not take the results: its disk is full, say.
struct OutputError: Error {
    let reason: String
}

extension OutputError: UserFacingError {
    var userMessage: String { "standard output: cannot write: \(reason)" }
}
