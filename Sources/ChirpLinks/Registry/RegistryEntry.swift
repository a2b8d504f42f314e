internal import Chirp

/// A record with everything that moving it to another registry needs; as JSON, a line of `chirp export`.
///
/// The line is the link's JSON as everywhere, and beside it `code`, `created`, `expires`, `asked_by`,
/// `token_digest` (SHA-256 of the deletion token, hexadecimal) and, for a file, `content` in base 64.
public struct RegistryEntry: Sendable, Hashable {
    public let record: LinkRecord
    /// SHA-256 of the token that deletes it, 32 bytes.
    public let tokenDigest: [UInt8]
    /// A file's bytes; nil for other kinds, and for files where a registry lists its entries.
    public var content: [UInt8]?

    public init(record: LinkRecord, tokenDigest: [UInt8], content: [UInt8]?) {
        self.record = record
        self.tokenDigest = tokenDigest
        self.content = content
    }
}

extension RegistryEntry: Codable {
    private enum Key: String, CodingKey {
        case code, created, expires, content
        case clientKind = "asked_by"
        case tokenDigest = "token_digest"
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let digestText = try container.decode(String.self, forKey: .tokenDigest)
        guard let digest = bytes(hexadecimal: digestText), digest.count == 32 else {
            throw DecodingError.dataCorruptedError(
                forKey: .tokenDigest, in: container, debugDescription: "token_digest is not 64 hexadecimal digits")
        }
        record = try LinkRecord(from: decoder)
        tokenDigest = digest
        guard let text = try container.decodeIfPresent(String.self, forKey: .content) else { return }
        guard case .file(let file) = record.link, let bytes = Base64.decode(text),
            let described = try? FileDescription(name: file.name, bytes: bytes), described == file,
            described.mediaType == file.mediaType, described.byteCount == file.byteCount
        else {
            throw DecodingError.dataCorruptedError(
                forKey: .content, in: container, debugDescription: "content is not what sha256 and mimetype say")
        }
        content = bytes
    }

    public func encode(to encoder: any Encoder) throws {
        try record.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(hexadecimal(tokenDigest), forKey: .tokenDigest)
        try container.encodeIfPresent(content.map(Base64.encode), forKey: .content)
    }
}

extension LinkRecord: Codable {
    private enum Key: String, CodingKey {
        case code, created, expires
        case clientKind = "asked_by"
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let summary = try LinkSummary(from: decoder)
        let codeText = try container.decode(String.self, forKey: .code)
        guard let code = try? Shortcode(parsing: codeText) else {
            throw DecodingError.dataCorruptedError(
                forKey: .code, in: container, debugDescription: "\(codeText) is not a code")
        }
        let link = try summary.link()
        let isFile = link.kind == .file
        self.init(
            code: code, link: link, title: try Self.checkedTitle(summary.title),
            claimedMediaType: isFile ? nil : try Self.checkedMediaType(summary.string("mimetype")),
            created: try container.decode(Timestamp.self, forKey: .created),
            expires: try container.decodeIfPresent(Timestamp.self, forKey: .expires),
            clientKind: LinkRecord.cleanedClientKind(try container.decode(String.self, forKey: .clientKind)))
    }

    public func encode(to encoder: any Encoder) throws {
        try LinkSummary(self).encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(code.description, forKey: .code)
        try container.encode(created, forKey: .created)
        try container.encodeIfPresent(expires, forKey: .expires)
        try container.encode(clientKind, forKey: .clientKind)
    }
}
