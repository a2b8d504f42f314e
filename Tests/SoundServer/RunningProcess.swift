internal import Foundation
internal import Synchronization

/// A program that was started, with what it has printed so far.
///
/// Not Foundation's `Process`: that takes a child for ended which closes descriptors it does not know, as PulseAudio does.
package final class RunningProcess: Sendable {
    package enum Status: Equatable, Sendable {
        case exited(Int32)
        case signalled(Int32)
    }

    package struct Result: Equatable, Sendable {
        package let status: Status
        /// What it has printed; on a terminal, errors too.
        package let output: String
        package let errors: String

        package init(status: Status, output: String, errors: String) {
            self.status = status
            self.output = output
            self.errors = errors
        }

        package var lines: [String] { output.split(separator: "\n").map(String.init) }
        /// The lines of standard error.
        package var complaints: [String] { errors.split(separator: "\n").map(String.init) }
    }

    private struct State {
        var output: [UInt8] = []
        var errors: [UInt8] = []
        var lastOutput: ContinuousClock.Instant?
        var openStreams = 0
        var status: Status?
    }

    /// The program under test, which lies in the folder that these programs were built in.
    package static let chirp = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appendingPathComponent("chirp").path

    package let identifier: Int32
    private let terminal: Int32?
    private let state = Mutex(State())

    /// Starts a program; on a terminal of its own when it is given the size of one.
    package init(
        _ program: String, _ arguments: [String], environment: [String: String], folder: String? = nil,
        terminal size: (columns: Int, lines: Int)? = nil
    ) throws {
        // env becomes the program itself, with the same process number.
        let line = (folder.map { ["/usr/bin/env", "-C", $0, program] } ?? [program]) + arguments
        let child = try Spawning.start(line, environment: environment, terminal: size)
        identifier = child.identifier
        terminal = size == nil ? nil : child.output
        state.withLock { $0.openStreams = child.errors == nil ? 1 : 2 }
        read(child.output) { state, bytes in
            state.output += bytes
            state.lastOutput = .now
        }
        if let errors = child.errors { read(errors) { $0.errors += $1 } }
        awaitEnd()
    }

    private func read(_ descriptor: Int32, _ take: @escaping @Sendable (inout State, ArraySlice<UInt8>) -> Void) {
        Thread { [self] in
            var chunk = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = Foundation.read(descriptor, &chunk, chunk.count)
                if count < 0, errno == EINTR { continue }
                // A terminal that nobody has open any more gives EIO.
                guard count > 0 else { break }
                state.withLock { take(&$0, chunk.prefix(count)) }
            }
            close(descriptor)
            state.withLock { $0.openStreams -= 1 }
        }.start()
    }

    private func awaitEnd() {
        Thread { [self] in
            var status: Int32 = 0
            while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
            let signal = status & 0x7F
            let ending: Status = signal == 0 ? .exited((status >> 8) & 0xFF) : .signalled(signal)
            state.withLock { $0.status = ending }
        }.start()
    }

    package var output: String { state.withLock { String(decoding: $0.output, as: UTF8.self) } }
    package var errors: String { state.withLock { String(decoding: $0.errors, as: UTF8.self) } }
    package var lines: [String] { output.split(separator: "\n").map(String.init) }
    package var isRunning: Bool { state.withLock { $0.status == nil } }
    /// When it printed something for the last time.
    package var lastOutput: ContinuousClock.Instant? { state.withLock { $0.lastOutput } }

    package func kill(_ signal: Int32) { if isRunning { _ = Foundation.kill(identifier, signal) } }

    /// Types on its terminal.
    package func type(_ text: String) {
        guard let terminal, isRunning else { return }
        let bytes = Array(text.utf8)
        _ = Foundation.write(terminal, bytes, bytes.count)
    }

    /// Gives its terminal another size, which the system tells it by SIGWINCH.
    package func resize(columns: Int, lines: Int) {
        guard let terminal, isRunning else { return }
        var size = winsize(ws_row: UInt16(lines), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
    }

    /// Waits until it has printed something.
    package func waitForOutput(_ what: String, _ condition: (String) -> Bool) async throws {
        try await waitUntil("it prints \(what)") { condition(output) || !isRunning }
        guard condition(output) else { throw Overdue("it ended without printing \(what): \(errors)") }
    }

    /// Waits until it has complained of something.
    package func waitForErrors(_ what: String, _ condition: (String) -> Bool) async throws {
        try await waitUntil("it complains of \(what)") { condition(errors) || !isRunning }
        guard condition(errors) else { throw Overdue("it ended without complaining of \(what): \(errors)") }
    }

    /// Ten times longer under a sanitizer, which makes programs slow.
    private static let patienceSeconds: Double = isSanitized ? 1_200 : 120

    /// Waits for its end.
    package func result() async throws -> Result {
        do {
            try await waitUntil("\(identifier) ends; so far: \(output)\(errors)", seconds: Self.patienceSeconds) {
                state.withLock { $0.status != nil && $0.openStreams == 0 }
            }
        } catch {
            kill(SIGKILL)
            throw error
        }
        return Result(status: state.withLock { $0.status } ?? .exited(-1), output: output, errors: errors)
    }
}
