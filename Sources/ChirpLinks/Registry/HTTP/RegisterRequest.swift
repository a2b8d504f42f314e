internal import Chirp

/// The body of `POST /registry/links`: a draft as JSON.
///
/// The members of ``LinkSummary`` (of a file `name` is enough), and beside them `asked_by`, `deletion_token`, and where
/// there is one `code`, `expires` and a file's `content` in base 64.
public struct RegisterRequest: Sendable, Hashable {
    private let summary: LinkSummary
    private let rest: Rest

    private struct Rest: Sendable, Hashable, Codable {
        enum CodingKeys: String, CodingKey {
            case code, expires, content
            case clientKind = "asked_by"
            case deletionToken = "deletion_token"
        }
        var code: String?
        var expires: Timestamp?
        var content: String?
        var clientKind: String?
        var deletionToken: String?
    }

    /// The request that a draft is sent as.
    public init(_ draft: LinkDraft) {
        summary = LinkSummary(draft.link, title: draft.title, claimedMediaType: draft.claimedMediaType)
        rest = Rest(
            code: draft.code?.description, expires: draft.expires, content: draft.content.map(Base64.encode),
            clientKind: draft.clientKind, deletionToken: draft.deletionToken.text)
    }

    /// The draft that was sent.
    ///
    /// - Throws: ``LinkError``, ``LinkSummaryError``, `ShortcodeError` or ``RegisterRequestError``.
    public func draft(now: Timestamp = .now) throws -> LinkDraft {
        let code = try rest.code.map { try Shortcode(parsing: $0) }
        var token = DeletionToken()
        if let text = rest.deletionToken {
            guard let given = DeletionToken(text) else { throw RegisterRequestError.deletionToken }
            token = given
        }
        if summary.kind == .file {
            guard let bytes = rest.content.flatMap(Base64.decode) else { throw RegisterRequestError.content }
            return try LinkDraft(
                fileNamed: summary.string("name") ?? "", bytes: bytes, title: summary.title, code: code,
                expires: rest.expires,
                clientKind: rest.clientKind ?? "api", deletionToken: token, now: now)
        }
        return try LinkDraft(
            summary.link(), title: summary.title, claimedMediaType: summary.string("mimetype"), code: code,
            expires: rest.expires, clientKind: rest.clientKind ?? "api", deletionToken: token, now: now)
    }
}

/// What is wrong with a request to register beside the link itself.
public enum RegisterRequestError: Error, Sendable, Hashable {
    /// `deletion_token` is not 32 hexadecimal digits.
    case deletionToken
    /// A file has no `content` in base 64.
    case content
}

extension RegisterRequest: Codable {
    public init(from decoder: any Decoder) throws {
        summary = try LinkSummary(from: decoder)
        rest = try Rest(from: decoder)
    }

    public func encode(to encoder: any Encoder) throws {
        try summary.encode(to: encoder)
        try rest.encode(to: encoder)
    }
}

/// The answer to `POST /registry/links`.
public struct RegisterAnswer: Sendable, Hashable, Codable {
    private enum CodingKeys: String, CodingKey {
        case link
        case isNew = "is_new"
        case deletionToken = "deletion_token"
    }

    public let link: LinkRecord
    public let isNew: Bool
    /// Present when the link is new.
    public let deletionToken: String?

    public init(_ registration: Registration) {
        link = registration.record
        isNew = registration.isNew
        deletionToken = registration.deletionToken?.text
    }
}
