public import Chirp

/// A link as a registry keeps it.
public struct LinkRecord: Sendable, Hashable {
    public let code: Shortcode
    public let link: Link
    /// One line, or nil.
    public let title: String?
    /// The media type that a client claimed for an address or note, or nil.
    public let claimedMediaType: String?
    public let created: Timestamp
    /// When it expires, or nil for never.
    public let expires: Timestamp?
    /// Which kind of program registered it.
    public let clientKind: String

    public init(
        code: Shortcode, link: Link, title: String?, claimedMediaType: String?, created: Timestamp,
        expires: Timestamp?, clientKind: String
    ) {
        self.code = code
        self.link = link
        self.title = title
        self.claimedMediaType = claimedMediaType
        self.created = created
        self.expires = expires
        self.clientKind = clientKind
    }

    /// A file's type as its bytes tell it, or else what a client claimed.
    public var mediaType: String? {
        if case .file(let file) = link { file.mediaType.rawValue } else { claimedMediaType }
    }

    /// Whether it has expired.
    public func isExpired(at now: Timestamp) -> Bool { expires.map { $0 <= now } ?? false }

    /// The kind of program as one line of at most 40 characters.
    static func cleanedClientKind(_ text: String) -> String { singleLine(text, first: 40) }

    /// As for characters with many accents.
    private static let titleByteLimit = 16 * LinkDraft.titleLimit

    /// A title as one line, nil for an empty one.
    static func checkedTitle(_ title: String?) throws(LinkError) -> String? {
        // What is far too long is not gone through.
        if let title, title.utf8.count > 1_024 * LinkDraft.titleLimit { throw .titleBytes(limit: titleByteLimit) }
        guard let line = title.map(singleLine), !line.isEmpty else { return nil }
        guard line.count <= LinkDraft.titleLimit else {
            throw .titleLength(line.count, limit: LinkDraft.titleLimit)
        }
        guard line.utf8.count <= titleByteLimit else { throw .titleBytes(limit: titleByteLimit) }
        return line
    }

    /// A media type of the form `type/subtype` with optional parameters (RFC 6838, 4.2), nil for an empty one.
    static func checkedMediaType(_ mediaType: String?) throws(LinkError) -> String? {
        guard let text = mediaType.map({ singleLine($0, first: 200) }), !text.isEmpty else { return nil }
        let essence = text.prefix { $0 != ";" }
        let halves = essence.split(separator: "/", omittingEmptySubsequences: false)
        let isName = { (half: Substring) in
            !half.isEmpty && half.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"()<>@,;:\\\"/[]?=".utf8.contains($0) }
        }
        guard text.utf8.count <= 127, halves.count == 2, halves.allSatisfy({ isName($0) }) else {
            throw .mediaType(text)
        }
        return text
    }
}
