/// The name of a Last.fm user: 2 to 15 letters, digits, hyphens and underscores, a letter first.
///
/// Last.fm takes names in any case and answers with the proper spelling; two spellings name one user.
public struct UserName: Sendable, Hashable {
    /// As it was spelled.
    public let text: String

    /// - Throws: ``LinkError`` when Last.fm gives no such names.
    public init(_ text: some StringProtocol) throws(LinkError) {
        let text = String(text)
        guard (2...15).contains(text.count) else { throw .userNameLength(text) }
        for character in text {
            guard character.isASCII, character.isLetter || character.isNumber || character == "-" || character == "_"
            else { throw .userNameCharacter(text, character) }
        }
        guard let first = text.first, first.isLetter else { throw .userNameStart(text) }
        self.text = text
    }

    /// The spelling by which names are compared.
    public var folded: String { text.lowercased() }

    /// The user's page.
    public var pageURL: String { "https://www.last.fm/user/\(text)" }

    public static func == (a: UserName, b: UserName) -> Bool { a.folded == b.folded }
    public func hash(into hasher: inout Hasher) { hasher.combine(folded) }
}

extension UserName: CustomStringConvertible {
    public var description: String { text }
}

extension UserName: LinkContent {
    package static let kind = LinkKind.user
    package var link: Link { .user(self) }
    package var identity: [UInt8] { Self.identity(of: folded) }
    package var url: String? { pageURL }

    package static let members = [LinkJSONMember("user", .string)]
    package var values: [String: DataValue] { ["user": .string(text)] }
    package init(_ summary: LinkSummary) throws { try self.init(try summary.need("user") as String) }

    package var columns: LinkColumns { LinkColumns(subject: text) }
    package init(_ columns: LinkColumns) throws { try self.init(columns.subject) }

    package static let noun = "user"
    package var headline: String { "\(text) on Last.fm" }
    package static func detail(of summary: LinkSummary) -> String? { summary.string("user") }

    package func card(_ record: LinkRecord) -> LinkCard {
        LinkCard(
            "Last.fm user", heading: text, action: .open(label: "\(text) on Last.fm", url: pageURL))
    }
}
