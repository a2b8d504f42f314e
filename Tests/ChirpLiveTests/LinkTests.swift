import Foundation
import SoundServer
import Testing

/// What listening does about links: resolves codes without ever holding up the sound.
@Suite(.serialized, .onOwnThread) struct LinkTests {
    private static let code = "gsm2h88c7u"

    /// Registers a link on the server's registry and gives back its code.
    private func share(_ arguments: String..., on server: PulseServer) async throws -> String {
        let result = try await RunningProcess(
            RunningProcess.chirp, ["share"] + arguments, environment: server.environment
        ).result()
        try #require(result.status == .exited(0), "\(result.errors)")
        return String(try #require(result.lines.first?.split(separator: " ").first))
    }

    @Test func `a code is reported of with its kind, title and address`() async throws {
        let server = try await PulseServer()
        let code = try await share("url", "https://example.org/a", "--title", "An example", on: server)
        let listener = try await server.listener("--once")
        try await server.send(code)
        let line = try #require(try await listener.result().lines.first)
        #expect(line.hasPrefix(code))
        for part in ["url", "“An example”", "https://example.org/a"] { #expect(line.contains(part), "\(line)") }
    }

    @Test func `objects carry the link, and commands have it in their environment`() async throws {
        let server = try await PulseServer()
        let code = try await share("user", "rj", on: server)
        let listener = try await server.listener(
            "--once", "--json", "--exec", #"printf '%s %s %s' "$CHIRP_CODE" "$CHIRP_KIND" "$CHIRP_URL" > heard.txt"#)
        try await server.send(code)
        let line = try #require(try await listener.result().lines.first)
        let link = #""link":{"kind":"user","url":"https://www.last.fm/user/rj","user":"rj"}"#
        #expect(line.contains(link), "\(line)")
        #expect(try server.folder.read("heard.txt") == "\(code) user https://www.last.fm/user/rj")
    }

    @Test func `decoded data is never part of a command`() async throws {
        let server = try await PulseServer()
        let code = try await share("url", "https://example.org/$(touch${IFS}evil);`touch${IFS}evil`", on: server)
        let listener = try await server.listener("--once", "--exec", "echo $CHIRP_URL \"$CHIRP_URL\" > heard.txt")
        try await server.send(code)
        #expect(try await listener.result().status == .exited(0))
        #expect(try server.folder.read("heard.txt").contains("touch"))
        #expect(!FileManager.default.fileExists(atPath: server.folder.path + "/evil"))
    }

    @Test func `the link is opened in the browser, which goes on when the listening is over`() async throws {
        let server = try await PulseServer()
        let code = try await share("url", "https://example.org/a", on: server)
        try server.folder.write(
            "bin/xdg-open", "#!/bin/sh\necho \"$$ $*\" > opened.tmp && mv opened.tmp opened.txt\nexec sleep 600\n")
        chmod(server.folder.path + "/bin/xdg-open", 0o755)
        let path = server.folder.path + "/bin:" + (server.environment["PATH"] ?? "")
        let listener = try await server.listener("--once", "--open", environment: ["PATH": path])
        try await server.send(code)
        #expect(try await listener.result().status == .exited(0))
        try await waitUntil("the browser runs") {
            FileManager.default.fileExists(atPath: server.folder.path + "/opened.txt")
        }
        let opened = try server.folder.read("opened.txt").split(separator: " ").map(String.init)
        #expect(opened.dropFirst() == ["https://example.org/a\n"])
        let browser = try #require(opened.first.flatMap { Int32($0) })
        #expect(kill(browser, 0) == 0)
        kill(browser, SIGKILL)
    }

    @Test func `a code without a link opens nothing, and a browser that is missing is reported of`() async throws {
        let server = try await PulseServer()
        let unknown = try await server.listener("--once", "--open")
        try await server.send(Self.code)
        #expect(try await unknown.result().status == .exited(0))
        let code = try await share("url", "https://example.org/a", on: server)
        let missing = try await server.listener("--once", "--open", environment: ["PATH": "/nowhere"])
        try await server.send(code)
        let result = try await missing.result()
        #expect(result.status == .exited(2))
        #expect(result.errors.contains("xdg-open could not be started"), "\(result.errors)")
    }

    @Test func `nothing is looked up when that is not wanted`() async throws {
        let server = try await PulseServer()
        let code = try await share("user", "rj", on: server)
        let listener = try await server.listener("--once", "--json", "--no-resolve")
        try await server.send(code)
        #expect(try await listener.result().lines.first?.contains(#""link":null"#) == true)
    }

    @Test func `a registry that does not answer costs no sound, no code and one warning`() async throws {
        let server = try await PulseServer()
        let registry = try SilentServer()
        let listener = try await server.listener(
            "--json", "--record", "heard.wav", environment: ["CHIRP_REGISTRY": "http://127.0.0.1:\(registry.port)"])
        let codes = [Self.code, "parrotbill", "hv1000000t"]
        let sender = try RunningProcess(
            RunningProcess.chirp, ["send", "--gap", "0.1"] + codes, environment: server.environment)
        #expect(try await sender.result().status == .exited(0))
        try await listener.waitForOutput("three lines") { $0.split(separator: "\n").count == 3 }
        listener.kill(SIGTERM)
        let result = try await listener.result()
        #expect(result.lines.count == 3)
        for (line, code) in zip(result.lines, codes) {
            #expect(line.contains(#""code":"\#(code)""#) && line.contains(#""link":null"#), "\(line)")
        }
        #expect(result.complaints.count { $0.contains("warning: codes are not resolved") } == 1, "\(result.errors)")
        let recorded = try await server.chirp("decode", "--no-resolve", "heard.wav").result()
        #expect(recorded.lines.count == 3, "\(recorded.output)\(recorded.errors)")
    }
}

/// Takes connections and never says anything.
private final class SilentServer {
    let port: UInt16
    private let descriptor: Int32

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        try #require(descriptor >= 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let isBound = withUnsafeMutableBytes(of: &address) { bytes in
            let pointer = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
            return bind(descriptor, pointer, length) == 0 && listen(descriptor, 64) == 0
                && getsockname(descriptor, pointer, &length) == 0
        }
        try #require(isBound)
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(descriptor) }
}
