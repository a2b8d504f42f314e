import RegistryConformance
import Testing

@testable import ChirpLinks

@Suite struct PostgresConnectionTests {
    @Test(
        arguments: [
            (
                "connection to server at \"127.0.0.1\", port 5432 failed: FATAL:  28P01: password authentication failed for user "
                    + "\"x\"\nLOCATION:  auth_failed, auth.c:326\n", "28P01", StoreFailure.Reason.accessDenied, false
            ),
            ("server failed: FATAL:  57P03: the database system is starting up\n", "57P03", .unreachable, true),
            ("server failed: FATAL:  53300: sorry, too many clients already\n", "53300", .busy, true),
            ("server failed: FATAL:  3D000: database \"x\" does not exist\n", "3D000", .other, false),
            ("connection to server at \"127.0.0.1\" failed: Connection refused\n", nil, .unreachable, true),
        ] as [(String, String?, StoreFailure.Reason, Bool)])
    func `the reason for no connection is read from the message, and whether to try again`(
        message: String, state: String?, reason: StoreFailure.Reason, isWorthRepeating: Bool
    ) {
        let error = PostgresConnection.connectError(message)
        #expect(error.state == state && error.reason == reason && error.isWorthRepeating == isWorthRepeating)
        #expect(!error.message.contains("LOCATION") && !error.message.contains("\n"))
    }

    @Test(arguments: [("libnone.so.1", "libnone.so.1"), ("libm.so.6", "PQconninfoParse")])
    func `a library that is missing, or another one, is an error that names it`(file: String, told: String) throws {
        let error = try #require(throws: PostgresError.self) { _ = try PostgresLibrary(named: file) }
        #expect(error.message.contains(told) && error.message.contains("libpq5"))
        #expect(error.reason == .other && !error.isWorthRepeating)
    }

    @Test func `each server of a URL is tried by itself`() throws {
        let libpq = try PostgresLibrary.load()
        func servers(_ url: String) -> [String] {
            PostgresConnection.servers(of: url, libpq).map { $0.map { "\($0)=\($1)" }.joined(separator: " ") }
        }
        #expect(servers("postgresql://a,b:5433/chirp") == ["host=a port=", "host=b port=5433"])
        #expect(servers("postgresql:///chirp?host=a,b,c&port=5433") == ["host=a", "host=b", "host=c"])
        #expect(servers("postgresql://a/chirp") == [""])
        // Not one port for each: libpq says so.
        #expect(servers("postgresql:///chirp?host=a,b,c&port=1,2") == [""])
    }

    @Test func `a server that says nothing is passed over for the next of the URL`() async throws {
        let (silent, server) = try await blocking { (try PostgresServer(), try PostgresServer()) }
        try await blocking { try silent.signal("STOP") }
        let url = try await blocking { try server.makeDatabase() }.replacing(
            "@127.0.0.1:", with: "@127.0.0.1:\(silent.port),127.0.0.1:")
        let registry = PostgresRegistry(url: url, connectionLimit: 1)
        let draft = try LinkDraft(.url(WebAddress("https://example.org/")), clientKind: "tests")
        let first = try await registry.register(draft)
        #expect(try await registry.record(of: first.record.code) == first.record)
        await registry.close()
        try await blocking { try silent.signal("CONT") }
    }

    @Test func `a server that is frozen costs the time limit and an error, and is used again when it goes on`()
        async throws
    {
        let server = try await blocking { try PostgresServer() }
        let url = try await blocking { try server.makeDatabase() }
        let registry = PostgresRegistry(
            url: url, connectionLimit: 2, retryTimeout: .seconds(1), answerLimit: .seconds(1), now: { .now },
            draw: { .random() })
        let draft = try LinkDraft(.url(WebAddress("https://example.org/")), clientKind: "tests")
        let first = try await registry.register(draft)
        try await blocking { try server.signal("STOP") }
        await #expect {
            try await registry.record(of: first.record.code)
        } throws: {
            if case RegistryError.store(let failure)? = $0 as? RegistryError {
                failure.reason == .unreachable
            } else {
                false
            }
        }
        try await blocking { try server.signal("CONT") }
        // A machine that is busy may be slow to wake all of the server's processes.
        var found: LinkRecord?
        let deadline = ContinuousClock.now + .seconds(60)
        while found == nil, ContinuousClock.now < deadline { found = try? await registry.record(of: first.record.code) }
        #expect(found == first.record)
        await registry.close()
    }
}
