import Chirp
import ChirpLinks
import Foundation
import RegistryConformance
import Synchronization
import Testing

/// Eight processes that share links, half of them the same, while they are killed and their server is restarted.
@Suite struct RegistryCrowdTests {
    private static let workerCount = 8
    private static let linkCount = 10_000
    private static let killCount = 100

    @Test func `a crowd that is killed a hundred times agrees on every code in a SQLite file`() async throws {
        let path = temporaryPath("registry.sqlite")
        let crowd = Crowd(location: path, linkCount: Self.linkCount)
        let errors = try await crowd.run(workers: Self.workerCount, kills: Self.killCount)
        #expect(errors.isEmpty, "\(errors.prefix(3))")
        #expect(crowd.killCount == Self.killCount)
        try await crowd.check(SQLiteRegistry(path: path), workers: Self.workerCount)
        let integrity = try run(["python3", "-c", Self.integrityCheck, path])
        #expect(integrity == "ok\n")
    }

    /// Asked of another program than ours.
    private static let integrityCheck =
        "import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute('PRAGMA integrity_check').fetchone()[0])"

    @Test func `a crowd that is killed a hundred times agrees on every code on a server that is restarted`()
        async throws
    {
        let server = try await blocking { try PostgresServer() }
        let url = try server.makeDatabase()
        let crowd = Crowd(location: url, linkCount: Self.linkCount)
        let total = Self.workerCount * Self.linkCount
        crowd.atProgress([total / 4, total / 2]) {
            try server.stopAbruptly()
            try server.start()
        }
        let errors = try await crowd.run(workers: Self.workerCount, kills: Self.killCount)
        #expect(crowd.killCount == Self.killCount)
        #expect(crowd.interruptionsLeft == 0)
        // A caller gets its code or an error, which says that the server was away.
        #expect(errors.allSatisfy { $0.contains("unreachable") }, "\(errors.prefix(3))")
        try await crowd.check(PostgresRegistry(url: url), workers: Self.workerCount)
    }
}

/// Processes of `registry-workload` at one registry, and what they printed.
final class Crowd: Sendable {
    private struct State {
        /// Codes by worker and index.
        var codes: [[Int: String]] = []
        var errors: [String] = []
        var killCount = 0
        var lineCount = 0
        var stops: [Int] = []
    }

    private let location: String
    private let linkCount: Int
    private let state = Mutex(State())
    private let interruption = Mutex<(@Sendable () throws -> Void)?>(nil)

    init(location: String, linkCount: Int) {
        self.location = location
        self.linkCount = linkCount
    }

    var killCount: Int { state.withLock(\.killCount) }
    var interruptionsLeft: Int { state.withLock(\.stops.count) }

    /// Does something when so many links have been answered.
    func atProgress(_ counts: [Int], _ body: @escaping @Sendable () throws -> Void) {
        state.withLock { $0.stops = counts }
        interruption.withLock { $0 = body }
    }

    /// Runs the workers to the end, killing them so often at moments spread over their work.
    ///
    /// - Returns: the errors that they printed.
    func run(workers: Int, kills: Int) async throws -> [String] {
        state.withLock { $0.codes = Array(repeating: [:], count: workers) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<workers {
                let share = kills / workers + (worker < kills % workers ? 1 : 0)
                group.addTask { [self] in try await blocking { try self.work(worker, kills: share) } }
            }
            try await group.waitForAll()
        }
        return state.withLock(\.errors)
    }

    /// One worker and its successors, on a thread of its own.
    private func work(_ worker: Int, kills: Int) throws {
        var next = 0
        var killsLeft = kills
        while next < linkCount {
            let program = try PipedProgram([
                ChirpLinksTestBinary.path("registry-workload"), "share", location, "\(worker)", "\(next)",
                "\(linkCount)",
            ])
            // The next kill comes after an equal part of what is left, a little varied, so that all take place.
            let part = (linkCount - next) / (killsLeft + 1)
            var linesToLive = killsLeft > 0 ? max(1, Int.random(in: part / 2...part)) : Int.max
            while let line = program.nextLine() {
                try note(line, worker: worker, next: &next)
                linesToLive -= 1
                if linesToLive == 0 {
                    program.kill()
                    killsLeft -= 1
                    state.withLock { $0.killCount += 1 }
                }
            }
            let status = program.wait()
            guard status == 0 || status == -9 else { throw TestServerError("a worker ended with \(status)") }
        }
    }

