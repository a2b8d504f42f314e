internal import GRDB

/// The tables of a registry's file, as steps that are never edited once shipped.
enum SQLiteSchema {
    /// Marks a file as a registry of ours (`PRAGMA application_id`): "chrp" in ASCII.
    static let applicationID: Int64 = 0x6368_7270

    static var version: Int { steps.count }

    /// Step n leads from version n to n + 1.
    static let steps = [
        """
        CREATE TABLE link (
            code INTEGER PRIMARY KEY CHECK (code BETWEEN 0 AND 1125899906842623),
            identity BLOB NOT NULL UNIQUE CHECK (length(identity) = 32),
            kind TEXT NOT NULL CHECK (kind IN ('user', 'chart', 'url', 'text', 'data', 'file')),
            subject TEXT NOT NULL,
            week_from INTEGER,
            week_to INTEGER CHECK (week_to > week_from),
            byte_count INTEGER CHECK (byte_count BETWEEN 1 AND 10485760),
            title TEXT,
            media_type TEXT,
            created INTEGER NOT NULL,
            expires INTEGER,
            asked_by TEXT NOT NULL,
            token_digest BLOB NOT NULL CHECK (length(token_digest) = 32),
            CHECK ((kind = 'chart') = (week_from IS NOT NULL)),
            CHECK ((kind = 'chart') = (week_to IS NOT NULL)),
            CHECK ((kind = 'file') = (byte_count IS NOT NULL)),
            CHECK (kind <> 'file' OR media_type IS NOT NULL)
        ) STRICT;
        CREATE INDEX link_created ON link (created DESC, code DESC);
        CREATE INDEX link_expires ON link (expires) WHERE expires IS NOT NULL;
        CREATE TABLE file_content (
            code INTEGER PRIMARY KEY REFERENCES link (code) ON UPDATE CASCADE ON DELETE CASCADE,
            bytes BLOB NOT NULL CHECK (length(bytes) BETWEEN 1 AND 10485760)
        ) STRICT;
        """
    ]

    /// The version of a file, 0 for an empty one.
    static func version(of db: Database, location: String) throws -> Int {
        let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        let applicationID = try Int64.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        let tableCount = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
        guard applicationID == Self.applicationID || (applicationID == 0 && tableCount == 0) else {
            throw StoreFailure(
                reason: .corrupt, location: location, operation: "open",
                message: "it is a database of another program")
        }
        guard version <= Self.version else {
            throw StoreFailure(
                reason: .newerSchema(found: version, known: Self.version), location: location, operation: "open",
                message: "")
        }
        return version
    }

    /// Brings a file up to date, one process at a time.
    static func migrate(_ db: Database, location: String) throws {
        guard try version(of: db, location: location) < version else { return }
        try db.inTransaction(.immediate) {
            for step in steps.dropFirst(try version(of: db, location: location)) { try db.execute(sql: step) }
            try db.execute(sql: "PRAGMA application_id = \(applicationID)")
            try db.execute(sql: "PRAGMA user_version = \(version)")
            return .commit
        }
    }
}
