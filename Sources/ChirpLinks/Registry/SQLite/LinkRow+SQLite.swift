internal import Foundation
internal import GRDB

extension LinkRow: FetchableRecord {
    init(row: Row) throws {
        self.init(
            code: row[0], identity: Array(row[1] as Data), kind: row[2], subject: row[3], weekFrom: row[4],
            weekTo: row[5], byteCount: row[6], title: row[7], mediaType: row[8], created: row[9], expires: row[10],
            clientKind: row[11], tokenDigest: Array(row[12] as Data))
    }

    /// Its values in the order of ``columns``.
    var arguments: StatementArguments {
        [
            code, Data(identity), kind, subject, weekFrom, weekTo, byteCount, title, mediaType, created, expires,
            clientKind, Data(tokenDigest),
        ]
    }
}
