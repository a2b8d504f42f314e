import Foundation
import SoundServer
import Testing

/// What goes wrong with sound, and how it is told: one line, the right status, no hanging, no process left behind.
@Suite(.serialized, .onOwnThread) struct FaultTests {
    private static let code = "gsm2h88c7u"

    /// Exactly one line of errors, of a kind; but for the remark on silence, where a machine takes its time.
    private func expectComplaint(
        _ result: RunningProcess.Result, status: RunningProcess.Status, _ parts: String...,
        location: SourceLocation = #_sourceLocation
    ) {
        #expect(result.status == status, sourceLocation: location)
        #expect(result.output == "", sourceLocation: location)
        let complaints = result.complaints.filter { !$0.contains("the input has been silent") }
        #expect(complaints.count == 1, "\(result.errors)", sourceLocation: location)
        let complaint = complaints.first ?? ""
        #expect(complaint.hasPrefix("chirp: "), sourceLocation: location)
        for part in parts { #expect(complaint.contains(part), "\(result.errors)", sourceLocation: location) }
    }

    @Test(arguments: [["send", code], ["listen"], ["listen", "--once", "--timeout", "60"]])
    func `a machine without sound is reported of, and what to do`(command: [String]) async throws {
        let folder = try TemporaryFolder()
        let environment = ["HOME": folder.path + "/home", "XDG_RUNTIME_DIR": folder.path + "/run"]
        let result = try await RunningProcess(RunningProcess.chirp, command, environment: environment).result()
        expectComplaint(result, status: .exited(2), "device", "chirp devices")
    }

    @Test func `a machine without sound has no devices to list, and is reported how to get some`() async throws {
        let folder = try TemporaryFolder()
        let environment = ["HOME": folder.path + "/home", "XDG_RUNTIME_DIR": folder.path + "/run"]
        let result = try await RunningProcess(RunningProcess.chirp, ["devices"], environment: environment).result()
        expectComplaint(result, status: .exited(2), "no sound device", "PipeWire")
    }

    @Test(arguments: [["send", code, "--device"], ["listen", "--device"]])
    func `a device that is not there is named`(command: [String]) async throws {
        let server = try await PulseServer()
        let result = try await RunningProcess(
            RunningProcess.chirp, command + ["nosuch"], environment: server.environment
        ).result()
        expectComplaint(result, status: .exited(2), "“nosuch”", "chirp devices")
    }

    @Test func `a device that the sound server does not have is told by how its devices are listed`() async throws {
        let server = try await PulseServer()
        let heard = try await server.chirp("listen", "--device", "pulse:nosuch").result()
        expectComplaint(heard, status: .exited(2), "“pulse:nosuch”", "pactl list short sources")
        let sent = try await server.chirp("send", Self.code, "--device", "pulse:nosuch").result()
        expectComplaint(sent, status: .exited(2), "“pulse:nosuch”", "pactl list short sinks")
    }

    @Test func `the environment names the device that the command line does not`() async throws {
        let server = try await PulseServer()
        let result = try await server.chirp("listen", environment: ["CHIRP_DEVICE": "nosuch"]).result()
        expectComplaint(result, status: .exited(2), "“nosuch”")
    }

    @Test func `a sound server that dies ends the listening`() async throws {
        let server = try await PulseServer()
        let listener = try await server.listener()
        server.process?.kill(SIGKILL)
        expectComplaint(try await listener.result(), status: .exited(2), "capture device “default”", "--wait")
    }

    @Test func `a sound server that dies ends the sending`() async throws {
        let server = try await PulseServer()
        let sender = try server.chirp("send", Self.code, "--repeat", "100")
        try await server.waitForSender()
        server.process?.kill(SIGKILL)
        expectComplaint(try await sender.result(), status: .exited(2), "playback device “default”")
    }

    @Test(arguments: [["send", code], ["listen"]])
    func `a device that somebody else holds is said to be in use`(command: [String]) async throws {
        let server = try await PulseServer()
        let terminal = try ExclusiveTerminal()
        try server.folder.write("home/.asoundrc", "pcm.busy { type oss device \"\(terminal.path)\" }\n")
        // For whoever may administer the system nothing is ever held by somebody else.
        let result = try await RunningProcess(
            "/usr/bin/env",
            ["setpriv", "--bounding-set=-sys_admin", "--inh-caps=-sys_admin", RunningProcess.chirp] + command
                + ["--device", "busy"], environment: server.environment
        ).result()
        expectComplaint(result, status: .exited(2), "“busy” is in use by another program")
    }

    @Test(arguments: [["send", code, "--repeat", "100"], ["listen"], ["listen", "--once", "--timeout", "60"]])
    func `a sound server that hangs is not waited for longer than a few seconds`(command: [String]) async throws {
        let server = try await PulseServer()
        let process = try RunningProcess(RunningProcess.chirp, command, environment: server.environment)
        if command[0] == "send" { try await server.waitForSender() } else { try await server.waitForListener() }
        server.process?.kill(SIGSTOP)
        expectComplaint(try await process.result(), status: .exited(2), "“default”", "for 5 s")
    }

    @Test(arguments: [SIGINT, SIGTERM], [["send", code, "--repeat", "100"], ["listen", "--wait"]])
    func `a signal ends what a sound server that hangs would hold up`(signal: Int32, command: [String]) async throws {
        let server = try await PulseServer()
        let process = try RunningProcess(RunningProcess.chirp, command, environment: server.environment)
        if command[0] == "send" { try await server.waitForSender() } else { try await server.waitForListener() }
        server.process?.kill(SIGSTOP)
        process.kill(signal)
        expectComplaint(try await process.result(), status: .signalled(signal), "stopped by SIG")
    }

    @Test func `a time-out ends the listening to a sound server that hangs`() async throws {
        let server = try await PulseServer()
        let listener = try await server.listener("--timeout", "2")
        server.process?.kill(SIGSTOP)
        #expect(try await listener.result() == .init(status: .exited(1), output: "", errors: ""))
    }

    @Test func `a device that is not there yet, or goes away, is waited for when that is asked for`() async throws {
        let server = try await PulseServer(isStarted: false)
        let listener = try server.chirp("listen", "--wait")
        try await listener.waitForErrors("the device") { $0.contains("waiting for the device") }
        for count in 1...2 {
            try await server.start()
            try await server.waitForListener()
            try await server.send(Self.code)
            try await listener.waitForOutput("the code") { $0.split(separator: "\n").count == count }
            try await server.kill()
            try await listener.waitForErrors("the device") {
                $0.components(separatedBy: "waiting for the device").count > count + 1
            }
        }
        listener.kill(SIGINT)
        let result = try await listener.result()
        #expect(result.status == .signalled(SIGINT))
        #expect(result.complaints.allSatisfy { $0.hasPrefix("chirp: ") })
        // One line for each way of being away, not one for each try.
        #expect(result.complaints.count { !$0.contains("silent") } <= 6, "\(result.errors)")
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `a signal ends the listening as signals do`(signal: Int32) async throws {
        let server = try await PulseServer()
        let listener = try await server.listener("--record", "heard.wav")
        listener.kill(signal)
        expectComplaint(try await listener.result(), status: .signalled(signal), "stopped by SIG")
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `a signal ends the sending as signals do`(signal: Int32) async throws {
        let server = try await PulseServer()
        let sender = try server.chirp("send", Self.code, "--repeat", "100")
        try await server.waitForSender()
        sender.kill(signal)
        expectComplaint(try await sender.result(), status: .signalled(signal), "stopped by SIG")
    }

    @Test func `a signal ends the command that runs for a code as well`() async throws {
        let server = try await PulseServer()
        let listener = try await server.listener("--exec", "echo $$; sleep 1000 & wait")
        try await server.send(Self.code)
        try await listener.waitForOutput("the command's process") { $0.split(separator: "\n").count == 2 }
        let group = try #require(Int32(listener.lines[1]))
        listener.kill(SIGTERM)
        #expect(try await listener.result().status == .signalled(SIGTERM))
        try await waitUntil("the command is gone") { kill(-group, 0) != 0 && errno == ESRCH }
    }

    @Test func `a reader who goes away ends the listening at once`() async throws {
        let server = try await PulseServer()
        let shell = try RunningProcess(
            "/bin/bash", ["-c", #""$0" listen | head -n 0; echo "${PIPESTATUS[0]}""#, RunningProcess.chirp],
            environment: server.environment)
        let result = try await shell.result()
        #expect(result.output == "\(128 + SIGPIPE)\n")
        #expect(result.errors == "chirp: standard output was closed\n")
    }

    @Test func `a reader who has what he wants ends the listening after the first line`() async throws {
        let server = try await PulseServer()
        let shell = try RunningProcess(
            "/bin/bash", ["-c", #""$0" listen --json | head -n 1"#, RunningProcess.chirp],
            environment: server.environment)
        try await server.waitForListener()
        try await server.send(Self.code)
        let result = try await shell.result()
        #expect(result.lines.count == 1)
    }

    @Test func `wrong usage has its own status`() async throws {
        let server = try await PulseServer()
        for arguments in [["listen", "--timeout", "0"], ["listen", "--nonsense"], ["send"]] {
            let result = try await RunningProcess(
                RunningProcess.chirp, arguments, environment: server.environment
            ).result()
            #expect(result.status == .exited(64))
        }
    }
}

/// A terminal that nobody else may open now: the system answers EBUSY, as it does for sound hardware in use.
private final class ExclusiveTerminal {
    let path: String
    private let descriptors: (Int32, Int32)

    init() throws {
        var (near, far): (Int32, Int32) = (-1, -1)
        var name = [CChar](repeating: 0, count: 128)
        try #require(openpty(&near, &far, &name, nil, nil) == 0)
        descriptors = (near, far)
        path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        try #require(ioctl(far, UInt(TIOCEXCL)) == 0)
    }

    deinit {
        close(descriptors.0)
        close(descriptors.1)
    }
}
