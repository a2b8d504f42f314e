import Foundation
import SoundServer
import Testing

/// What `listen` and `send` show on a terminal.
@Suite(.serialized, .onOwnThread) struct LiveViewTests {
    private static let code = "gsm2h88c7u"
    private static let enter = "\u{1B}[?1049h"
    private static let leave = "\u{1B}[?1049l"

    private func watched(_ server: PulseServer, _ arguments: String...) async throws -> RunningProcess {
        let listener = try RunningProcess(
            RunningProcess.chirp, ["listen"] + arguments,
            environment: server.environment.merging(["TERM": "xterm-256color"]) { $1 }, terminal: (80, 24))
        try await server.waitForListener()
        return listener
    }

    /// The lines of the last whole picture, without colours.
    private func picture(_ output: String) -> [String] {
        let pictures = output.components(separatedBy: "\u{1B}[?2026h\u{1B}[H").dropFirst()
        guard let last = pictures.last(where: { $0.contains("\u{1B}[?2026l") }),
            let body = last.components(separatedBy: "\u{1B}[?2026l").first
        else { return [] }
        // The terminal makes two returns of one; and with a line feed they are one character to Swift.
        let text = String(String.UnicodeScalarView(body.unicodeScalars.filter { $0 != "\r" }))
        return text.components(separatedBy: "\n").map { line in
            line.replacing(/\u{1B}\[[0-9;?]*[A-Za-z]/, with: "")
        }
    }

    @Test func `the view fits the terminal, follows its size, and leaves it as it was`() async throws {
        let server = try await PulseServer()
        let listener = try await watched(server)
        try await listener.waitForOutput("a picture") { picture($0).count == 24 }
        try await server.send(Self.code)
        try await listener.waitForOutput("the code") { picture($0).contains { $0.contains("heard: 1 ") } }
        let shown = picture(listener.output)
        #expect(shown.allSatisfy { $0.count <= 80 })
        #expect(shown[0].contains("chirp listen") && shown[0].contains("dB"))
        #expect(shown[1].hasPrefix("v ") && shown[1].contains("▀"))
        #expect(shown.contains { $0.contains(Self.code) && $0.contains("corrected") })

        for (columns, lines) in [(60, 12), (132, 50), (20, 4)] {
            listener.resize(columns: columns, lines: lines)
            try await listener.waitForOutput("a picture of \(columns) × \(lines)") { output in
                let picture = picture(output)
                return picture.count == lines && picture.allSatisfy { $0.count <= columns }
            }
        }

        listener.type("\u{3}")
        let result = try await listener.result()
        #expect(result.status == .signalled(SIGINT))
        let after = try #require(result.output.components(separatedBy: Self.leave).last)
        #expect(after.hasPrefix(Self.code), "\(after)")
        #expect(after.contains("stopped by SIGINT"))
        #expect(result.output.hasPrefix(Self.enter) && result.output.contains("\u{1B}[?25h"))
    }

    @Test func `the chirp is spelled while it arrives`() async throws {
        let server = try await PulseServer()
        let listener = try await watched(server)
        let spellings = [3, 8, 12, 16].map { "♪ \("hjgsm2h88c7udtnef4ok".prefix($0))·" }
        // A machine that is busy with other things leaves pictures out; no chirp can count on one of a certain length.
        for count in 1...10 where spellings.contains(where: { !listener.output.contains($0) }) {
            try await server.send(Self.code)
            try await listener.waitForOutput("the code") { picture($0).contains { $0.contains("heard: \(count) ") } }
        }
        for spelling in spellings { #expect(listener.output.contains(spelling), "\(spelling)") }
        listener.kill(SIGTERM)
        _ = try await listener.result()
    }

    @Test func `Ctrl-Z gives the terminal back, and going on takes it again`() async throws {
        let server = try await PulseServer()
        let listener = try await watched(server)
        try await listener.waitForOutput("a picture") { picture($0).count == 24 }
        listener.type("\u{1A}")
        try await listener.waitForOutput("the way out") { $0.hasSuffix(Self.leave) }
        try await waitUntil("it stands still") {
            let status = try String(contentsOfFile: "/proc/\(listener.identifier)/stat", encoding: .utf8)
            return status.split(separator: ") ").last?.first == "T"
        }
        listener.kill(SIGCONT)
        try await listener.waitForOutput("the view again") { output in
            output.components(separatedBy: Self.enter).count == 3
        }
        listener.kill(SIGTERM)
        #expect(try await listener.result().status == .signalled(SIGTERM))
    }

    @Test(
        arguments: [
            ("echo said by the command; echo told by it >&2", "told by it"),
            ("exit 3", "the command of --exec ended with status 3"),
        ])
    func `what commands and warnings say is part of the view`(command: String, said: String) async throws {
        let server = try await PulseServer()
        let listener = try await watched(server, "--exec", command)
        try await server.send(Self.code)
        try await listener.waitForOutput("what was said") { picture($0).last?.hasPrefix(said) == true }
        listener.kill(SIGTERM)
        _ = try await listener.result()
    }

    @Test func `a terminal that can do nothing gets results only`() async throws {
        let server = try await PulseServer()
        let listener = try RunningProcess(
            RunningProcess.chirp, ["listen", "--once"], environment: server.environment, terminal: (80, 24))
        try await server.waitForListener()
        try await server.send(Self.code)
        let result = try await listener.result()
        #expect(result.status == .exited(0))
        #expect(result.output.hasPrefix(Self.code) && !result.output.contains("\u{1B}"))
    }

    @Test(arguments: ["", "1"])
    func `sending shows tones and symbols as they are played, in colour unless NO_COLOR is set`(noColour: String)
        async throws
    {
        let server = try await PulseServer()
        let sender = try RunningProcess(
            RunningProcess.chirp, ["send", Self.code, "parrotbill", "--gap", "0"],
            environment: server.environment.merging(["TERM": "xterm-256color", "NO_COLOR": noColour]) { $1 },
            terminal: (80, 24))
        let result = try await sender.result()
        #expect(result.output.contains("\u{1B}[38;5;") == noColour.isEmpty)
        #expect(result.output.contains(noColour.isEmpty ? "▀" : "█"))
        #expect(result.status == .exited(0))
        for line in ["♪ 1/2  h···················  gsm2h88c7u", "♪ 1/2  hjgsm2h88c7udtnef4ok  gsm2h88c7u"] {
            #expect(result.output.contains(line), "\(result.output)")
        }
        #expect(result.output.contains("♪ 2/2  hjparrotbill"))
    }
}
