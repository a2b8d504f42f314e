import Chirp
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

    /// Swift has as many threads for tasks as there are processors.
    @Test func `look-ups that wait for a locked file without a log hold up nobody else`() async throws {
        let (path, copy) = (temporaryPath("registry.sqlite"), temporaryPath("copy.sqlite"))
        let registry = SQLiteRegistry(path: path)
        let code = try await registry.register(LinkDraft(.text(NoteText("kept")), clientKind: "test")).record.code
        await registry.close()
        try FileManager.default.createDirectory(
            atPath: (copy as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try await DatabaseQueue(path: path).vacuum(into: copy)
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: copy, configuration: configuration)
        try await other.writeWithoutTransaction { try $0.beginTransaction(.exclusive) }
        let locked = SQLiteRegistry(path: copy, retryTimeout: .seconds(60))
        let count = 2 * ProcessInfo.processInfo.activeProcessorCount
        try await withThrowingTaskGroup(of: LinkRecord?.self) { group in
            for _ in 0..<count { group.addTask { try await locked.record(of: code) } }
            try await Task.sleep(for: .milliseconds(200))
            // Nobody gets here while all threads wait.
            try await other.writeWithoutTransaction { try $0.commit() }
            for try await record in group { #expect(record?.code == code) }
        }
        await locked.close()
    }

    /// The step that the first kind after the original six brings.
    @Test func `a registry of the first version admits every kind after its step, and keeps its links and files`()
        async throws
    {
        let path = temporaryPath("registry.sqlite")
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        let own = SQLiteSchema.registry
        let first = SQLiteSchema(applicationID: own.applicationID, steps: [SQLiteSchema.tables])
        let later = SQLiteSchema(
            applicationID: own.applicationID, steps: first.steps + [SQLiteSchema.admittingEveryKind])
        let bytes = Array("%PDF-1.7".utf8)
        let code = try Shortcode(parsing: "gsm2h88c7u")
        let (note, file) = (
            try LinkRow(LinkDraft(.text(NoteText("kept")), clientKind: "test"), code: .random(), now: .now),
            try LinkRow(LinkDraft(fileNamed: "a.pdf", bytes: bytes, clientKind: "test"), code: code, now: .now)
        )
        let rename = "UPDATE link SET kind = 'nonsense' WHERE kind = 'text'"
        let other = try DatabaseQueue(path: path)
        try await other.writeWithoutTransaction { db in
            try first.migrate(db, location: path)
            for row in [note, file] {
                let places = LinkRow.columns.split(separator: ",").map { _ in "?" }.joined(separator: ", ")
                try db.execute(
                    sql: "INSERT INTO link (\(LinkRow.columns)) VALUES (\(places))", arguments: row.arguments)
            }
            try db.execute(
                sql: "INSERT INTO file_content (code, bytes) VALUES (?, ?)", arguments: [file.code, Data(bytes)])
            #expect(throws: DatabaseError.self) { try db.execute(sql: rename) }
            try later.migrate(db, location: path)
            #expect(try String.fetchAll(db, sql: "PRAGMA integrity_check") == ["ok"])
            #expect(try later.version(of: db, location: path) == 2)
            try db.execute(sql: "PRAGMA user_version = \(own.version)")
        }
        let registry = SQLiteRegistry(path: path)
        #expect(try await registry.record(of: code) == file.record)
        #expect(try await registry.content(of: code) == bytes)
        let record = try #require(note.record)
        #expect(try await registry.record(of: record.code) == record)
        // Other constraints still hold, and so does the reference from a file's bytes to its link.
        try await other.write { db in
            try db.execute(sql: rename)
            #expect(throws: DatabaseError.self) { try db.execute(sql: "UPDATE link SET week_from = 1") }
            try db.execute(sql: "DELETE FROM link WHERE kind = 'file'")
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM file_content") == 0)
        }
        await #expect {
            try await registry.record(of: record.code)
        } throws: { error in
            guard case .store(let failure) = error as? RegistryError else { return false }
            return failure.reason == .other && failure.message.contains("“nonsense”, which this version does not know")
        }
        await registry.close()
    }
}
