/// A note of 1 to 1,000 characters.
public struct NoteText: Sendable, Hashable {
    /// The longest note, in characters as people count them.
    public static let characterLimit = 1_000
    /// The longest note in bytes: a character may be made of arbitrarily many.
    public static let byteLimit = 16_384

    public let text: String

    /// - Throws: ``LinkError``
    public init(_ text: some StringProtocol) throws(LinkError) {
        let text = String(text)
        guard !text.isEmpty, !text.allSatisfy(\.isWhitespace) else { throw .emptyText }
        guard !text.unicodeScalars.contains("\0") else { throw .textCharacter }
        guard text.count <= Self.characterLimit else { throw .textLength(text.count, limit: Self.characterLimit) }
        guard text.utf8.count <= Self.byteLimit else { throw .textBytes(text.utf8.count, limit: Self.byteLimit) }
        self.text = text
    }
}

extension NoteText: LinkContent {
    package static let kind = LinkKind.text
    package var link: Link { .text(self) }
    package var identity: [UInt8] { Self.identity(of: text) }

    package static let members = [LinkJSONMember("text", .string)]
    package var values: [String: DataValue] { ["text": .string(text)] }
    package init(_ summary: LinkSummary) throws { try self.init(summary.need("text") as String) }

    package var columns: LinkColumns { LinkColumns(subject: text) }
    package init(_ columns: LinkColumns) throws { try self.init(columns.subject) }

    package static let noun = "note"
    package var headline: String { text.shortened(to: 80) }
    package static func detail(of summary: LinkSummary) -> String? {
        summary.string("text").map { "“\($0.shortened(to: 60))”" }
    }

    package func card(_ record: LinkRecord) -> LinkCard { LinkCard("Note", body: .note(text)) }

    package static let mediaType = "text/plain"
    /// Under both names: generations of the original differ.
    package var originalMembers: [(key: String, value: DataValue)]? {
        [("text", .string(text)), ("body", .string(text))]
    }
}
