internal import Foundation

/// Messages to the person at the terminal, one line each, whole even when several threads write.
enum StandardError {
    /// Says what went wrong.
    static func report(_ error: any Error) { report(sentence(for: error)) }

    /// Says something that does not end the work.
    static func warn(_ sentence: String) { report("warning: " + sentence) }

    /// Says something that does not end the work, as an error would.
    static func warn(_ notice: any ExplainedError) { warn(notice.sentence) }

    /// Says something that is neither an error nor a warning.
    static func say(_ sentence: String) { report(sentence) }

    /// Says what went wrong, in a sentence that is made already.
    static func report(_ sentence: String) {
        FileHandle.standardError.write(Data("chirp: \(sentence)\n".utf8))
    }
}
