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

    /// The step that the first kind after the original six brings.
    @Test func `a registry of the first version admits every kind after its step, and keeps its links and files`()
        async throws
    {
        let path = temporaryPath("registry.sqlite")
        let registry = SQLiteRegistry(path: path)
        let link = try await registry.register(
            LinkDraft(.text(NoteText("kept")), expires: .now.advanced(by: .seconds(60)), clientKind: "test"))
        let file = try await registry.register(
            LinkDraft(fileNamed: "a.pdf", bytes: Array("%PDF-1.7".utf8), clientKind: "test"))
        let first = SQLiteSchema.registry
        let later = SQLiteSchema(
            applicationID: first.applicationID, steps: [first.steps[0], SQLiteSchema.admittingEveryKind])
        let admitPlaces = "UPDATE link SET kind = 'place' WHERE kind = 'text'"
        let other = try DatabaseQueue(path: path)
        try other.inDatabase { db in
            #expect(throws: DatabaseError.self) { try db.execute(sql: admitPlaces) }
            try later.migrate(db, location: path)
            #expect(try String.fetchAll(db, sql: "PRAGMA integrity_check") == ["ok"])
            #expect(try later.version(of: db, location: path) == 2)
            // As if this version had made it, so that it reads the file.
            try db.execute(sql: "PRAGMA user_version = 1")
        }
        #expect(try await registry.record(of: link.record.code) == link.record)
        #expect(try await registry.content(of: file.record.code) == Array("%PDF-1.7".utf8))
        #expect(try await registry.record(of: file.record.code) == file.record)
        // Other constraints still hold, and so does the reference from a file's bytes to its link.
        try await other.write { db in
            try db.execute(sql: admitPlaces)
            #expect(throws: DatabaseError.self) { try db.execute(sql: "UPDATE link SET week_from = 1") }
            try db.execute(sql: "DELETE FROM link WHERE kind = 'file'")
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM file_content") == 0)
        }
        await #expect {
            try await registry.record(of: link.record.code)
        } throws: { error in
            guard case .store(let failure) = error as? RegistryError else { return false }
            return failure.reason == .other && failure.message.contains("“place”, which this version does not know")
        }
        await registry.close()
    }
}
