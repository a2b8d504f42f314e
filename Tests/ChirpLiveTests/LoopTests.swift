import Chirp
import Foundation
import SoundServer
import Testing

/// `chirp send` in one process and `chirp listen` in another, on the default devices of a sound server.
@Suite(.serialized, .onOwnThread) struct LoopTests {
    private struct Line: Decodable {
        let code: String
        let longcode: String
        let start: Double
        let duration: Double
        let channel: Int
    }

    @Test func `a code that is played is heard, and told of as an object a line`() async throws {
        let server = try await PulseServer()
        let listener = try await server.listener("--json", "--once", "--timeout", "60")
        try await server.send("gsm2h88c7u")
        let result = try await listener.result()
        #expect(result.status == .exited(0))
        #expect(result.complaints.allSatisfy { $0.contains("has been silent") }, "\(result.errors)")
        try #require(result.lines.count == 1)
        let line = try JSONDecoder().decode(Line.self, from: Data(result.lines[0].utf8))
        #expect(line.code == "gsm2h88c7u")
        #expect(line.longcode == "gsm2h88c7udtnef4ok")
        #expect(line.channel == 0)
        #expect(line.start >= 0)
        #expect(abs(line.duration - 1.744) < 0.1)
    }

    @Test func `a code that is played in each format is heard, and told by which it came`() async throws {
        struct Named: Decodable {
            let code: String
            let format: String
        }
        let server = try await PulseServer()
        let listener = try await server.listener("--json", "--format", "all")
        let formats = ["original", "telephone", "ultrasonic", "fast"]
        try await server.send("gsm2h88c7u", "--format", formats.joined(separator: ","))
        try await listener.waitForOutput("four lines") { $0.split(separator: "\n").count >= 4 }
        listener.kill(SIGTERM)
        let heard = try await listener.result().lines.map {
            try JSONDecoder().decode(Named.self, from: Data($0.utf8))
        }
        #expect(heard.map(\.code) == Array(repeating: "gsm2h88c7u", count: 4))
        #expect(heard.map(\.format) == formats)
    }

    @Test func `a code that is inverted on one of two channels is heard`() async throws {
        let server = try await PulseServer()
        let samples = try Synthesiser(sampleRateHertz: 48_000).samples(of: Codeword(parsing: "gsm2h88c7u"))
        let frames = (samples + [Float](repeating: 0, count: 24_000)).flatMap { [$0, -$0] }
        let folder = URL(fileURLWithPath: server.folder.path)
        try frames.withUnsafeBytes { try Data($0).write(to: folder.appendingPathComponent("inverted.raw")) }
        let listener = try await server.listener("--once", "--timeout", "60", "--record", "heard.wav")
        let player = try RunningProcess(
            "/usr/bin/env",
            ["pacat", "--raw", "--format=float32le", "--rate=48000", "--channels=2", "inverted.raw"],
            environment: server.environment, folder: server.folder.path)
        #expect(try await player.result().status == .exited(0))
        #expect(try await listener.result().lines.map { $0.prefix(10) } == ["gsm2h88c7u"])
        // Bytes 22 and 23 of a WAV are its channels.
        #expect(try Data(contentsOf: folder.appendingPathComponent("heard.wav"))[22...23] == Data([2, 0]))
    }

    @Test(arguments: [2012])
    func `twenty random codes in a row all arrive`(seed: UInt64) async throws {
        var generator = SeededGenerator(state: seed)
        let codes = (0..<20).map { _ in Shortcode.random(using: &generator).description }
        let server = try await PulseServer()
        let listener = try await server.listener()
        let sender = try RunningProcess(
            RunningProcess.chirp, ["send", "--gap", "0.2"] + codes, environment: server.environment)
        #expect(try await sender.result().status == .exited(0))
        try await listener.waitForOutput("twenty lines") { $0.split(separator: "\n").count >= 20 }
        #expect(listener.lines.map { String($0.prefix(10)) } == codes)
        listener.kill(SIGTERM)
        #expect(try await listener.result().lines.count == 20)
    }

