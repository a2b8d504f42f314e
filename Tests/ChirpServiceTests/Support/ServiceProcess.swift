import Foundation
import RegistryConformance

/// A `chirp serve` of the binary that was built beside these tests, with a folder of its own.
final class ServiceProcess: Sendable {
    static let binary = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appendingPathComponent("chirp").path

    static let key = "key for tests"
    let port: Int
    let folder: TemporaryFolder
    var processIdentifier: Int32 { program.identifier }
    private let program: RunningProgram
    private let isEnded = Flag()

    /// Starts a service and waits until it listens.
    ///
    /// - Parameters:
    ///   - registry: where it keeps its links; nil for a file in its folder.
    ///   - rate: what `--rate` is told; without one there is no limit, as all tests are one client.
    init(
        registry: String? = nil, rate: String = "0", _ arguments: [String] = [], environment: [String: String] = [:]
    ) throws {
        folder = try TemporaryFolder()
        let variables = [
            "CHIRP_REGISTRY": registry ?? folder.path("registry.sqlite"), "CHIRP_REGISTRY_KEY": Self.key,
            "XDG_CACHE_HOME": folder.path("cache"), "TMPDIR": folder.path, "LASTFM_API_KEY": "",
        ]
        program = try RunningProgram(
            [Self.binary, "serve", "--port", "0", "--rate", rate] + arguments,
            environment: variables.merging(environment) { $1 })
        let deadline = ContinuousClock.now + .seconds(60)
        while true {
            let output = program.output
            if output.hasSuffix("\n"), let port = Int(output.dropLast().split(separator: ":").last ?? "") {
                self.port = port
                return
            }
            guard ContinuousClock.now < deadline, kill(program.identifier, 0) == 0 else {
                program.kill()
                let end = try program.wait()
                throw TestServerError("chirp serve does not listen: \(end)")
            }
            usleep(10_000)
        }
    }

    deinit { if !isEnded.value { stopAbruptly() } }

    /// Asks it to stop, as `systemctl stop` does.
    func askToStop() { program.terminate() }

    /// Waits for its end.
    func wait() throws -> (status: Int32, output: String, errors: String) {
        isEnded.set()
        return try program.wait()
    }

    private func stopAbruptly() {
        program.kill()
        _ = try? program.wait()
    }

    var log: String { program.errors }

    /// Sends bytes on a connection of their own and gives back the answer.
    func exchange(_ request: [UInt8]) throws -> Answer {
        let connection = try Connection(port: port)
        try connection.send(request)
        guard let answer = try connection.answer(toHead: request.starts(with: "HEAD ".utf8)) else {
            throw TestServerError("no answer")
        }
        return answer
    }

    func exchange(_ request: String) throws -> Answer { try exchange(Array(request.utf8)) }

    func get(_ path: String, _ headers: [String: String] = [:]) throws -> Answer { try ask("GET", path, headers) }

    func post(_ path: String, _ body: String, type: String = "application/json") throws -> Answer {
        try ask("POST", path, ["Content-Type": type], Array(body.utf8))
    }

    func ask(_ method: String, _ path: String, _ headers: [String: String] = [:], _ body: [UInt8]? = nil) throws
        -> Answer
    {
        try exchange(Self.request(method, path, headers, body))
    }

    static func request(
        _ method: String, _ path: String, _ headers: [String: String] = [:], _ body: [UInt8]? = nil
    ) -> [UInt8] {
        var lines = ["\(method) \(path) HTTP/1.1"]
        if headers["Host"] == nil { lines.append("Host: chirp.test") }
        lines += headers.map { "\($0.key): \($0.value)" }
        if let body { lines.append("Content-Length: \(body.count)") }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + (body ?? [])
    }

    /// Shares a web address and gives back its code.
    func share(_ url: String) throws -> String {
        let answer = try post("/chirp", #"{"url":"\#(url)"}"#)
        guard let code = answer.json["shortcode"] as? String else { throw TestServerError("no code: \(answer.text)") }
        return code
    }
}

/// A Boolean that is set once, by whichever thread.
final class Flag: @unchecked Sendable {
    private let lock = NSLock()
    private var isSet = false
    func set() { lock.withLock { isSet = true } }
    var value: Bool { lock.withLock { isSet } }
}

/// A folder of a test's own, which goes with it.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("chirp-service-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func path(_ name: String) -> String { "\(path)/\(name)" }
}
