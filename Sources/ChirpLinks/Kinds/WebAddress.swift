internal import Foundation

/// An http or https address with a host.
public struct WebAddress: Sendable, Hashable {
    /// The longest address that is taken, in bytes of UTF-8.
    public static let byteLimit = 2_048

    /// As it was given, without the space around it.
    public let text: String
    /// The form by which addresses are compared: scheme and host in lower case, no default port, a path (RFC 3986,
    /// 6.2.2.1 and 6.2.3).
    public let normalised: String
    /// The host in lower case.
    public let host: String

    /// Schemes of web addresses, in lower case.
    package static let schemes = ["http", "https"]

    /// - Throws: ``LinkError``
    public init(_ given: some StringProtocol) throws(LinkError) {
        let text = given.trimmingCharacters(in: .whitespacesAndNewlines)
        guard text.utf8.count <= Self.byteLimit else { throw .addressLength(text.utf8.count, limit: Self.byteLimit) }
        guard !text.isEmpty, !text.unicodeScalars.contains(where: Self.isForbidden) else {
            throw .malformedAddress(text)
        }
        guard let colon = text.firstIndex(of: ":") else { throw .addressScheme(text) }
        let scheme = text[..<colon].lowercased()
        guard Self.schemes.contains(scheme) else { throw .addressScheme(text) }
        let afterScheme = text[text.index(after: colon)...]
        guard afterScheme.hasPrefix("//") else { throw .addressHost(text) }
        let rest = afterScheme.dropFirst(2)
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" && $0 != "\\" }
        guard !authority.contains("@") else { throw .addressCredentials }
        // Browsers end the host there, and what is shown of it would be another one.
        guard !rest.dropFirst(authority.count).hasPrefix("\\") else { throw .addressHost(text) }
        guard let components = URLComponents(string: text), let host = components.host, !host.isEmpty,
            host.hasPrefix("[") || !host.unicodeScalars.contains(where: Self.endsHost)
        else { throw .addressHost(text) }
        let portText = authority.last == "]" ? nil : authority.split(separator: ":").dropFirst().last
        if let portText, !authority.hasSuffix("]") {
            guard let port = Int(portText), (1...65_535).contains(port) else { throw .addressPort(text) }
        }
        let port = components.port.flatMap { $0 == (scheme == "http" ? 80 : 443) ? nil : ":\($0)" } ?? ""
        let tail = rest.dropFirst(authority.count)
        self.text = text
        self.host = host.lowercased()
        normalised = "\(scheme)://\(host.lowercased())\(port)\(tail.hasPrefix("/") ? "" : "/")\(tail)"
        // A host of other scripts with percent-encoded marks becomes one in Punycode that is not read again, or as another.
        guard URLComponents(string: normalised)?.host?.lowercased() == self.host else { throw .addressHost(text) }
    }

    /// Characters that no address has and that programs disagree about: space, controls, and the marks that turn the
    /// direction of text around.
    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value <= 0x20 || scalar.value == 0x7F }
        return scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
            || scalar.properties.generalCategory == .format
    }

    /// Characters that no host has, but that one can have percent-encoded: as they are, they would end it (WHATWG URL, 3.1).
    private static func endsHost(_ scalar: Unicode.Scalar) -> Bool {
        isForbidden(scalar) || "#%/:<>?@[\\]^|".unicodeScalars.contains(scalar)
    }

    public static func == (a: WebAddress, b: WebAddress) -> Bool { a.normalised == b.normalised }
    public func hash(into hasher: inout Hasher) { hasher.combine(normalised) }
}

extension WebAddress: CustomStringConvertible {
    public var description: String { text }
}

extension WebAddress: LinkContent {
    package static let kind = LinkKind.url
    package var link: Link { .url(self) }
    package var identity: [UInt8] { Self.identity(of: normalised) }
    package var url: String? { text }

    package static let members: [LinkJSONMember] = []
    package var values: [String: DataValue] { [:] }

    package init(_ summary: LinkSummary) throws {
        guard let url = summary.url else { throw LinkSummaryError(kind: Self.kind, missing: "url") }
        try self.init(url)
    }

    package var columns: LinkColumns { LinkColumns(subject: text) }
    package init(_ columns: LinkColumns) throws { try self.init(columns.subject) }

    package static let noun = "address"
    package var headline: String { host }
    package static func detail(of summary: LinkSummary) -> String? { nil }

    package func card(_ record: LinkRecord) -> LinkCard {
        LinkCard(
            "Link to", heading: record.title ?? host,
            lines: [.init(style: "host", text: host), .init(style: "address", text: text)],
            action: .openForeign(label: "Open \(host)", url: text))
    }
}
