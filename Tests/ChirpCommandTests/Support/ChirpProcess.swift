import Foundation
import SoundServer

/// What a run of the `chirp` binary printed, and how it ended.
struct Run: Equatable {
    var status: Int32
    var output: String
    var errors: String

    var outputLines: [String] { output.split(separator: "\n").map(String.init) }
    var errorLines: [String] { errors.split(separator: "\n").map(String.init) }
    /// The first word of each line: the codes, where `decode` printed for people.
    var codes: [String] { outputLines.compactMap { $0.split(separator: " ").first.map(String.init) } }
}

/// The `chirp` binary that was built beside these tests.
enum ChirpProcess {
    static let binary = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appendingPathComponent("chirp").path

    /// The package's folder.
    static let packageFolder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path

    /// Runs `chirp` with arguments.
    static func run(
        _ arguments: [String], in folder: String? = nil, environment: [String: String] = [:]
    ) async throws -> Run {
        try await spawn(binary, arguments, in: folder, environment: environment)
    }

    /// Runs a line of shell in which `chirp` is the binary.
    static func shell(
        _ line: String, in folder: String? = nil, environment: [String: String] = [:]
    ) async throws -> Run {
        try await spawn(
            "/bin/bash", ["-c", "chirp() { \"$CHIRP_BINARY\" \"$@\"; }\n" + line], in: folder, environment: environment)
    }

    private static func spawn(
        _ program: String, _ arguments: [String], in folder: String?, environment: [String: String] = [:]
    ) async throws -> Run {
        let files = try TemporaryFolder()
        let environment = ProcessInfo.processInfo.environment
            .merging(["CHIRP_BINARY": binary, "CHIRP_HISTORY": "off"]) { $1 }
            .merging(["DATA", "CONFIG", "STATE", "CACHE"].map { ("XDG_\($0)_HOME", files.path) }) { $1 }
            .merging(environment) { $1 }
        let result = try await RunningProcess(program, arguments, environment: environment, folder: folder).result()
        let status =
            switch result.status {
            case .exited(let status): status
            case .signalled(let signal): signal
            }
        return Run(status: status, output: result.output, errors: result.errors)
    }
}

/// A folder of a test's own, which goes with it.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("chirp-tests-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func path(_ name: String) -> String { path + "/" + name }

    func write(_ data: Data, as name: String) throws { try data.write(to: URL(fileURLWithPath: path(name))) }

    func read(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path(name))) }
}
