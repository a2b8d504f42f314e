public import Chirp

/// A link to be registered.
public struct LinkDraft: Sendable, Hashable {
    /// The longest title, in characters.
    public static let titleLimit = 500

    public let link: Link
    /// The bytes of a file; nil for every other kind.
    public let content: [UInt8]?
    /// One line, or nil.
    public let title: String?
    /// The media type that a client claimed for an address or note, or nil. Nothing is decided by it.
    public let claimedMediaType: String?
    /// The code to register it under, or nil for one drawn at random.
    public let code: Shortcode?
    /// When it expires, or nil for never.
    public let expires: Timestamp?
    /// Which program asked, nothing personal: `command`, `page`, `api`; at most 40 characters.
    public let clientKind: String
    /// What will delete it. Registering is idempotent by it: whoever repeats a draft after a broken connection learns
    /// that the link is new and that the token holds.
    public let deletionToken: DeletionToken

    /// A draft of anything but a file.
    ///
    /// - Throws: ``LinkError`` when title or media type cannot be, or `expires` is not after `now`.
    public init(
        _ link: Link, title: String? = nil, claimedMediaType: String? = nil, code: Shortcode? = nil,
        expires: Timestamp? = nil, clientKind: String, deletionToken: DeletionToken = DeletionToken(),
        now: Timestamp = .now
    ) throws(LinkError) {
        if case .file = link { preconditionFailure("a file's draft is made from its bytes") }
        try self.init(
            link: link, content: nil, title: title, claimedMediaType: claimedMediaType, code: code, expires: expires,
            clientKind: clientKind, deletionToken: deletionToken, now: now)
    }

    /// A draft of a picture or PDF.
    ///
    /// - Throws: ``LinkError`` as above, or when the bytes are no picture or PDF of at most 10 MB.
    public init(
        fileNamed name: String, bytes: [UInt8], title: String? = nil, code: Shortcode? = nil,
        expires: Timestamp? = nil, clientKind: String, deletionToken: DeletionToken = DeletionToken(),
        now: Timestamp = .now
    ) throws(LinkError) {
        try self.init(
            link: .file(FileDescription(name: name, bytes: bytes)), content: bytes, title: title,
            claimedMediaType: nil, code: code, expires: expires, clientKind: clientKind, deletionToken: deletionToken,
            now: now)
    }

    private init(
        link: Link, content: [UInt8]?, title: String?, claimedMediaType: String?, code: Shortcode?,
        expires: Timestamp?, clientKind: String, deletionToken: DeletionToken, now: Timestamp
    ) throws(LinkError) {
        if let expires, expires <= now { throw .expired }
        self.link = link
        self.content = content
        self.title = try LinkRecord.checkedTitle(title)
        self.claimedMediaType = try LinkRecord.checkedMediaType(claimedMediaType)
        self.code = code
        self.expires = expires
        self.clientKind = LinkRecord.cleanedClientKind(clientKind)
        self.deletionToken = deletionToken
    }
}