    @Test func `a code that is played again is reported of again`() async throws {
        let server = try await PulseServer()
        let listener = try await server.listener()
        try await server.send("gsm2h88c7u", "--repeat", "3", "--gap", "0")
        try await listener.waitForOutput("three lines") { $0.split(separator: "\n").count >= 3 }
        listener.kill(SIGTERM)
        #expect(try await listener.result().lines.map { $0.prefix(10) } == ["gsm2h88c7u", "gsm2h88c7u", "gsm2h88c7u"])
    }

    @Test func `a code to ignore is not told of`() async throws {
        let server = try await PulseServer()
        let listener = try await server.listener("--ignore", "GSM2H88C7U", "--ignore", "parrotbill", "--once")
        try await server.send("gsm2h88c7u", "parrotbill", "hv1000000t")
        let result = try await listener.result()
        #expect(result.lines.map { $0.prefix(10) } == ["hv1000000t"])
        #expect(result.status == .exited(0))
    }

    @Test func `nothing heard in time is reported by the exit status alone`() async throws {
        let server = try await PulseServer()
        let listener = try server.chirp("listen", "--timeout", "0.5")
        #expect(try await listener.result() == .init(status: .exited(1), output: "", errors: ""))
    }

    @Test func `a time-out after a code was heard is no failure`() async throws {
        let server = try await PulseServer()
        var result: RunningProcess.Result?
        // The start of the sender counts: a busy machine is given more time.
        for seconds in ["8", "60"] where result?.status != .exited(0) {
            let listener = try await server.listener("--timeout", seconds)
            try await server.send("gsm2h88c7u")
            result = try await listener.result()
        }
        #expect(result?.status == .exited(0))
        #expect(result?.lines.count == 1)
    }

    @Test func `a command is run for each code, and finds it in its environment`() async throws {
        let server = try await PulseServer()
        let listener = try await server.listener(
            "--once", "--exec", #"printf '%s|%s|%s|%s' "$CHIRP_CODE" "$CHIRP_URL" "$CHIRP_KIND" "$*" > heard.txt"#)
        try await server.send("gsm2h88c7u")
        #expect(try await listener.result().status == .exited(0))
        #expect(try server.folder.read("heard.txt") == "gsm2h88c7u|||")
    }

    @Test func `a command that fails is reported, and by the exit status too`() async throws {
        let server = try await PulseServer()
        let listener = try await server.listener("--once", "--exec", "exit 3")
        try await server.send("gsm2h88c7u")
        let result = try await listener.result()
        #expect(result.status == .exited(2))
        #expect(result.lines.count == 1)
        #expect(result.complaints.contains("chirp: warning: the command of --exec ended with status 3 for gsm2h88c7u"))
    }

    @Test(arguments: ["heard.wav", "heard.flac", "heard.ogg"])
    func `a recording of what was heard can be decoded later`(name: String) async throws {
        let server = try await PulseServer()
        let listener = try await server.listener("--once", "--record", name)
        try await server.send("gsm2h88c7u")
        #expect(try await listener.result().status == .exited(0))
        let decoded = try await server.chirp("decode", "--no-resolve", name).result()
        #expect(decoded.lines.map { $0.prefix(10) } == ["gsm2h88c7u"])
        // A file that was not finished would be warned of.
        #expect(decoded.status == .exited(0) && decoded.errors == "", "\(decoded.errors)")
    }

    @Test func `the devices are listed with a mark at the default`() async throws {
        let server = try await PulseServer()
        let result = try await server.chirp("devices").result()
        #expect(result.status == .exited(0))
        #expect(result.lines.filter { $0.hasPrefix("* default") }.count == 2)
        #expect(result.lines.contains("Playback:") && result.lines.contains("Capture:"))
        let other = try await server.chirp("devices", environment: ["CHIRP_DEVICE": "pulse"]).result()
        #expect(other.lines.filter { $0.hasPrefix("* pulse") }.count == 2)
    }
}

/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
