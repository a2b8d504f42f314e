internal import Foundation

/// What one kind of link carries, with everything that registries, the program and the service have to know of the kind:
/// its JSON, its columns, its words. Each kind is one type in a file of this folder; ``Link`` and ``LinkKind`` list them.
package protocol LinkContent: Sendable {
    static var kind: LinkKind { get }
    var link: Link { get }
    /// 32 bytes that are the same for equal links and no others. ``identity(of:)`` makes them of a text.
    var identity: [UInt8] { get }
    /// Where it leads, or nil when it has no page but the service's own.
    var url: String? { get }

    // MARK: - JSON

    /// The members of its JSON beside `kind`, `url` and `title`.
    static var members: [LinkJSONMember] { get }
    /// Their values by their keys.
    var values: [String: DataValue] { get }
    /// The content that a link's JSON describes.
    ///
    /// - Throws: ``LinkError`` when it cannot be; ``LinkSummaryError`` when a part is missing.
    init(_ summary: LinkSummary) throws

    // MARK: - Registries

    var columns: LinkColumns { get }
    /// The content that a registry's row describes.
    init(_ columns: LinkColumns) throws

    // MARK: - Words

    /// What messages call it, such as “note” in “the note cannot be shared”.
    static var noun: String { get }
    /// One line that says what it is, where it has no title.
    var headline: String { get }
    /// What `chirp list` prints between title and address; nil for nothing. A summary may lack any part.
    static func detail(of summary: LinkSummary) -> String?
    /// How its page shows it.
    func card(_ record: LinkRecord) -> LinkCard

    // MARK: - Responses of the original service

    /// The media type of a link without one.
    static var mediaType: String { get }
    /// The members of `data`; nil for `url` alone.
    var originalMembers: [(key: String, value: DataValue)]? { get }
}

extension LinkContent {
    package var url: String? { nil }
    /// What the original's own clients sent for a web address.
    package static var mediaType: String { "text/x-url" }
    package var originalMembers: [(key: String, value: DataValue)]? { nil }

    /// SHA-256 over the kind and a text that only equal links have. Over the canonical composition, since equal strings may
    /// be spelled with other scalars.
    static func identity(of text: String) -> [UInt8] {
        SHA256.digest(of: "\(kind.rawValue)\0\(text.precomposedStringWithCanonicalMapping)")
    }
}

/// The columns of a registry's table that say what a link is.
package struct LinkColumns: Sendable, Hashable {
    /// All of it, for most kinds, as a text. `chirp list` searches it.
    var subject: String
    /// Of charts alone.
    var weekFrom: Int64?
    var weekTo: Int64?
    /// Of files alone.
    var byteCount: Int64?
    /// The media type that a client claimed; of a file its own.
    var mediaType: String?
    /// Of files the digest of their bytes.
    var identity: [UInt8] = []

    init(subject: String, weekFrom: Int64? = nil, weekTo: Int64? = nil, byteCount: Int64? = nil) {
        self.subject = subject
        self.weekFrom = weekFrom
        self.weekTo = weekTo
        self.byteCount = byteCount
    }
}
