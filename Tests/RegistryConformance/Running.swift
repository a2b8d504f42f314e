internal import Foundation
internal import Glibc

/// What went wrong around a test's server or program.
public struct TestServerError: Error, CustomStringConvertible {
    public let description: String
    public init(_ description: String) { self.description = description }
}

/// A program that was started, with standard output and error in files.
///
/// Foundation's `Process` learns of an end by a socket that grandchildren inherit, so it waits for daemons for ever;
/// this waits for the process itself.
public struct RunningProgram: Sendable {
    public let identifier: Int32
    private let folder: String

    /// Starts a program of the search path.
    public init(_ command: [String], environment: [String: String] = [:], input: String = "/dev/null") throws {
        var template = Array("\(NSTemporaryDirectory())/chirp-run-XXXXXX".utf8CString)
        guard let folder = mkdtemp(&template).map({ String(cString: $0) }) else {
            throw TestServerError("mkdtemp failed")
        }
        self.folder = folder
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, folder + "/output", O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, folder + "/errors", O_WRONLY | O_CREAT | O_APPEND, 0o600)
        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        var arguments = command.map { strdup($0) } + [nil]
        var lines = variables.map { strdup("\($0)=\($1)") } + [nil]
        defer { for pointer in arguments + lines { free(pointer) } }
        var identifier: pid_t = 0
        let status = posix_spawnp(&identifier, command[0], &actions, nil, &arguments, &lines)
        guard status == 0 else {
            throw TestServerError("cannot start \(command[0]): \(String(cString: strerror(status)))")
        }
        self.identifier = identifier
    }

    /// Ends it as `kill -9` does.
    public func kill() { _ = Glibc.kill(identifier, SIGKILL) }

    /// Asks it to end.
    public func terminate() { _ = Glibc.kill(identifier, SIGTERM) }

    /// What it has written to standard output up to now.
    public var output: String { text("output") }
    /// What it has written to standard error up to now.
    public var errors: String { text("errors") }

    /// Waits for its end and removes its files.
    public func wait() throws -> (status: Int32, output: String, errors: String) {
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0 {
            guard errno == EINTR else { throw TestServerError("waitpid: \(String(cString: strerror(errno)))") }
        }
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let isSignal = status & 0x7F != 0
        return (isSignal ? -(status & 0x7F) : (status >> 8) & 0xFF, output, errors)
    }

    private func text(_ name: String) -> String {
        String(decoding: FileManager.default.contents(atPath: "\(folder)/\(name)") ?? Data(), as: UTF8.self)
    }
}

/// Runs a program to its end and returns what it wrote to standard output; another status than 0 throws what it said.
@discardableResult
public func run(_ command: [String], environment: [String: String] = [:]) throws -> String {
    let (status, output, errors) = try RunningProgram(command, environment: environment).wait()
    guard status == 0 else {
        throw TestServerError("\(command.joined(separator: " ")) ended with \(status): \(output)\(errors)")
    }
    return output
}

/// Runs what waits for other programs on a thread of its own: tasks have few threads, and share them.
public func blocking<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<T, any Error>) in
        Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
    }
}
