/// A link as JSON, as `decode --json` and every other answer show it: `kind` and `url`, then what the kind carries.
///
///     {"kind":"user","url":"https://www.last.fm/user/rj","user":"rj"}
public struct LinkSummary: Sendable, Hashable {
    public var kind: LinkKind
    /// Where it leads; for notes, data and files their page on the service, nil when no service is known.
    public var url: String?
    public var title: String?
    /// The members of the kind, and of others the ones that a client sent beside them, by their keys.
    package var values: [String: DataValue] = [:]

    /// - Parameter serviceURL: the address of the service whose registry it is, without a slash at its end.
    public init(_ record: LinkRecord, serviceURL: String? = nil) {
        self.init(record.link, title: record.title, claimedMediaType: record.claimedMediaType)
        url = url ?? serviceURL.map { "\($0)/\(record.code)" }
    }

    init(_ link: Link, title: String?, claimedMediaType: String?) {
        kind = link.kind
        url = link.url
        self.title = title
        values["mimetype"] = claimedMediaType.map(DataValue.string)
        values.merge(link.content.values) { _, own in own }
    }

    /// The link that it describes.
    ///
    /// - Throws: ``LinkError`` when it cannot be; ``LinkSummaryError`` when a part is missing.
    public func link() throws -> Link { try kind.content.init(self).link }

    package func string(_ key: String) -> String? {
        if case .string(let value)? = values[key] { value } else { nil }
    }

    package func integer(_ key: String) -> Int64? {
        if case .integer(let value)? = values[key] { value } else { nil }
    }

    package func object(_ key: String) -> [String: DataValue]? {
        if case .object(let value)? = values[key] { value } else { nil }
    }

    func need(_ key: String) throws(LinkSummaryError) -> String { try need(string(key), key) }
    func need(_ key: String) throws(LinkSummaryError) -> Int64 { try need(integer(key), key) }
    func need(_ key: String) throws(LinkSummaryError) -> [String: DataValue] { try need(object(key), key) }

    private func need<T>(_ value: T?, _ key: String) throws(LinkSummaryError) -> T {
        guard let value else { throw LinkSummaryError(kind: kind, missing: key) }
        return value
    }
}

extension LinkSummary: Codable {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        kind = try container.decode(LinkKind.self, forKey: Key("kind"))
        url = try container.decodeIfPresent(String.self, forKey: Key("url"))
        title = try container.decodeIfPresent(String.self, forKey: Key("title"))
        for member in LinkJSONMember.all { values[member.key] = try Self.value(of: member, container) }
    }

    private static func value(of member: LinkJSONMember, _ container: KeyedDecodingContainer<Key>) throws -> DataValue?
    {
        let key = Key(member.key)
        return switch member.form {
        case .string: try container.decodeIfPresent(String.self, forKey: key).map(DataValue.string)
        case .integer: try container.decodeIfPresent(Int64.self, forKey: key).map(DataValue.integer)
        case .object: try container.decodeIfPresent([String: DataValue].self, forKey: key).map(DataValue.object)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(kind, forKey: Key("kind"))
        try container.encodeIfPresent(url, forKey: Key("url"))
        try container.encodeIfPresent(title, forKey: Key("title"))
        for (key, value) in values { try container.encode(value, forKey: Key(key)) }
    }
}

/// A link's JSON lacks a part that its kind has.
public struct LinkSummaryError: Error, Sendable, Hashable {
    public let kind: LinkKind
    public let missing: String
}
