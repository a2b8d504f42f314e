internal import Foundation

/// A PulseAudio daemon of a test's own: what is played on its one sink is captured from that sink's monitor, and both
/// are ALSA's default devices for whoever has its environment.
package final class PulseServer {
    package let folder: TemporaryFolder
    package private(set) var process: RunningProcess?

    /// - Parameter isStarted: false makes a machine whose sound server is not there yet.
    package init(isStarted: Bool = true) async throws {
        folder = try TemporaryFolder()
        try folder.write(
            "home/.asoundrc",
            """
            pcm.!default { type pulse }
            ctl.!default { type pulse }
            """)
        // Clients that start a daemon of their own would hide that this one is gone.
        try folder.write("home/.config/pulse/client.conf", "autospawn = no\n")
        if isStarted { try await start() }
    }

    /// Starts the daemon, or another one in the place of one that was killed.
    package func start() async throws {
        process = try RunningProcess(
            "/usr/bin/env",
            [
                "pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--disallow-exit", "--use-pid-file=no",
                "-L", "module-native-protocol-unix", "-L", "module-null-sink sink_name=loop",
            ], environment: environment)
        try await waitUntil("PulseAudio answers") { try await self.pactl("info") != nil }
        _ = try await pactl("set-default-source", "loop.monitor")
    }

    /// Ends the daemon as a crash would, and waits until it is gone.
    package func kill() async throws {
        process?.kill(SIGKILL)
        _ = try await process?.result()
    }

    /// For programs that are to use this daemon.
    package var environment: [String: String] { Self.environment(folder.path) }

    private static func environment(_ folder: String) -> [String: String] {
        [
            "HOME": folder + "/home", "XDG_RUNTIME_DIR": folder + "/run", "XDG_DATA_HOME": folder + "/data",
            "XDG_CONFIG_HOME": folder + "/home/.config", "PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "LC_ALL": "C.UTF-8",
            "CHIRP_HISTORY": "off", "TERM": "dumb",
        ]
    }

    /// What a pactl command prints, nil when it fails.
    package func pactl(_ arguments: String...) async throws -> String? {
        let result = try await RunningProcess(
            "/usr/bin/env", ["pactl"] + arguments, environment: environment
        ).result()
        return result.status == .exited(0) ? result.output : nil
    }

    /// Waits until somebody captures from the monitor.
    package func waitForListener() async throws {
        try await waitUntil("somebody listens") {
            try await !(self.pactl("list", "short", "source-outputs") ?? "").isEmpty
        }
    }

    /// Waits until somebody plays.
    package func waitForSender() async throws {
        try await waitUntil("somebody plays") {
            try await !(self.pactl("list", "short", "sink-inputs") ?? "").isEmpty
        }
    }

    package func chirp(_ arguments: String..., environment: [String: String] = [:]) throws -> RunningProcess {
        try RunningProcess(
            RunningProcess.chirp, arguments, environment: self.environment.merging(environment) { $1 },
            folder: folder.path)
    }

    /// A listener that hears everything from now on; with a live view when it is given the size of a terminal.
    package func listener(
        _ arguments: String..., environment: [String: String] = [:], terminal: (columns: Int, lines: Int)? = nil
    ) async throws -> RunningProcess {
        let listener = try RunningProcess(
            RunningProcess.chirp, ["listen"] + arguments, environment: self.environment.merging(environment) { $1 },
            folder: folder.path, terminal: terminal)
        try await waitForListener()
        return listener
    }

    /// Plays codes to their end.
    package func send(_ arguments: String...) async throws {
        let sender = try RunningProcess(
            RunningProcess.chirp, ["send"] + arguments, environment: environment, folder: folder.path)
        let result = try await sender.result()
        guard result.status == .exited(0) else { throw SendingFailed(result: result) }
    }

    package struct SendingFailed: Error { package let result: RunningProcess.Result }

    deinit { process?.kill(SIGKILL) }
}
