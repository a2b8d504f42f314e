internal import GRDB

/// The tables of one sort of file, as steps that are never edited once shipped.
struct SQLiteSchema: Sendable {
    /// Marks a file as one of this sort (`PRAGMA application_id`).
    let applicationID: Int64
    /// Step n leads from version n to n + 1.
    let steps: [String]

    var version: Int { steps.count }

    /// The version of a file, 0 for an empty one. All that tells it is read in one transaction: another process that makes
    /// the tables meanwhile has made none or all of them.
    func version(of db: Database, location: String) throws -> Int {
        guard !db.isInsideTransaction else { return try readVersion(of: db, location: location) }
        var version = 0
        try db.inTransaction(.deferred) {
            version = try readVersion(of: db, location: location)
            return .commit
        }
        return version
    }

    private func readVersion(of db: Database, location: String) throws -> Int {
        let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        let applicationID = try Int64.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        let tableCount = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
        guard applicationID == self.applicationID || (applicationID == 0 && tableCount == 0) else {
            throw StoreFailure(
                reason: .corrupt, location: location, operation: "open",
                message: "it is a database of another program")
        }
        guard version <= self.version else {
            throw StoreFailure(
                reason: .newerSchema(found: version, known: self.version), location: location, operation: "open",
                message: "")
        }
        return version
    }

    /// Brings a file up to date, one process at a time.
    func migrate(_ db: Database, location: String) throws {
        guard try version(of: db, location: location) < version else { return }
        try db.inTransaction(.immediate) {
            for step in steps.dropFirst(try version(of: db, location: location)) { try db.execute(sql: step) }
            try db.execute(sql: "PRAGMA application_id = \(applicationID)")
            try db.execute(sql: "PRAGMA user_version = \(version)")
            return .commit
        }
    }
}
