/// Why something cannot be a link.
public enum LinkError: Error, Sendable, Hashable {
    /// A Last.fm name has 2 to 15 characters.
    case userNameLength(String)
    /// A Last.fm name begins with a letter.
    case userNameStart(String)
    /// A Last.fm name has letters, digits, hyphens and underscores only.
    case userNameCharacter(String, Character)
    /// A chart's two instants are not the bounds of one week.
    case notAWeek(from: Int64, to: Int64)
    /// A web address is empty, or has a space or control character in it.
    case malformedAddress(String)
    /// A web address of another scheme than http and https, or of none.
    case addressScheme(String)
    /// A web address without a host.
    case addressHost(String)
    /// A port that is no number from 1 to 65535.
    case addressPort(String)
    /// A web address with a user name or password in it, which a registry would give to everybody.
    case addressCredentials
    /// A web address longer than `limit` bytes.
    case addressLength(Int, limit: Int)
    /// A note without text.
    case emptyText
    /// A note of more than `limit` characters.
    case textLength(Int, limit: Int)
    /// A note of more than `limit` bytes, though not of too many characters.
    case textBytes(Int, limit: Int)
    /// A note with the character U+0000 in it.
    case textCharacter
    /// What should be a JSON object is none; `reason` is the parser's.
    case notAnObject(reason: String)
    /// A JSON object of more than `limit` bytes.
    case dataLength(Int, limit: Int)
    /// A file without bytes.
    case emptyFile
    /// A file of more than `limit` bytes.
    case fileLength(Int, limit: Int)
    /// A file whose bytes are none of the accepted types.
    case fileType
    /// A title of more than `limit` characters.
    case titleLength(Int, limit: Int)
    /// A title of few characters with very many marks on them.
    case titleBytes(limit: Int)
    /// A media type that is not of the form `type/subtype`.
    case mediaType(String)
    /// A link whose end is not after its beginning.
    case expired
    /// A rule of one kind that has no case here; `reason` is a clause, such as “the latitude is not from -90 to 90”.
    case invalid(LinkKind, reason: String)
}
