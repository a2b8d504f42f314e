public import Chirp

/// A registry on a PostgreSQL server, which any number of processes on any number of machines share.
///
/// Nothing is connected before the first call. A call that meets a broken connection makes another and repeats itself
/// for as long as `retryTimeout`; after that it throws.
public final class PostgresRegistry: Registry {
    let pool: PostgresPool
    let location: String
    let now: @Sendable () -> Timestamp
    let draw: @Sendable () -> Shortcode

    /// - Parameters:
    ///   - url: a libpq connection URL.
    ///   - connectionLimit: connections at most.
    ///   - retryTimeout: how long to try again when the server is away.
    public convenience init(url: String, connectionLimit: Int = 8, retryTimeout: Duration = .seconds(10)) {
        self.init(
            url: url, connectionLimit: connectionLimit, retryTimeout: retryTimeout, now: { .now }, draw: { .random() })
    }

    package init(
        url: String, connectionLimit: Int, retryTimeout: Duration, answerLimit: Duration = .seconds(35),
        now: @escaping @Sendable () -> Timestamp, draw: @escaping @Sendable () -> Shortcode
    ) {
        let location = RegistryLocation.withoutPassword(url)
        self.location = location
        pool = PostgresPool(
            url: url, limit: connectionLimit, retryTimeout: retryTimeout, answerLimit: answerLimit
        ) { connection in
            try PostgresSchema.prepare(connection, location: location)
        }
        self.now = now
        self.draw = draw
    }

    public func record(of code: Shortcode) async throws(RegistryError) -> LinkRecord? {
        let number = code.number
        let stored = try await running("look up") { connection, _ in
            try Self.stored(connection, "code = $1", .integer(number))
        }
        guard let stored else { return nil }
        let record = try record(stored)
        return record.isExpired(at: now()) ? nil : record
    }

    public func content(of code: Shortcode) async throws(RegistryError) -> [UInt8]? {
        let values: [PostgresValue] = [.integer(code.number), .integer(now().milliseconds)]
        let rows = try await running("read a file") { connection, _ in
            try connection.execute(
                """
                SELECT bytes FROM chirp_file_content JOIN chirp_link USING (code)
                WHERE code = $1 AND (expires IS NULL OR expires > $2)
                """, values, isBinary: true)
        }
        return rows.fields.first?.first ?? nil
    }

    public func delete(_ code: Shortcode, token: DeletionToken) async throws(RegistryError) -> Bool {
        let number = code.number
        let now = now().milliseconds
        return try await running("delete") { connection, attempt in
            let deleted = try connection.execute(
                """
                DELETE FROM chirp_link
                WHERE code = $1 AND token_digest = $2 AND (expires IS NULL OR expires > $3)
                """, [.integer(number), .bytes(token.digest), .integer(now)])
            if deleted.changedCount == 1 { return true }
            guard let stored = try Self.stored(connection, "code = $1", .integer(number)),
                stored.expires ?? .max > now
            else {
                // A repeated attempt finds nothing when the first one's answer was lost.
                return attempt > 0
            }
            throw RegistryError.wrongToken(code)
        }
    }

    public func list(_ query: LinkQuery) async throws(RegistryError) -> [LinkRecord] {
        var conditions = ["(expires IS NULL OR expires > $1)"]
        var values: [PostgresValue] = [.integer(now().milliseconds)]
        func parameter(_ value: PostgresValue) -> String {
            values.append(value)
            return "$\(values.count)"
        }
        if let kind = query.kind { conditions.append("kind = \(parameter(.text(kind.rawValue)))") }
        if let search = query.search, !search.isEmpty {
            let pattern = parameter(.text(likePattern(search)))
            conditions.append("(title ILIKE \(pattern) OR subject ILIKE \(pattern))")
        }
        if let after = query.after {
            let created = parameter(.integer(after.created.milliseconds))
            conditions.append("(created, code) < (\(created), \(parameter(.integer(after.code.number))))")
        }
        let sql = """
            SELECT \(LinkRow.columns) FROM chirp_link WHERE \(conditions.joined(separator: " AND "))
            ORDER BY created DESC, code DESC LIMIT \(parameter(.integer(Int64(query.limit))))
            """
        let rows = try await running("list") { [values] connection, _ in try connection.execute(sql, values) }
        return try rows.fields.map { fields throws(RegistryError) in try record(LinkRow(PostgresRow(fields: fields)))
        }
    }

    public func removeExpired() async throws(RegistryError) -> Int {
        let now = now().milliseconds
        return try await running("remove what has expired") { connection, _ in
            try connection.execute("DELETE FROM chirp_link WHERE expires <= $1", [.integer(now)]).changedCount
        }
    }

    public func check() async throws(RegistryError) -> RegistryState {
        let location = location
        let version = try await running("check") { connection, _ in
            _ = try connection.execute("SELECT code FROM chirp_link LIMIT 1")
            return try PostgresSchema.version(connection, location: location)
        }
        return RegistryState(store: "postgresql", schemaVersion: version)
    }

    public func close() async { await pool.close() }

    // MARK: - Connections

    static func stored(_ connection: PostgresConnection, _ condition: String, _ value: PostgresValue) throws
        -> LinkRow?
    {
        try connection.execute("SELECT \(LinkRow.columns) FROM chirp_link WHERE \(condition)", [value]).fields.first
            .flatMap { LinkRow(PostgresRow(fields: $0)) }
    }

    /// The record in a row; nil is a row in which a column lacks its value.
    func record(_ stored: LinkRow?) throws(RegistryError) -> LinkRecord {
        guard let stored else {
            throw .store(
                StoreFailure(
                    reason: .corrupt, location: location, operation: "look up", message: "a row cannot be read"))
        }
        guard let record = stored.record else { throw stored.failure(location: location) }
        return record
    }

    func running<T: Sendable>(
        _ operation: String, _ body: @escaping @Sendable (PostgresConnection, Int) throws -> T
    ) async throws(RegistryError) -> T {
        do {
            return try await pool.run(body)
        } catch let error as RegistryError {
            throw error
        } catch let error as StoreFailure {
            throw .store(error)
        } catch let error as PostgresError {
            throw .store(
                StoreFailure(
                    reason: error.reason, location: location, operation: operation, message: error.message))
        } catch {
            throw .store(
                StoreFailure(
                    reason: .other, location: location, operation: operation, message: String(describing: error)))
        }
    }
}
