internal import Chirp
internal import ChirpLinks
internal import ChirpReport
internal import Foundation

extension LinkSummary {
    /// The object that `--json` prints, kind and address first.
    var json: JSONValue {
        func text(_ key: String, _ value: String?) -> [JSONValue.Member] {
            value.map { [.init(key, .string($0))] } ?? []
        }
        func number(_ key: String, _ value: Int64?) -> [JSONValue.Member] {
            value.map { [.init(key, .integer(Int($0)))] } ?? []
        }
        let object = data.map { [JSONValue.Member("data", .object($0))] } ?? []
        return .object(
            [.init("kind", .string(kind.rawValue)), .init("url", url.map(JSONValue.string) ?? .null)]
                + text("title", title) + text("user", user) + number("from", from) + number("to", to)
                + text("text", self.text) + object + text("name", name) + text("mimetype", mimetype)
                + number("size", size.map(Int64.init)) + text("sha256", sha256))
    }

    /// One line for people: kind, title or what it carries, address.
    var line: String {
        let subject: String? =
            switch kind {
            case .user: user
            case .chart: "\(user ?? ""), week of \(from.map { Timestamp(seconds: $0).day.description } ?? "?")"
            case .url: nil
            case .text: text.map { "“\(Self.shortened($0))”" }
            case .data: data.map { Self.shortened(JSONValue.object($0).text) }
            case .file: "\(name ?? "") (\(mimetype ?? ""), \(Self.size(size ?? 0)))"
            }
        let parts = [kind.rawValue, title.map { "“\($0)”" }, subject, url]
        return TerminalText.printable(parts.compactMap(\.self).joined(separator: "  "))
    }

    private static func shortened(_ text: String) -> String {
        text.count <= 60 ? text : text.prefix(59) + "…"
    }

    private static func size(_ bytes: Int) -> String {
        switch bytes {
        case ..<1_024: "\(bytes) bytes"
        case ..<1_048_576: "\((bytes + 512) / 1_024) KB"
        default: String(format: "%.1f MB", Double(bytes) / 1_048_576)
        }
    }
}

extension LinkRecord {
    /// The object that `list --json` and `resolve --json` print.
    func json(serviceURL: String?) -> JSONValue {
        .object([
            .init("code", .string(code.description)), .init("longcode", .string(code.codeword.description)),
            .init("link", LinkSummary(self, serviceURL: serviceURL).json),
            .init("created", .string(created.description)),
            .init("expires", expires.map { .string($0.description) } ?? .null),
            .init("asked_by", .string(askedBy)),
        ])
    }
}

extension JSONValue {
    /// An object of a link, keys in order of the alphabet.
    static func object(_ value: [String: DataValue]) -> JSONValue {
        .object(value.sorted { $0.key < $1.key }.map { Member($0.key, JSONValue($0.value)) })
    }

    init(_ value: DataValue) {
        self =
            switch value {
            case .null: .null
            case .bool(let value): .boolean(value)
            case .integer(let value): .integer(Int(value))
            case .number(let value): .number(value)
            case .string(let value): .string(value)
            case .array(let values): .array(values.map(JSONValue.init))
            case .object(let members): .object(members)
            }
    }
}
