public import ChirpLinks

extension LinkSummary {
    /// The object that `--json` prints and the service answers with, kind and address first.
    public var json: JSONValue {
        let title = title.map { [JSONValue.Member("title", .string($0))] } ?? []
        let members = LinkJSONMember.all.compactMap { member in
            values[member.key].map { JSONValue.Member(member.key, JSONValue($0)) }
        }
        return .object(
            [.init("kind", .string(kind.rawValue)), .init("url", url.map(JSONValue.string) ?? .null)] + title + members)
    }
}

extension JSONValue {
    /// An object of a link, keys in order of the alphabet.
    public init(_ members: [String: DataValue]) {
        self = .object(members.sorted { $0.key < $1.key }.map { Member($0.key, JSONValue($0.value)) })
    }

    /// A value of a link's object.
    public init(_ value: DataValue) {
        self =
            switch value {
            case .null: .null
            case .bool(let value): .boolean(value)
            case .integer(let value): .integer(Int(value))
            case .number(let value): .number(value)
            case .string(let value): .string(value)
            case .array(let values): .array(values.map(JSONValue.init))
            case .object(let members): JSONValue(members)
            }
    }
}
