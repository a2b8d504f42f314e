import Chirp
import ChirpLinks
import Foundation
import RegistryConformance
import Testing

/// Several services over one registry.
@Suite struct SharedRegistryTests {
    @Test func `two services over one PostgreSQL are one service`() async throws {
        let server = try PostgresServer()
        let registry = try server.makeDatabase()
        let (one, two) = (try ServiceProcess(registry: registry), try ServiceProcess(registry: registry))
        let answers = try await withThrowingTaskGroup(of: (Int, String, Int).self) { group in
            for index in 0..<200 {
                group.addTask {
                    let service = index % 2 == 0 ? one : two
                    let answer = try service.post("/chirp", #"{"url":"https://example.org/\#(index / 4)"}"#)
                    return (index / 4, answer.json["shortcode"] as? String ?? "", answer.json["is_new"] as? Int ?? -1)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for (_, same) in Dictionary(grouping: answers, by: \.0) {
            #expect(same.count == 4 && Set(same.map(\.1)).count == 1, "one link has one code")
            #expect(same.reduce(0) { $0 + $1.2 } == 1, "and is new once")
        }
        #expect(Set(answers.map(\.1)).count == 50)
        let picture = Sample.multipart(Sample.png, name: "dot.png")
        let file = try one.ask("POST", "/file", ["Content-Type": "multipart/form-data; boundary=edge"], picture)
        let code = try #require(file.json["shortcode"] as? String)
        #expect(try two.get("/\(code)/content").body == Sample.png)
        let link = try one.post("/registry/links", #"{"kind":"text","text":"to be deleted"}"#)
        let token = try #require(link.json["deletion_token"] as? String)
        let note = try #require((link.json["link"] as? [String: Any])?["code"] as? String)
        #expect(try two.get("/\(note)").status == 200)
        #expect(try two.ask("DELETE", "/registry/links/\(note)", ["Authorization": "Bearer \(token)"]).status == 204)
        #expect(try one.get("/\(note)").status == 404)
        #expect(try one.get("/\(note).json").status == 404)
    }

    @Test func `a service whose PostgreSQL is restarted answers again`() throws {
        let server = try PostgresServer()
        let service = try ServiceProcess(registry: try server.makeDatabase())
        let code = try service.share("https://example.org/restart")
        try server.stopAbruptly()
        #expect(try service.get("/healthz").status == 503)
        try server.start()
        #expect(try service.get("/healthz").status == 200)
        #expect(try service.get("/get/\(code)").json["url"] as? String == "https://example.org/restart")
    }

    @Test(arguments: RegistryRule.allCases)
    func `the registry of a service keeps every rule`(rule: RegistryRule) async throws {
        let service = try ServiceProcess()
        let registry = HTTPRegistry(url: "http://127.0.0.1:\(service.port)", key: ServiceProcess.key)
        let other = SQLiteRegistry(path: service.folder.path("other.sqlite"))
        try await rule.check(registry, moving: other)
        await other.close()
    }
}
