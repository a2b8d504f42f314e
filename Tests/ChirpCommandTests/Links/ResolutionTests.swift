import Foundation
import LastFMStandIn
import Synchronization
import Testing

/// Links in `decode`, and what happens when the registry is out of reach.
@Suite struct ResolutionTests {
    /// Sends codes into `x.wav` of a household.
    private func send(_ codes: [String], in home: Household) async throws {
        var quiet = home
        quiet.environment["CHIRP_HISTORY"] = "off"
        #expect(try await quiet.chirp(["send"] + codes + ["-o", "x.wav"]).status == 0)
    }

    @Test func `decode prints kind, title and address, and the link in its JSON`() async throws {
        let home = try Household()
        let code = try await home.share("url", "https://example.org/", "--title", "An example")
        try await send([code, "gsm2h88c7u"], in: home)
        let lines = try await home.chirp("decode", "x.wav").outputLines
        #expect(lines[0].hasPrefix(code) && lines[0].hasSuffix("  url  “An example”  https://example.org/"))
        #expect(lines[1].hasPrefix("gsm2h88c7u") && lines[1].hasSuffix("x.wav"))
        let objects = try await home.chirp("decode", "x.wav", "--json").objects()
        let link = try #require(objects[0]["link"] as? [String: Any])
        #expect(link["kind"] as? String == "url" && link["url"] as? String == "https://example.org/")
        #expect(link["title"] as? String == "An example" && objects[1]["link"] is NSNull)
    }

    @Test func `a registry unreachable costs one warning, and no code`() async throws {
        let home = try Household(registry: "postgresql://chirp@127.0.0.1:1/chirp")
        try await send(["gsm2h88c7u", "gsm2h88c7v"], in: home)
        let run = try await home.chirp("decode", "x.wav", "--json")
        #expect(run.status == 0 && run.errorLines.count == 1, "\(run.errors)")
        #expect(run.errors.hasPrefix("chirp: warning: codes are not resolved: postgresql://chirp@127.0.0.1:1/chirp: "))
        let objects = try run.objects()
        #expect(objects.map { $0["code"] as? String } == ["gsm2h88c7u", "gsm2h88c7v"])
        #expect(objects.allSatisfy { $0["link"] is NSNull })
    }

    @Test func `a registry that does not answer is asked once`() async throws {
        let count = Mutex(0)
        let server = try LoopbackServer { _ in
            count.withLock { $0 += 1 }
            return .hang
        }
        let home = try Household(registry: server.url)
        try await send(["gsm2h88c7u", "gsm2h88c7v", "gsm2h88c7u"], in: home)
        let run = try await home.chirp("decode", "x.wav")
        #expect(run.codes == ["gsm2h88c7u", "gsm2h88c7v", "gsm2h88c7u"] && run.errorLines.count == 1)
        #expect(count.withLock { $0 } == 1)
    }

    @Test func `with --no-resolve no registry is asked`() async throws {
        let count = Mutex(0)
        let server = try LoopbackServer { _ in
            count.withLock { $0 += 1 }
            return .hang
        }
        let home = try Household(registry: server.url)
        try await send(["gsm2h88c7u"], in: home)
        #expect(count.withLock { $0 } == 0, "send asks for the history alone")
        let run = try await home.chirp("decode", "x.wav", "--no-resolve")
        #expect(run.codes == ["gsm2h88c7u"] && run.errors == "" && count.withLock { $0 } == 0)
    }

    @Test func `the history knows what was sent and heard, and resolves later what was unreachable`() async throws {
        let home = try Household(registry: "http://127.0.0.1:1")
        #expect(try await home.chirp("history").status == 1)
        #expect(try await home.chirp("send", "gsm2h88c7u", "-o", "x.wav").status == 0)
        #expect(try await home.chirp("decode", "x.wav").codes == ["gsm2h88c7u"])
        func events(_ arguments: String..., registry: String? = nil) async throws -> [[String: Any]] {
            try await home.chirp(["history", "--json"] + arguments, registry: registry).objects()
        }
        let waiting = try await events("--no-resolve")
        #expect(waiting.map { $0["direction"] as? String } == ["sent", "heard"])
        #expect(waiting.allSatisfy { $0["code"] as? String == "gsm2h88c7u" && $0["link"] is NSNull })
        #expect(waiting.allSatisfy { $0["pending"] as? Bool == true })
        #expect(
            try await home.chirp("history", "--no-resolve").outputLines[1].hasSuffix("gsm2h88c7u  not resolved yet"))
        // The registry is there again, and knows the code.
        let registry = home.folder.path("other.sqlite")
        _ = try await home.share("url", "https://example.org/", "--code", "gsm2h88c7u", registry: registry)
        let resolved = try await events(registry: registry)
        for event in resolved {
            let link = try #require(event["link"] as? [String: Any])
            #expect(link["url"] as? String == "https://example.org/" && event["pending"] as? Bool == false)
        }
        #expect(try await events("--no-resolve").count == 2, "and it stays so without a registry")
        #expect(try await home.chirp("history", "--clear").status == 0)
        #expect(try await home.chirp("history").status == 1)
    }

    /// Two chirps of one code a second apart come in one batch, and each on two channels.
    @Test(arguments: [[], ["--json"], ["--csv"]])
    func `the history has one event for each chirp, whatever decode prints`(options: [String]) async throws {
        let home = try Household()
        let chirp = try Sounds.chirp("gsm2h88c7u")
        let other = try Sounds.chirp("kingfisher")
        let channel = chirp + chirp + other
        try home.folder.write(
            WaveBytes(samples: .integers(Sounds.interleaved([channel, channel])), channels: 2).data, as: "x.wav")
        #expect(try await home.chirp(["decode", "x.wav"] + options).status == 0)
        let events = try await home.chirp("history", "--json").objects()
        #expect(events.map { $0["code"] as? String } == ["gsm2h88c7u", "gsm2h88c7u", "kingfisher"])
        #expect(events.allSatisfy { $0["pending"] as? Bool == false })
    }

    @Test func `with CHIRP_HISTORY=off nothing is kept`() async throws {
        var home = try Household()
        home.environment["CHIRP_HISTORY"] = "off"
        #expect(try await home.chirp("send", "gsm2h88c7u", "-o", "x.wav").status == 0)
        #expect(try await home.chirp("decode", "x.wav").status == 0)
        #expect(!FileManager.default.fileExists(atPath: home.folder.path("data")))
    }

    @Test func `what was noted before CHIRP_HISTORY was off can be deleted`() async throws {
        var home = try Household()
        try await send(["gsm2h88c7u"], in: home)
        #expect(try await home.chirp("decode", "x.wav").status == 0)
        #expect(try await home.chirp("history", "--json").objects().count == 1)
        home.environment["CHIRP_HISTORY"] = "off"
        #expect(try await home.chirp("history", "--clear").status == 0)
        home.environment["CHIRP_HISTORY"] = nil
        #expect(try await home.chirp("history").status == 1)
    }

    @Test func `a history that cannot be kept costs a warning, and no code`() async throws {
        let home = try Household()
        try await send(["gsm2h88c7u"], in: home)
        let folder = home.folder.path("data/chirp")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try "no history".write(toFile: home.historyPath, atomically: false, encoding: .utf8)
        let run = try await home.chirp("decode", "x.wav")
        #expect(run.status == 0 && run.codes == ["gsm2h88c7u"] && run.errorLines.count == 1, "\(run.errors)")
        #expect(run.errors.contains("warning: cannot write the history"))
        #expect(try String(contentsOfFile: home.historyPath, encoding: .utf8) == "no history")
    }
}
