internal import Chirp
internal import ChirpLinks
internal import ChirpReport
internal import Foundation

extension LinkSummary {
    /// One line for people: kind, title or what it carries, address.
    var line: String {
        let subject: String? =
            switch kind {
            case .user: user
            case .chart: "\(user ?? ""), week of \(from.map { Timestamp(seconds: $0).day.description } ?? "?")"
            case .url: nil
            case .text: text.map { "“\(Self.shortened($0))”" }
            case .data: data.map { Self.shortened(JSONValue($0).text) }
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
            .init("asked_by", .string(clientKind)),
        ])
    }
}