    private func note(_ line: String, worker: Int, next: inout Int) throws {
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        guard words.count == 2, let index = Int(words[0]), index == next else {
            throw TestServerError("a worker printed “\(line)”")
        }
        next = index + 1
        let isStop = state.withLock { state in
            if words[1].hasPrefix("!") { state.errors.append(words[1]) } else { state.codes[worker][index] = words[1] }
            state.lineCount += 1
            guard let stop = state.stops.first, state.lineCount >= stop else { return false }
            state.stops.removeFirst()
            return true
        }
        if isStop { try interruption.withLock { try $0?() } }
    }

    /// Every code that was printed stands for its link, and no link has two codes.
    func check(_ registry: any Registry, workers: Int) async throws {
        var registered: [String: String] = [:]
        var last: Shortcode?
        while case let page = try await registry.entries(after: last, limit: 10_000), let end = page.last {
            for entry in page {
                let isFirst = registered.updateValue(entry.record.code.description, forKey: entry.record.link.url ?? "")
                #expect(isFirst == nil, "\(entry.record.link) has two codes")
            }
            last = end.record.code
        }
        #expect(registered.count >= linkCount / 2 * (workers + 1) - errorCount)
        #expect(Set(registered.values).count == registered.count, "a code stands for two links")
        let wrong = state.withLock { state in
            state.codes.enumerated().flatMap { worker, codes in
                codes.filter { index, code in
                    let path = index % 2 == 0 ? "common/\(index)" : "\(worker)/\(index)"
                    return registered["https://example.org/\(path)"] != code
                }
            }
        }
        #expect(wrong.isEmpty, "\(wrong.count) printed codes do not resolve")
        let printed = state.withLock { $0.codes.reduce(0) { $0 + $1.count } }
        #expect(printed + errorCount == workers * linkCount)
        await registry.close()
    }

    private var errorCount: Int { state.withLock(\.errors.count) }
}

/// Programs that were built beside these tests.
enum ChirpLinksTestBinary {
    static func path(_ name: String) -> String {
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appendingPathComponent(name).path
    }
}

/// A program whose standard output is read as it comes, by one thread.
final class PipedProgram {
    private let identifier: pid_t
    private let descriptor: Int32
    private var buffer: [UInt8] = []

    init(_ command: [String]) throws {
        var ends: [Int32] = [0, 0]
        // Closed on exec from the beginning, so that no child of another thread keeps it open.
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw TestServerError("socketpair failed") }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        var arguments = command.map { strdup($0) } + [nil]
        defer { for pointer in arguments { free(pointer) } }
        var identifier: pid_t = 0
        let status = posix_spawn(&identifier, command[0], &actions, nil, &arguments, environ)
        close(ends[1])
        descriptor = ends[0]
        self.identifier = identifier
        guard status == 0 else { throw TestServerError("cannot start \(command[0])") }
    }

    deinit { close(descriptor) }

    /// The next whole line, or nil at the end; what a killed program left unfinished is no line.
    func nextLine() -> String? {
        while true {
            if let end = buffer.firstIndex(of: 10) {
                defer { buffer.removeSubrange(...end) }
                return String(decoding: buffer[..<end], as: UTF8.self)
            }
            var chunk = [UInt8](repeating: 0, count: 4_096)
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            buffer += chunk.prefix(count)
        }
    }

    func kill() { _ = Foundation.kill(identifier, SIGKILL) }

    func wait() -> Int32 {
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : -signal
    }
}
