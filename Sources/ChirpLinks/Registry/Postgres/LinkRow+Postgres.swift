extension LinkRow {
    /// The row with ``columns`` in text format, or nil when a column that must not be NULL is.
    init?(_ row: PostgresRow) {
        guard let code = row.integer(0), let identity = row.bytes(1), let kind = row.text(2),
            let subject = row.text(3), let created = row.integer(9), let clientKind = row.text(11),
            let tokenDigest = row.bytes(12)
        else { return nil }
        self.init(
            code: code, identity: identity, kind: kind, subject: subject, weekFrom: row.integer(4),
            weekTo: row.integer(5), byteCount: row.integer(6), title: row.text(7), mediaType: row.text(8),
            created: created, expires: row.integer(10), clientKind: clientKind, tokenDigest: tokenDigest)
    }

    /// Its values in the order of ``columns``.
    var values: [PostgresValue] {
        [
            .integer(code), .bytes(identity), .text(kind), .text(subject), PostgresValue(weekFrom),
            PostgresValue(weekTo), PostgresValue(byteCount), PostgresValue(title), PostgresValue(mediaType),
            .integer(created), PostgresValue(expires), .text(clientKind), .bytes(tokenDigest),
        ]
    }
}
