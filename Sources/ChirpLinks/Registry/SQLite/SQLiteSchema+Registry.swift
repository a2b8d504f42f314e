extension SQLiteSchema {
    /// A registry's file; its mark is "chrp" in ASCII.
    static let registry = SQLiteSchema(
        applicationID: 0x6368_7270, steps: [tables] + (LinkKind.hasLaterKinds ? [admittingEveryKind] : []))

    static let tables =
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

    /// Removes the list of kinds. A constraint goes by an edit of the table's text, as "Making Other Kinds Of Table Schema
    /// Changes" (https://sqlite.org/lang_altertable.html) describes: ten million rows need not be copied. The index is made
    /// anew so that every connection reads the tables again.
    static let admittingEveryKind =
        """
        PRAGMA writable_schema = ON;
        UPDATE sqlite_schema
        SET sql = replace(sql, ' CHECK (kind IN (''user'', ''chart'', ''url'', ''text'', ''data'', ''file''))', '')
        WHERE type = 'table' AND name = 'link';
        PRAGMA writable_schema = RESET;
        DROP INDEX link_expires;
        CREATE INDEX link_expires ON link (expires) WHERE expires IS NOT NULL;
        """
}
