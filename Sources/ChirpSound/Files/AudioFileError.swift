/// Why a sound file cannot be read or written. `path` is the file as the caller named it, `-` for a standard stream.
public enum AudioFileError: Error, Sendable, Hashable {
    public enum Operation: Sendable, Hashable { case open, read, write }

    /// The system refused; its error number.
    case system(Operation, path: String, code: Int32)
    case isDirectory(path: String)
    case isEmpty(path: String)
    /// It is not a kind of sound file that the library knows; the library's reason.
    case notSound(path: String, reason: String)
    /// The sound file library failed at something else; its reason.
    case library(Operation, path: String, reason: String)
    /// It comes through a pipe and has more channels than can be listened to at once.
    case tooManyChannels(path: String, count: Int, most: Int)
    /// It would be longer than its format can say.
    case tooLong(path: String)
    /// No format is written under this extension; those that are.
    case unknownExtension(path: String, known: [String])
}
