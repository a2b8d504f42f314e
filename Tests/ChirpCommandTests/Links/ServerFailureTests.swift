import Foundation
import LastFMStandIn
import RegistryConformance
import Testing

/// What people read when a registry's server cannot be used.
@Suite struct ServerFailureTests {
    @Test func `a server that lets nobody in is reported in one line, without the password`() async throws {
        let server = try await PostgresServer.shared()
        let url = server.url(password: "wrong")
        let home = try Household(registry: url)
        for arguments in [["share", "text", "x"], ["resolve", "gsm2h88c7u"]] {
            let line = try await home.chirp(arguments).failure()
            #expect(line.contains("access is denied (password authentication failed for user \"chirp\")"), "\(line)")
            #expect(line.contains("@127.0.0.1:\(server.port)/") && !line.contains("wrong"), "\(line)")
        }
    }

    @Test(arguments: [
        ("postgresql://chirp@127.0.0.1:1/chirp", "Connection refused"),
        ("postgresql://chirp@chirp.invalid/chirp", "could not translate host name"),
        ("http://127.0.0.1:1", "connection refused"),
    ])
    func `a missing server is reported in one line`(url: String, says: String) async throws {
        let home = try Household(registry: url)
        for arguments in [["share", "text", "x"], ["resolve", "gsm2h88c7u"]] {
            let line = try await home.chirp(arguments).failure()
            #expect(line.hasPrefix("chirp: \(url): cannot ") && line.contains("it is unreachable"), "\(line)")
            #expect(line.contains(says), "\(line)")
        }
    }

    @Test func `a database that is not there is reported in one line`() async throws {
        let url = try await PostgresServer.shared().url(database: "nowhere")
        let line = try await Household(registry: url).chirp("share", "text", "x").failure()
        #expect(line.contains("database \"nowhere\" does not exist"), "\(line)")
    }

    @Test func `a newer schema on a server is reported in one line, and everything stays`() async throws {
        let server = try await PostgresServer.shared()
        let url = try await makeDatabase()
        let database = try #require(url.split(separator: "/").last.map(String.init))
        let home = try Household(registry: url)
        let code = try await home.share("url", "https://example.org/")
        let version = try await blocking { try server.execute("SELECT version FROM chirp_schema", database: database) }
            .trimmingCharacters(in: .whitespacesAndNewlines)
        _ = try await blocking { try server.execute("UPDATE chirp_schema SET version = 99", database: database) }
        for arguments in [["share", "text", "x"], ["resolve", code]] {
            let line = try await home.chirp(arguments).failure()
            #expect(
                line.contains("was created by a newer version (schema 99, this one supports \(version)); update chirp"))
        }
        _ = try await blocking {
            try server.execute("UPDATE chirp_schema SET version = \(version)", database: database)
        }
        #expect(try await home.chirp("resolve", code).outputLines == ["url  https://example.org/"])
    }

    @Test func `a server that may only be read is read, and a share says so in one line`() async throws {
        let server = try await PostgresServer.shared()
        let url = try await makeDatabase()
        let database = try #require(url.split(separator: "/").last.map(String.init))
        let home = try Household(registry: url)
        let code = try await home.share("url", "https://example.org/")
        _ = try await blocking {
            try server.execute("ALTER DATABASE \(database) SET default_transaction_read_only = on")
        }
        #expect(try await home.chirp("resolve", code).outputLines == ["url  https://example.org/"])
        let line = try await home.chirp("share", "text", "x").failure()
        #expect(line.contains("cannot register: it is read-only"), "\(line)")
    }

    @Test func `a server that is no registry is reported, and no code is called unknown by it`() async throws {
        let server = try LoopbackServer { _ in
            .respond(status: 404, headers: [("Content-Type", "text/html")], body: Array("<h1>Not found</h1>".utf8))
        }
        let home = try Household(registry: server.url)
        for arguments in [
            ["share", "text", "x"], ["resolve", "gsm2h88c7u"], ["delete", "gsm2h88c7u", "--token", token],
        ] {
            let line = try await home.chirp(arguments).failure()
            #expect(line.contains("the answer is not that of a chirp registry"), "\(line)")
        }
    }

    @Test func `a server that does not speak TLS is reported in one line`() async throws {
        let server = try LoopbackServer { _ in .respond(status: 200, body: []) }
        let line = try await Household(registry: "https://127.0.0.1:\(server.port)").chirp("resolve", "gsm2h88c7u")
            .failure()
        #expect(line.hasSuffix("cannot look up: it does not speak TLS, as addresses with https do"), "\(line)")
    }

    private let token = String(repeating: "0", count: 32)

    @Test(arguments: ["mysql://example.org/x", "http://", "ftp://x"])
    func `a name that is no registry's is reported in one line`(name: String) async throws {
        _ = try await Household(registry: name).chirp("resolve", "gsm2h88c7u").failure()
    }
}
