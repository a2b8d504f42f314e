import Chirp
import Foundation
import RegistryConformance
import Testing

@testable import ChirpLinks

@Suite struct PostgresSchemaTests {
    /// The step that the first kind after the original six brings.
    @Test func `tables of the first version admit every kind after their step, and keep their other constraints`()
        async throws
    {
        let server = try await PostgresServer.shared()
        let url = try await makeDatabase()
        let database = try #require(url.split(separator: "/").last.map(String.init))
        func execute(_ sql: String) async throws {
            _ = try await blocking { try server.execute(sql, database: database) }
        }
        try await execute(PostgresSchema.tables)
        let code = try Shortcode(parsing: "gsm2h88c7u")
        try await execute(
            """
            INSERT INTO chirp_link (code, identity, kind, subject, created, asked_by, token_digest)
            VALUES (\(code.number), decode(repeat('01', 32), 'hex'), 'text', 'kept', 0, '', decode(repeat('02', 32), 'hex'))
            """)
        let rename = "UPDATE chirp_link SET kind = 'nonsense'"
        await #expect(throws: (any Error).self) { try await execute(rename) }
        try await execute(PostgresSchema.admittingEveryKind)
        try await execute(
            "CREATE TABLE chirp_schema (version bigint); INSERT INTO chirp_schema VALUES (\(PostgresSchema.version))")
        let registry = PostgresRegistry(url: url)
        #expect(try await registry.record(of: code)?.link == .text(NoteText("kept")))
        try await execute(rename)
        await #expect(throws: (any Error).self) { try await execute("UPDATE chirp_link SET week_from = 1") }
        await #expect {
            try await registry.record(of: code)
        } throws: { error in
            guard case .store(let failure) = error as? RegistryError else { return false }
            return failure.reason == .other && failure.message.contains("“nonsense”, which this version does not know")
        }
        await registry.close()
    }

    @Test func `a database that cannot keep every text is refused before there are tables`() async throws {
        let server = try await PostgresServer.shared()
        _ = try await blocking {
            try server.execute("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
        }
        let registry = PostgresRegistry(url: server.url(database: "latin"))
        await #expect {
            try await registry.check()
        } throws: { error in
            guard case .store(let failure) = error as? RegistryError else { return false }
            return failure.message.contains("encoding is LATIN1")
        }
        await registry.close()
        let tables = try await blocking {
            try server.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'", database: "latin")
        }
        #expect(tables.trimmingCharacters(in: .whitespacesAndNewlines) == "0")
    }
}
