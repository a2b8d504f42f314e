internal import Foundation
internal import SoundServer

/// What listening takes of one core: in silence, in noise, with and without the live view, and while chirps come in.
enum Load {
    static func measure(on server: PulseServer, seconds: Int) async throws {
        try await measure("Listening to silence", on: server, seconds) { nil }
        try await measure("Listening to noise", on: server, seconds) { try noise(on: server) }
        try await measure("Listening to noise, with the live view", on: server, seconds, terminal: (80, 24)) {
            try noise(on: server)
        }
        try await measure("Listening to one chirp after another", on: server, seconds) {
            try server.chirp("send", "gsm2h88c7u", "parrotbill", "--repeat", "1000")
        }
    }

    /// White noise at −20 dB of full scale, for as long as it is let live.
    private static func noise(on server: PulseServer) throws -> RunningProcess {
        try RunningProcess(
            "/usr/bin/env",
            [
                "ffmpeg", "-loglevel", "error", "-nostdin", "-f", "lavfi", "-i", "anoisesrc=r=48000:amplitude=0.17",
                "-f", "pulse", "noise",
            ], environment: server.environment)
    }

    private static func measure(
        _ name: String, on server: PulseServer, _ seconds: Int, terminal: (columns: Int, lines: Int)? = nil,
        source: () throws -> RunningProcess?
    ) async throws {
        let source = try source()
        if source != nil { try await server.waitForSender() }
        let listener = try await server.listener(
            environment: terminal == nil ? [:] : ["TERM": "xterm-256color"], terminal: terminal)
        // What it takes to start is not what it takes to run.
        try await Task.sleep(for: .seconds(3))
        let (start, clock) = (ProcessUse(listener.identifier), ContinuousClock())
        let began = clock.now
        try await Task.sleep(for: .seconds(seconds))
        let (end, elapsed) = (ProcessUse(listener.identifier), (clock.now - began) / .seconds(1))
        for process in [listener, source].compactMap(\.self) {
            process.kill(SIGTERM)
            _ = try await process.result()
        }
        guard let start, let end else { return LiveBenchmark.print(name, "ended early: \(listener.errors)") }
        let share = (end.processorSeconds - start.processorSeconds) / elapsed * 100
        LiveBenchmark.print(name, String(format: "%.2f %% of one core", share))
    }
}
