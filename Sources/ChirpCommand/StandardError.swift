internal import Foundation

/// Messages to the person at the terminal, one line each, whole even when several threads write.
enum StandardError {
    /// Says what went wrong.
    static func report(_ error: any Error) { report(sentence(for: error)) }

    /// Says something that does not end the work.
    static func warn(_ sentence: String) { report("warning: " + sentence) }

    private static func report(_ sentence: String) {
        FileHandle.standardError.write(Data("chirp: \(sentence)\n".utf8))
    }
}
