public import ChirpLinks

extension LinkSummary {
    /// The object that `--json` prints and the service answers with, kind and address first.
    public var json: JSONValue {
        func text(_ key: String, _ value: String?) -> [JSONValue.Member] {
            value.map { [.init(key, .string($0))] } ?? []
        }
        func number(_ key: String, _ value: Int64?) -> [JSONValue.Member] {
            value.map { [.init(key, .integer(Int($0)))] } ?? []
        }
        let object = data.map { [JSONValue.Member("data", JSONValue($0))] } ?? []
        return .object(
            [.init("kind", .string(kind.rawValue)), .init("url", url.map(JSONValue.string) ?? .null)]
                + text("title", title) + text("user", user) + number("from", from) + number("to", to)
                + text("text", self.text) + object + text("name", name) + text("mimetype", mimetype)
                + number("size", size.map(Int64.init)) + text("sha256", sha256))
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
