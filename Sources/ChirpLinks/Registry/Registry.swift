public import Chirp

/// Where codes get their meaning.
///
/// One link has one code and one code stands for one link, whichever of several processes or machines asks first: the
/// store's unique indices decide. Every call may come from any task at any time. An expired link is as one that was
/// never there, but that its code is given again to the same link.
public protocol Registry: Sendable {
    /// The code of a link, drawn now unless the link has one.
    ///
    /// When it returns, the link is in stable storage. A link that is there keeps its title, and is kept for as long as
    /// anybody asked for.
    ///
    /// - Throws: ``RegistryError``; among them ``RegistryError/codeTaken(_:)`` and ``RegistryError/linkHasCode(_:)``
    ///   when the draft asks for a code and cannot have it.
    func register(_ draft: LinkDraft) async throws(RegistryError) -> Registration

    /// What a code stands for, or nil.
    func record(of code: Shortcode) async throws(RegistryError) -> LinkRecord?

    /// The bytes of a file, or nil when the code stands for none.
    func content(of code: Shortcode) async throws(RegistryError) -> [UInt8]?

    /// Deletes a link.
    ///
    /// - Returns: false when the code stands for nothing.
    /// - Throws: ``RegistryError/wrongToken(_:)`` when the token is another's.
    func delete(_ code: Shortcode, token: DeletionToken) async throws(RegistryError) -> Bool

    /// One page of links, the newest first.
    func list(_ query: LinkQuery) async throws(RegistryError) -> [LinkRecord]

    /// One page of links in order of their codes with all that another registry needs, files without their bytes.
    ///
    /// - Parameters:
    ///   - code: the page begins after it; nil for the first page.
    ///   - limit: how many at most, 1 to 10,000. A page without entries is the end.
    func entries(after code: Shortcode?, limit: Int) async throws(RegistryError) -> [RegistryEntry]

    /// Takes over entries of another registry as they are, all of them or, when it throws, none.
    ///
    /// An entry whose code or link is there already changes nothing: the same code for the same link counts as present,
    /// everything else as a conflict.
    func add(_ entries: [RegistryEntry]) async throws(RegistryError) -> ImportOutcome

    /// Removes what has expired.
    ///
    /// - Returns: how many links went.
    func removeExpired() async throws(RegistryError) -> Int

    /// Asks the store whether it answers.
    func check() async throws(RegistryError) -> RegistryState

    /// Lets go of files and connections. No call may follow.
    func close() async
}

/// What ``Registry/register(_:)`` answers.
public struct Registration: Sendable, Hashable {
    public let record: LinkRecord
    /// Whether the link was not there before.
    public let isNew: Bool
    /// The deletion token, for the client that registered it first; nil for others.
    public let deletionToken: DeletionToken?

    public init(record: LinkRecord, isNew: Bool, deletionToken: DeletionToken?) {
        self.record = record
        self.isNew = isNew
        self.deletionToken = deletionToken
    }
}

/// Which links to list.
public struct LinkQuery: Sendable, Hashable {
    /// A part of title, name, address or text, in any case of the letters A to Z, and of others in a SQLite file, and in PostgreSQL by the
    /// database's locale; nil for all.
    public var search: String?
    public var kind: LinkKind?
    /// 1 to 1,000.
    public var limit: Int
    /// The last link of the page before.
    public var after: Position?

    /// Where a link stands in the list.
    public struct Position: Sendable, Hashable {
        public var created: Timestamp
        public var code: Shortcode

        public init(created: Timestamp, code: Shortcode) {
            self.created = created
            self.code = code
        }
    }

    public init(search: String? = nil, kind: LinkKind? = nil, limit: Int = 100, after: Position? = nil) {
        self.search = search
        self.kind = kind
        self.limit = min(max(limit, 1), 1_000)
        self.after = after
    }
}

/// What became of imported entries.
public struct ImportOutcome: Sendable, Hashable, Codable {
    public var added = 0
    public var present = 0
    /// Codes of the entries that contradict what was there.
    public var conflicts: [String] = []

    public init() {}

    public static func += (total: inout ImportOutcome, part: ImportOutcome) {
        total.added += part.added
        total.present += part.present
        total.conflicts += part.conflicts
    }
}

/// The state of a store that answers.
public struct RegistryState: Sendable, Hashable, Codable {
    /// The kind of registry, such as `sqlite`.
    public let store: String
    /// Version of its schema.
    public let schemaVersion: Int

    public init(store: String, schemaVersion: Int) {
        self.store = store
        self.schemaVersion = schemaVersion
    }
}
