public import Chirp
internal import Foundation
internal import GRDB

extension SQLiteRegistry {
    public func register(_ draft: LinkDraft) async throws(RegistryError) -> Registration {
        let now = now()
        let stored = try await writing("register") { db in
            try ConflictResolution.repeating {
                try self.tryToRegister(draft, under: draft.code ?? self.draw(), at: now, db)
            }
        }
        let isNew = stored.tokenDigest == draft.deletionToken.digest
        return Registration(
            record: try record(stored), isNew: isNew, deletionToken: isNew ? draft.deletionToken : nil)
    }

    /// One attempt; nil asks for another.
    private func tryToRegister(_ draft: LinkDraft, under code: Shortcode, at now: Timestamp, _ db: Database) throws
        -> LinkRow?
    {
        let row = LinkRow(draft, code: code, now: now)
        if try Self.insert(row, content: draft.content, db) { return row }
        let same = try Self.stored(db, "identity = ?", Data(row.identity))
        let occupant = try Self.stored(db, "code = ?", row.code)
        let step = try ConflictResolution.step(
            for: draft, same: same.map { try record($0) }, occupant: occupant.map { try record($0) }, now: now)
        switch step {
        case .keep: return same
        case .extend(let end):
            try db.execute(
                sql: "UPDATE link SET expires = ? WHERE identity = ?",
                arguments: [end?.milliseconds, Data(row.identity)])
            return try Self.stored(db, "identity = ?", Data(row.identity))
        case .revive(let code):
            try db.execute(sql: "DELETE FROM link WHERE identity = ?", arguments: [Data(row.identity)])
            let revived = LinkRow(draft, code: code, now: now)
            return try Self.insert(revived, content: draft.content, db) ? revived : nil
        case .evict(let code):
            try db.execute(sql: "DELETE FROM link WHERE code = ?", arguments: [code.number])
            return nil
        case .retry: return nil
        case .fail(let error): throw error
        }
    }

    /// Inserts a row unless its code or its link is there; the unique indices decide.
    private static func insert(_ row: LinkRow, content: [UInt8]?, _ db: Database) throws -> Bool {
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO link (\(LinkRow.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT DO NOTHING
                """)
        try statement.execute(arguments: row.arguments)
        guard db.changesCount == 1 else { return false }
        if let content {
            try db.execute(
                sql: "INSERT INTO file_content (code, bytes) VALUES (?, ?)", arguments: [row.code, Data(content)])
        }
        return true
    }

    public func entries(after code: Shortcode?, limit: Int) async throws(RegistryError) -> [RegistryEntry] {
        let now = now().milliseconds
        let start = code?.number ?? -1
        let rows = try await reading("export") { db in
            try LinkRow.fetchAll(
                db,
                sql: """
                    SELECT \(LinkRow.columns) FROM link WHERE code > ? AND (expires IS NULL OR expires > ?)
                    ORDER BY code LIMIT ?
                    """, arguments: [start, now, min(max(limit, 1), 10_000)])
        }
        return try (rows ?? []).map { stored throws(RegistryError) in
            RegistryEntry(record: try record(stored), tokenDigest: stored.tokenDigest, content: nil)
        }
    }

    public func add(_ entries: [RegistryEntry]) async throws(RegistryError) -> ImportOutcome {
        let now = now().milliseconds
        return try await writing("import") { db in
            try db.execute(sql: "DELETE FROM link WHERE expires <= ?", arguments: [now])
            var outcome = ImportOutcome()
            for entry in entries {
                let row = try LinkRow(checking: entry)
                if try Self.insert(row, content: entry.content, db) {
                    outcome.added += 1
                } else if try Self.stored(db, "identity = ?", Data(row.identity))?.code == row.code {
                    outcome.present += 1
                } else {
                    outcome.conflicts.append(entry.record.code.description)
                }
            }
            return outcome
        }
    }
}
