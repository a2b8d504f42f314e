public import Chirp

extension PostgresRegistry {
    public func register(_ draft: LinkDraft) async throws(RegistryError) -> Registration {
        let stored = try await running("register") { connection, _ in
            try ConflictResolution.repeating {
                try self.tryToRegister(draft, under: draft.code ?? self.draw(), connection)
            }
        }
        let isNew = stored.tokenDigest == draft.deletionToken.digest
        return Registration(
            record: try record(stored), isNew: isNew, deletionToken: isNew ? draft.deletionToken : nil)
    }

    /// One attempt; nil asks for another: other processes change the rows between any two statements.
    private func tryToRegister(_ draft: LinkDraft, under code: Shortcode, _ connection: PostgresConnection) throws
        -> LinkRow?
    {
        let now = now()
        let row = LinkRow(draft, code: code, now: now)
        if try Self.insert(row, content: draft.content, connection) { return row }
        let identity = PostgresValue.bytes(row.identity)
        let same = try Self.stored(connection, "identity = $1", identity)
        let occupant = try Self.stored(connection, "code = $1", .integer(row.code))
        let step = try ConflictResolution.step(
            for: draft, same: same.map { try record($0) }, occupant: occupant.map { try record($0) }, now: now)
        switch step {
        case .keep: return same
        case .extend(let end):
            // Whoever asks for less at the same time must not shorten it again.
            let rows = try connection.execute(
                """
                UPDATE chirp_link SET expires = CASE WHEN $1::bigint IS NULL THEN NULL ELSE greatest(expires, $1) END
                WHERE identity = $2 AND expires IS NOT NULL RETURNING \(LinkRow.columns)
                """, [PostgresValue(end?.milliseconds), identity])
            return rows.fields.first.flatMap { LinkRow(PostgresRow(fields: $0)) }
        case .revive(let code):
            let revived = LinkRow(draft, code: code, now: now)
            let isDone = try connection.transaction {
                _ = try connection.execute(
                    "DELETE FROM chirp_link WHERE identity = $1 AND expires <= $2",
                    [identity, .integer(now.milliseconds)])
                return try Self.insertRow(revived, content: draft.content, connection)
            }
            return isDone ? revived : nil
        case .evict(let code):
            _ = try connection.execute(
                "DELETE FROM chirp_link WHERE code = $1 AND expires <= $2",
                [.integer(code.number), .integer(now.milliseconds)])
            return nil
        case .retry: return nil
        case .fail(let error): throw error
        }
    }

    private static func insert(_ row: LinkRow, content: [UInt8]?, _ connection: PostgresConnection) throws -> Bool {
        guard content != nil else { return try insertRow(row, content: nil, connection) }
        return try connection.transaction { try insertRow(row, content: content, connection) }
    }

    /// Inserts a row unless its code or its link is there; the unique indices decide. A process that is inserting the
    /// same at this moment is waited for.
    private static func insertRow(_ row: LinkRow, content: [UInt8]?, _ connection: PostgresConnection) throws
        -> Bool
    {
        let inserted = try connection.execute(
            """
            INSERT INTO chirp_link (\(LinkRow.columns))
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) ON CONFLICT DO NOTHING
            """, row.values)
        guard inserted.changedCount == 1 else { return false }
        if let content {
            _ = try connection.execute(
                "INSERT INTO chirp_file_content (code, bytes) VALUES ($1, $2)", [.integer(row.code), .bytes(content)])
        }
        return true
    }

    public func entries(after code: Shortcode?, limit: Int) async throws(RegistryError) -> [RegistryEntry] {
        let values: [PostgresValue] = [
            .integer(code?.number ?? -1), .integer(now().milliseconds), .integer(Int64(min(max(limit, 1), 10_000))),
        ]
        let rows = try await running("export") { connection, _ in
            try connection.execute(
                """
                SELECT \(LinkRow.columns) FROM chirp_link WHERE code > $1 AND (expires IS NULL OR expires > $2)
                ORDER BY code LIMIT $3
                """, values)
        }
        return try rows.fields.map { fields throws(RegistryError) in
            let stored = LinkRow(PostgresRow(fields: fields))
            return RegistryEntry(
                record: try record(stored), tokenDigest: stored?.tokenDigest ?? [], content: nil)
        }
    }

    public func add(_ entries: [RegistryEntry]) async throws(RegistryError) -> ImportOutcome {
        let now = now().milliseconds
        return try await running("import") { connection, _ in
            try connection.transaction {
                _ = try connection.execute("DELETE FROM chirp_link WHERE expires <= $1", [.integer(now)])
                var outcome = ImportOutcome()
                for entry in entries {
                    let row = try LinkRow(checking: entry)
                    if try Self.insertRow(row, content: entry.content, connection) {
                        outcome.added += 1
                    } else if try Self.stored(connection, "identity = $1", .bytes(row.identity))?.code == row.code {
                        outcome.present += 1
                    } else {
                        outcome.conflicts.append(entry.record.code.description)
                    }
                }
                return outcome
            }
        }
    }
}
