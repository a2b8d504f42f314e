/// A link as JSON, as `decode --json` and every other answer show it: `kind` and `url`, then what the kind carries.
///
///     {"kind":"user","url":"https://www.last.fm/user/rj","user":"rj"}
public struct LinkSummary: Sendable, Hashable, Codable {
    public var kind: LinkKind
    /// Where it leads; for notes, data and files their page on the service, nil when no service is known.
    public var url: String?
    public var title: String?
    public var user: String?
    /// Bounds of a chart's week, seconds since 1970.
    public var from: Int64?
    public var to: Int64?
    public var text: String?
    public var data: [String: DataValue]?
    /// A file's name.
    public var name: String?
    public var mimetype: String?
    /// A file's length in bytes.
    public var size: Int?
    /// SHA-256 of a file's bytes in hexadecimal.
    public var sha256: String?

    /// - Parameter serviceURL: the address of the service whose registry it is, without a slash at its end.
    public init(_ record: LinkRecord, serviceURL: String? = nil) {
        self.init(record.link, title: record.title, claimedMediaType: record.claimedMediaType)
        url = url ?? serviceURL.map { "\($0)/\(record.code)" }
    }

    init(_ link: Link, title: String?, claimedMediaType: String?) {
        kind = link.kind
        url = link.url
        self.title = title
        mimetype = claimedMediaType
        switch link {
        case .user(let name): user = name.text
        case .chart(let name, let week):
            user = name.text
            from = week.from
            to = week.to
        case .url: break
        case .text(let note): text = note.text
        case .data(let object): data = object.value
        case .file(let file):
            name = file.name
            mimetype = file.mediaType.rawValue
            size = file.byteCount
            sha256 = hexadecimal(file.digest)
        }
    }

    /// The link that it describes.
    ///
    /// - Throws: ``LinkError`` when it cannot be; ``LinkSummaryError`` when a part is missing.
    public func link() throws -> Link {
        func need<T>(_ value: T?, _ part: String) throws(LinkSummaryError) -> T {
            guard let value else { throw LinkSummaryError(kind: kind, missing: part) }
            return value
        }
        switch kind {
        case .user: return .user(try UserName(need(user, "user")))
        case .chart:
            return .chart(
                try UserName(need(user, "user")), try ChartWeek(from: need(from, "from"), to: need(to, "to")))
        case .url: return .url(try WebAddress(need(url, "url")))
        case .text: return .text(try NoteText(need(text, "text")))
        case .data: return .data(try DataObject(need(data, "data")))
        case .file:
            let type = try need(mimetype.flatMap(MediaType.init(rawValue:)), "mimetype")
            let digest = try need(sha256.flatMap(bytes(hexadecimal:)), "sha256")
            guard digest.count == 32 else { throw LinkSummaryError(kind: kind, missing: "sha256") }
            return .file(
                FileDescription(
                    name: try need(name, "name"), mediaType: type, byteCount: try need(size, "size"), digest: digest))
        }
    }
}

/// A link's JSON lacks a part that its kind has.
public struct LinkSummaryError: Error, Sendable, Hashable {
    public let kind: LinkKind
    public let missing: String
}
