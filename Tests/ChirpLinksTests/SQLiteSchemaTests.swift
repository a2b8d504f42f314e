import Foundation
import GRDB
import Testing

@testable import ChirpLinks

@Suite struct SQLiteSchemaTests {
    /// Whoever had read the mark before the other process wrote it, and counted the tables after, took its own registry for the
    /// database of another program.
    @Test(arguments: ["user_version", "application_id", "sqlite_schema"])
    func `a file whose tables another process makes meanwhile is one without them or one with them`(read: String) throws
    {
        let path = temporaryPath("registry.sqlite")
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        let other = try DatabaseQueue(path: path)
        try other.inDatabase { _ = try String.fetchOne($0, sql: "PRAGMA journal_mode = WAL") }
        let own = try DatabaseQueue(path: path)
        try own.inDatabase { db in
            var result: Result<Void, any Error>?
            db.trace { event in
                guard result == nil, "\(event)".contains(read) else { return }
                result = Result { try other.inDatabase { try SQLiteSchema.registry.migrate($0, location: path) } }
            }
            let version = try SQLiteSchema.registry.version(of: db, location: path)
            db.trace()
            try #require(result).get()
            #expect([0, SQLiteSchema.registry.version].contains(version))
            #expect(try SQLiteSchema.registry.version(of: db, location: path) == SQLiteSchema.registry.version)
        }
    }
}
