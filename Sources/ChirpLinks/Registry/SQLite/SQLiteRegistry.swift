public import Chirp
internal import Foundation
internal import GRDB

/// A registry in a SQLite file, which any number of processes on one machine share.
///
/// Nothing is opened before the first call; looking things up makes no file.
public final class SQLiteRegistry: Registry {
    let file: SQLiteFile
    let now: @Sendable () -> Timestamp
    let draw: @Sendable () -> Shortcode
    private let cache = RecordCache()

    /// - Parameters:
    ///   - path: of the file; its folder is made when something is registered.
    ///   - retryTimeout: how long to wait for other processes that write.
    public convenience init(path: String, retryTimeout: Duration = .seconds(30)) {
        self.init(path: path, retryTimeout: retryTimeout, now: { .now }, draw: { .random() })
    }

    package init(
        path: String, retryTimeout: Duration, now: @escaping @Sendable () -> Timestamp,
        draw: @escaping @Sendable () -> Shortcode
    ) {
        file = SQLiteFile(path: path, schema: .registry, retryTimeout: retryTimeout)
        self.now = now
        self.draw = draw
    }

    public func record(of code: Shortcode) async throws(RegistryError) -> LinkRecord? {
        let now = now()
        let number = code.number
        // One statement by primary key takes some 8 µs, less than the way to another thread and back.
        let stored = try await attempt("look up") {
            try await Self.retryingIOErrors {
                try await self.file.readingInline { try Self.stored($0, "code = ?", number) }
            }
        }
        guard let stored = stored ?? nil else { return nil }
        let record = try record(stored)
        return record.isExpired(at: now) ? nil : record
    }

    public func content(of code: Shortcode) async throws(RegistryError) -> [UInt8]? {
        let now = now().milliseconds
        let number = code.number
        return try await reading("read a file") { db in
            try Data.fetchOne(
                db,
                sql: """
                    SELECT bytes FROM file_content JOIN link USING (code)
                    WHERE code = ? AND (expires IS NULL OR expires > ?)
                    """, arguments: [number, now]
            ).map { Array($0) }
        } ?? nil
    }

    public func delete(_ code: Shortcode, token: DeletionToken) async throws(RegistryError) -> Bool {
        let now = now()
        let number = code.number
        guard try await record(of: code) != nil else { return false }
        return try await writing("delete") { db in
            guard let stored = try Self.stored(db, "code = ?", number), stored.expires ?? .max > now.milliseconds else {
                return false
            }
            guard stored.tokenDigest == token.digest else { throw RegistryError.wrongToken(code) }
            try db.execute(sql: "DELETE FROM link WHERE code = ?", arguments: [number])
            return true
        }
    }

    public func list(_ query: LinkQuery) async throws(RegistryError) -> [LinkRecord] {
        var conditions = ["(expires IS NULL OR expires > ?)"]
        var arguments: StatementArguments = [now().milliseconds]
        if let kind = query.kind {
            conditions.append("kind = ?")
            arguments += [kind.rawValue]
        }
        if let search = query.search, !search.isEmpty {
            // SQLite's own LIKE ignores the case of ASCII alone. A call for each row is only made where there is more.
            let isASCII = search.utf8.allSatisfy { $0 < 0x80 }
            let function = isASCII ? "" : DatabaseFunction.lowercase.name
            let pattern = likePattern(isASCII ? search : search.lowercased())
            conditions.append("(\(function)(title) LIKE ? ESCAPE '\\' OR \(function)(subject) LIKE ? ESCAPE '\\')")
            arguments += [pattern, pattern]
        }
        if let after = query.after {
            conditions.append("(created, code) < (?, ?)")
            arguments += [after.created.milliseconds, after.code.number]
        }
        let sql = """
            SELECT \(LinkRow.columns) FROM link WHERE \(conditions.joined(separator: " AND "))
            ORDER BY created DESC, code DESC LIMIT \(query.limit)
            """
        let rows = try await reading("list") { [arguments] db in
            try LinkRow.fetchAll(db, sql: sql, arguments: arguments)
        }
        return try (rows ?? []).map { stored throws(RegistryError) in try record(stored) }
    }

    public func removeExpired() async throws(RegistryError) -> Int {
        let now = now().milliseconds
        let hasSome = try await reading("remove what has expired") { db in
            try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM link WHERE expires <= ?)", arguments: [now])
        }
        guard hasSome == true else { return 0 }
        return try await writing("remove what has expired") { db in
            try db.execute(sql: "DELETE FROM link WHERE expires <= ?", arguments: [now])
            return db.changesCount
        }
    }

    public func check() async throws(RegistryError) -> RegistryState {
        let path = file.path
        let version = try await reading("check") { db in
            _ = try Int.fetchOne(db, sql: "SELECT code FROM link LIMIT 1")
            return try SQLiteSchema.registry.version(of: db, location: path)
        }
        return RegistryState(store: "sqlite", schemaVersion: version ?? 0)
    }

    /// Makes the file, and its folder, where they are not there.
    public func create() async throws(RegistryError) {
        try await attempt("create") { _ = try await self.file.writing() }
    }

    public func close() async { await file.close() }

    // MARK: - Connections

    static func stored(_ db: Database, _ condition: String, _ argument: some DatabaseValueConvertible) throws
        -> LinkRow?
    {
        let statement = try db.cachedStatement(sql: "SELECT \(LinkRow.columns) FROM link WHERE \(condition)")
        return try LinkRow.fetchOne(statement, arguments: [argument])
    }

    /// The record in a row.
    func record(_ stored: LinkRow) throws(RegistryError) -> LinkRecord {
        guard let record = cache.record(of: stored) else { throw stored.failure(location: file.path) }
        return record
    }

    /// Reads; nil while there is no file.
    func reading<T: Sendable>(_ operation: String, _ body: @escaping @Sendable (Database) throws -> T)
        async throws(RegistryError) -> T?
    {
        try await attempt(operation) { try await Self.retryingIOErrors { try await self.file.reading()?.read(body) } }
    }

    /// Reads again what SQLite calls a failure of the disk: on a busy machine a file that another connection had only just
    /// made was once told to have one, and had none the next time.
    private static func retryingIOErrors<T>(_ read: () async throws -> T) async throws -> T {
        for milliseconds in [5, 50] {
            do {
                return try await read()
            } catch let error as DatabaseError where error.resultCode == .SQLITE_IOERR {
                try await Task.sleep(for: .milliseconds(milliseconds))
            }
        }
        return try await read()
    }

    /// Runs a transaction that holds the lock for writing from its beginning.
    func writing<T: Sendable>(_ operation: String, _ body: @escaping @Sendable (Database) throws -> T)
        async throws(RegistryError) -> T
    {
        try await attempt(operation) {
            let deadline = ContinuousClock.now + self.file.retryTimeout
            let file = self.file
            return try await file.writing().writeWithoutTransaction { db -> T in
                // Those that wait for their turn wait for the file at the same time.
                try file.waiting(until: deadline) {
                    var result: T?
                    try db.inTransaction(.immediate) {
                        result = try body(db)
                        return .commit
                    }
                    guard let result else { preconditionFailure("a transaction that was committed has run") }
                    return result
                }
            }
        }
    }

    private func attempt<T>(_ operation: String, _ body: () async throws -> T) async throws(RegistryError) -> T {
        do {
            return try await body()
        } catch let error as RegistryError {
            throw error
        } catch {
            throw .store(StoreFailure(error, path: file.path, operation: operation))
        }
    }
}
