internal import ChirpSound
internal import Foundation

/// Messages to the person at the terminal, one line each, whole even when several threads write.
enum StandardError {
    /// Says what went wrong.
    static func report(_ error: any Error) { report(userMessage(for: error)) }

    /// Says something that does not end the work.
    static func warn(_ sentence: String) { report("warning: " + sentence) }

    /// Says something that does not end the work, as an error would.
    static func warn(_ notice: any UserFacingError) { warn(notice.userMessage) }

    /// Says something that is neither an error nor a warning.
    static func say(_ sentence: String) { report(sentence) }

    /// Says what went wrong, in a sentence that is made already.
    static func report(_ sentence: String) {
        // Names of files may have control characters in them, line ends among them.
        write("chirp: \(TerminalText.printable(FilePath.printable(sentence)))\n")
    }

    /// Writes text as it is.
    static func write(_ text: String) { try? own.write(contentsOf: Data(text.utf8)) }

    /// The descriptor that messages go to.
    static var descriptor: Int32 { own.fileDescriptor }

    /// Has libraries that write to standard error of themselves, as libmpg123 does of damaged MP3 files, write to nowhere
    /// for the rest of the process.
    static func silenceLibraries() {
        _ = own
        let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
        guard nowhere >= 0 else { return }
        dup2(nowhere, STDERR_FILENO)
        close(nowhere)
    }

    /// A descriptor of our own, which stays when the libraries' is put away.
    private static let own: FileHandle = {
        let descriptor = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
        return descriptor < 0 ? .standardError : FileHandle(fileDescriptor: descriptor)
    }()
}
