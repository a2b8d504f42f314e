import ChirpLinks
import Foundation
import RegistryConformance
import Testing

/// How a service ends.
@Suite struct StopTests {
    /// Clients make a connection for each request, as proxies do. A connection that the system took and the service had
    /// not yet when it stopped is reset; its request then has no effect, and is safe to repeat.
    @Test(arguments: 1...3) func `a stop under load loses no answer`(round: Int) async throws {
        let service = try ServiceProcess()
        let wave = try service.get("/gsm2h88c7u.wav").body
        let tallies = try await withThrowingTaskGroup(of: Tally.self) { group in
            for worker in 0..<8 {
                group.addTask { await onThread { Self.load(service, worker: worker, wave: wave) } }
            }
            group.addTask {
                await onThread {
                    // The load has begun when a few links are there.
                    while ((try? service.get("/registry/links?limit=9", Self.key).json["links"] as? [Any])?.count ?? 0)
                        < 9
                    {
                        usleep(10_000)
                    }
                    service.askToStop()
                    return Tally()
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let end = try service.wait()
        #expect(end.status == 0, "\(end.errors)")
        #expect(tallies.allSatisfy { $0.broken == 0 }, "no answer breaks off")
        let answered = Set(tallies.flatMap(\.answered))
        #expect(answered.count >= 9)
        let registry = SQLiteRegistry(path: service.folder.path("registry.sqlite"))
        let kept = try await registry.list(LinkQuery(limit: 1_000)).compactMap(\.link.url)
        await registry.close()
        #expect(Set(kept) == answered, "what had an effect was answered, and the other way round")
    }

    static let key = ["Authorization": "Bearer \(ServiceProcess.key)"]

    /// What a client saw.
    struct Tally: Sendable {
        var answered: [String] = []
        var broken = 0
    }

    /// Sends requests until the service takes no more.
    private static func load(_ service: ServiceProcess, worker: Int, wave: [UInt8]) -> Tally {
        var tally = Tally()
        for index in 0..<100 {
            let url = "https://example.org/\(worker)/\(index)"
            let isSound = worker % 4 == 0
            let request =
                isSound
                ? ServiceProcess.request("POST", "/decode", [:], wave)
                : ServiceProcess.request("POST", "/chirp", [:], Array(#"{"url":"\#(url)"}"#.utf8))
            guard let connection = try? Connection(port: service.port), (try? connection.send(request)) != nil else {
                return tally
            }
            do {
                guard let answer = try connection.answer() else { return tally }
                if answer.status != 200 { tally.broken += 1 }
                if !isSound { tally.answered.append(url) }
            } catch {
                tally.broken += 1
            }
        }
        return tally
    }

    @Test func `a request that is on its way when the stop is asked for is answered`() throws {
        let service = try ServiceProcess()
        let connection = try Connection(port: service.port)
        let body = #"{"url":"https://example.org/late"}"#
        try connection.send("POST /chirp HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.utf8.count)\r\n\r\n")
        try connection.send(String(body.prefix(10)))
        // The head must have arrived: connections go to the service's threads in turn, and each has answered after it.
        for _ in 0..<16 { #expect(try service.get("/healthz").status == 200) }
        service.askToStop()
        let deadline = ContinuousClock.now + .seconds(30)
        while (try? Connection(port: service.port)) != nil, ContinuousClock.now < deadline { usleep(10_000) }
        try connection.send(String(body.dropFirst(10)))
        let answer = try #require(try connection.answer())
        #expect(answer.status == 200 && answer.json["is_new"] as? Int == 1)
        #expect(try service.wait().status == 0)
    }

    @Test func `a port that is taken, and a registry elsewhere, end the program with one line`() throws {
        let service = try ServiceProcess()
        let second = try RunningProgram([ServiceProcess.binary, "serve", "--port", "\(service.port)"])
        let end = try second.wait()
        #expect(end.status == 2)
        #expect(end.errors.contains("chirp: 127.0.0.1:\(service.port): cannot listen: address already in use"))
        let remote = try RunningProgram([
            ServiceProcess.binary, "serve", "--registry", "http://127.0.0.1:\(service.port)",
        ]).wait()
        #expect(remote.status == 2 && remote.errors.hasPrefix("chirp: http://127.0.0.1"))
        #expect(try RunningProgram([ServiceProcess.binary, "serve", "--proxy", "all"]).wait().status == 64)
    }
}

/// The result of a body that blocks, on a thread of its own.
func onThread<T: Sendable>(_ body: @escaping @Sendable () -> T) async -> T {
    await withCheckedContinuation { continuation in
        Thread { continuation.resume(returning: body()) }.start()
    }
}
