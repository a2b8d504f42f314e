internal import Chirp

extension LinkKind {
    /// Whether there are kinds that the tables' first version does not list. The first such kind brings a step that removes
    /// the list, and further kinds need none. Until then, older programs can use what this one wrote.
    static let hasLaterKinds = !Set(allCases).isSubset(of: [.user, .chart, .url, .text, .data, .file])
}

/// A link as a row of a database: the columns of both databases, in the order of ``columns``.
struct LinkRow: Sendable, Hashable {
    /// What a database calls them.
    static let columns =
        "code, identity, kind, subject, week_from, week_to, byte_count, title, media_type, created, expires, "
        + "asked_by, token_digest"

    var code: Int64
    var identity: [UInt8]
    var kind: String
    /// What the link is, as its kind says.
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
        let columns = record.link.content.columns
        self.init(
            code: record.code.number, identity: record.link.identity, kind: record.link.kind.rawValue,
            subject: columns.subject, weekFrom: columns.weekFrom, weekTo: columns.weekTo, byteCount: columns.byteCount,
            title: record.title, mediaType: record.mediaType, created: record.created.milliseconds,
            expires: record.expires?.milliseconds, clientKind: record.clientKind, tokenDigest: tokenDigest)
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
        var columns = LinkColumns(subject: subject, weekFrom: weekFrom, weekTo: weekTo, byteCount: byteCount)
        columns.mediaType = mediaType
        columns.identity = identity
        guard let code = Shortcode(number: code), let kind = LinkKind(rawValue: kind),
            let link = try? kind.content.init(columns).link
        else { return nil }
        return LinkRecord(
            code: code, link: link, title: title, claimedMediaType: kind == .file ? nil : mediaType,
            created: Timestamp(milliseconds: created), expires: expires.map(Timestamp.init(milliseconds:)),
            clientKind: LinkRecord.cleanedClientKind(clientKind))
    }

    /// Why ``record`` is nil: the row is damaged, or a later version wrote it.
    func failure(location: String) -> RegistryError {
        let isKnown = LinkKind(rawValue: kind) != nil
        let problem =
            isKnown ? "cannot be read" : "is of the kind “\(kind)”, which this version does not know; update chirp"
        let name = Shortcode(number: code).map(\.description) ?? "number \(code)"
        return .store(
            StoreFailure(
                reason: isKnown ? .corrupt : .other, location: location, operation: "look up",
                message: "the row of code \(name) \(problem)"))
    }
}

extension LinkRow {
    /// The row of an entry to import.
    ///
    /// - Throws: ``RegistryError/contentMissing(_:)`` for a file without its bytes.
    init(checking entry: RegistryEntry) throws(RegistryError) {
        guard (entry.record.link.kind == .file) == (entry.content != nil) else {
            throw .contentMissing(entry.record.code)
        }
        self.init(entry.record, tokenDigest: entry.tokenDigest)
    }
}

/// A pattern that finds a text anywhere, its own wildcards escaped by a backslash.
func likePattern(_ text: String) -> String {
    var pattern = "%"
    for character in text {
        if "%_\\".contains(character) { pattern.append("\\") }
        pattern.append(character)
    }
    return pattern + "%"
}
