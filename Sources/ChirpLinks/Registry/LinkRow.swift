internal import Chirp

/// A link as a row of a database: the columns of both databases, in the order of ``columns``.
struct LinkRow: Sendable, Hashable {
    /// What a database calls them.
    static let columns =
        "code, identity, kind, subject, week_from, week_to, byte_count, title, media_type, created, expires, "
        + "asked_by, token_digest"

    var code: Int64
    var identity: [UInt8]
    var kind: String
    /// The part of the link that is text: name of the user, address, note, object, name of the file.
    var subject: String
    var weekFrom: Int64?
    var weekTo: Int64?
    var byteCount: Int64?
    var title: String?
    var mediaType: String?
    var created: Int64
    var expires: Int64?
    var clientKind: String
    var tokenDigest: [UInt8]

    init(
        code: Int64, identity: [UInt8], kind: String, subject: String, weekFrom: Int64?, weekTo: Int64?,
        byteCount: Int64?, title: String?, mediaType: String?, created: Int64, expires: Int64?, clientKind: String,
        tokenDigest: [UInt8]
    ) {
        self.code = code
        self.identity = identity
        self.kind = kind
        self.subject = subject
        self.weekFrom = weekFrom
        self.weekTo = weekTo
        self.byteCount = byteCount
        self.title = title
        self.mediaType = mediaType
        self.created = created
        self.expires = expires
        self.clientKind = clientKind
        self.tokenDigest = tokenDigest
    }

    init(_ record: LinkRecord, tokenDigest: [UInt8]) {
        self.init(
            code: record.code.number, identity: record.link.identity, kind: record.link.kind.rawValue, subject: "",
            weekFrom: nil, weekTo: nil, byteCount: nil, title: record.title, mediaType: record.mediaType,
            created: record.created.milliseconds, expires: record.expires?.milliseconds, clientKind: record.clientKind,
            tokenDigest: tokenDigest)
        switch record.link {
        case .user(let name): subject = name.text
        case .chart(let name, let week):
            subject = name.text
            weekFrom = week.from
            weekTo = week.to
        case .url(let address): subject = address.text
        case .text(let note): subject = note.text
        case .data(let object): subject = object.canonicalText
        case .file(let file):
            subject = file.name
            byteCount = Int64(file.byteCount)
        }
    }

    /// The row that a draft becomes.
    init(_ draft: LinkDraft, code: Shortcode, now: Timestamp) {
        self.init(
            LinkRecord(
                code: code, link: draft.link, title: draft.title, claimedMediaType: draft.claimedMediaType,
                created: now, expires: draft.expires, clientKind: draft.clientKind),
            tokenDigest: draft.deletionToken.digest)
    }

    /// The record that it keeps, or nil when no version of this program wrote it so.
    var record: LinkRecord? {
        guard let code = Shortcode(number: code), let kind = LinkKind(rawValue: kind), let link = try? link(kind) else {
            return nil
        }
        return LinkRecord(
            code: code, link: link, title: title, claimedMediaType: kind == .file ? nil : mediaType,
            created: Timestamp(milliseconds: created), expires: expires.map(Timestamp.init(milliseconds:)),
            clientKind: clientKind)
    }

    private func link(_ kind: LinkKind) throws -> Link? {
        switch kind {
        case .user: return .user(try UserName(subject))
        case .chart:
            guard let weekFrom, let weekTo else { return nil }
            return .chart(try UserName(subject), try ChartWeek(from: weekFrom, to: weekTo))
        case .url: return .url(try WebAddress(subject))
        case .text: return .text(try NoteText(subject))
        case .data: return .data(try DataObject(parsing: subject))
        case .file:
            guard let byteCount, let type = mediaType.flatMap(MediaType.init(rawValue:)) else { return nil }
            return .file(
                FileDescription(name: subject, mediaType: type, byteCount: Int(byteCount), digest: identity))
        }
    }
}
