/// The tables of a registry on a server, as steps that are never edited once shipped.
enum PostgresSchema {
    static var version: Int { steps.count }

    /// Names the lock under which one process at a time changes the schema: "chirplnk" in ASCII.
    private static let lock: Int64 = 0x6368_6972_706C_6E6B

    /// Step n leads from version n to n + 1.
    private static let steps = [tables] + (LinkKind.hasLaterKinds ? [admittingEveryKind] : [])

    static let tables =
        """
        CREATE TABLE chirp_link (
            code bigint PRIMARY KEY CHECK (code BETWEEN 0 AND 1125899906842623),
            identity bytea NOT NULL UNIQUE CHECK (octet_length(identity) = 32),
            kind text NOT NULL CHECK (kind IN ('user', 'chart', 'url', 'text', 'data', 'file')),
            subject text NOT NULL,
            week_from bigint,
            week_to bigint CHECK (week_to > week_from),
            byte_count bigint CHECK (byte_count BETWEEN 1 AND 10485760),
            title text,
            media_type text,
            created bigint NOT NULL,
            expires bigint,
            asked_by text NOT NULL,
            token_digest bytea NOT NULL CHECK (octet_length(token_digest) = 32),
            CHECK ((kind = 'chart') = (week_from IS NOT NULL)),
            CHECK ((kind = 'chart') = (week_to IS NOT NULL)),
            CHECK ((kind = 'file') = (byte_count IS NOT NULL)),
            CHECK (kind <> 'file' OR media_type IS NOT NULL)
        );
        CREATE INDEX chirp_link_created ON chirp_link (created DESC, code DESC);
        CREATE INDEX chirp_link_expires ON chirp_link (expires) WHERE expires IS NOT NULL;
        CREATE TABLE chirp_file_content (
            code bigint PRIMARY KEY REFERENCES chirp_link (code) ON UPDATE CASCADE ON DELETE CASCADE,
            bytes bytea NOT NULL CHECK (octet_length(bytes) BETWEEN 1 AND 10485760)
        );
        ALTER TABLE chirp_file_content ALTER COLUMN bytes SET STORAGE EXTERNAL;
        """

    /// Removes the list of kinds.
    static let admittingEveryKind = "ALTER TABLE chirp_link DROP CONSTRAINT chirp_link_kind_check"

    /// Makes a new connection safe to use: commits reach the disk, no statement waits for ever, the schema is there.
    static func prepare(_ connection: PostgresConnection, location: String) throws {
        try connection.run(
            """
            SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off';
            SET statement_timeout = '30s'
            """)
        guard try version(connection, location: location) < version else { return }
        // The lock comes before the transaction: a transaction that began while another process made the tables would
        // believe its cache, in which there are none.
        try connection.run("SELECT pg_advisory_lock(\(lock))")
        defer { try? connection.run("SELECT pg_advisory_unlock(\(lock))") }
        try connection.transaction {
            let found = try version(connection, location: location)
            if found == 0 { try checkEncoding(connection, location: location) }
            try connection.run("CREATE TABLE IF NOT EXISTS chirp_schema (version bigint NOT NULL)")
            for step in steps.dropFirst(found) { try connection.run(step) }
            try connection.run("DELETE FROM chirp_schema; INSERT INTO chirp_schema VALUES (\(version))")
        }
    }

    /// Checks, before there are tables, that the database can keep every text; `SQL_ASCII` keeps bytes as they are.
    private static func checkEncoding(_ connection: PostgresConnection, location: String) throws {
        let answer = try connection.execute("SELECT current_setting('server_encoding')")
        let encoding = answer.fields.first.flatMap { PostgresRow(fields: $0).text(0) } ?? ""
        guard ["UTF8", "SQL_ASCII"].contains(encoding) else {
            throw StoreFailure(
                reason: .other, location: location, operation: "open",
                message: "the database's encoding is \(encoding), which cannot keep every title and note; create it "
                    + "with ENCODING 'UTF8' TEMPLATE template0")
        }
    }

    /// The version on the server, 0 when there is none.
    static func version(_ connection: PostgresConnection, location: String) throws -> Int {
        let table = try connection.execute("SELECT to_regclass('chirp_schema') IS NOT NULL")
        guard let field = table.fields.first?.first, field == Array("t".utf8) else { return 0 }
        let rows = try connection.execute("SELECT max(version) FROM chirp_schema")
        let found = rows.fields.first.flatMap { PostgresRow(fields: $0).integer(0) }.map(Int.init) ?? 0
        guard found <= version else {
            throw StoreFailure(
                reason: .newerSchema(found: found, known: version), location: location, operation: "open",
                message: "")
        }
        return found
    }
}
