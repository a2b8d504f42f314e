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
