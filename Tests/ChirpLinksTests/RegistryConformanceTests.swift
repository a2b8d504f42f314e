import ChirpLinks
import Foundation
import RegistryConformance
import Testing

/// The stores that need nothing but this machine; that of a running service is tested beside the service.
enum Store: String, CaseIterable, Sendable {
    case sqlite, postgresql

    /// An empty registry.
    func makeEmpty() async throws -> any Registry {
        switch self {
        case .sqlite: SQLiteRegistry(path: temporaryPath("registry.sqlite"))
        case .postgresql: PostgresRegistry(url: try await makeDatabase())
        }
    }
}

/// The URL of an empty database.
func makeDatabase() async throws -> String {
    let server = try await PostgresServer.shared()
    return try await blocking { try server.makeDatabase() }
}

/// A path in a new folder, which is removed when the tests end.
func temporaryPath(_ name: String) -> String { "\(testFolder)/\(UUID().uuidString)/\(name)" }

/// The folder of everything that the tests of this process leave.
let testFolder: String = {
    atexit { try? FileManager.default.removeItem(atPath: testFolder) }
    return "\(NSTemporaryDirectory())chirp-links-tests-\(getpid())"
}()

@Suite struct RegistryConformanceTests {
    @Test(arguments: RegistryRule.allCases, Store.allCases)
    func `every registry keeps every rule`(rule: RegistryRule, store: Store) async throws {
        let registry = try await store.makeEmpty()
        let other = try await (store == .sqlite ? Store.postgresql : .sqlite).makeEmpty()
        try await rule.check(registry, moving: other)
        await registry.close()
        await other.close()
    }

    /// PostgreSQL's rules are those of the database's locale.
    @Test(arguments: ["björk", "BJÖRK", "сигур"])
    func `a search in a file finds letters of any alphabet in either case`(search: String) async throws {
        let registry = SQLiteRegistry(path: temporaryPath("registry.sqlite"))
        let note = Link.text(try NoteText("Björk & СИГУР РОС"))
        let record = try await registry.register(LinkDraft(note, clientKind: "test")).record
        #expect(try await registry.list(LinkQuery(search: search)) == [record])
        await registry.close()
    }
}
