internal import Chirp
internal import ChirpLinks
internal import ChirpReport

extension LinkSummary {
    /// One line for people: kind, title, what it carries, address.
    var line: String {
        let parts = [kind.rawValue, title.map { "“\($0)”" }, kind.content.detail(of: self), url]
        return TerminalText.printable(parts.compactMap(\.self).joined(separator: "  "))
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
