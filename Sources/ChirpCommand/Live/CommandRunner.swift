internal import Chirp
internal import ChirpLinks
internal import ChirpSound
internal import Dispatch
internal import Foundation
internal import Synchronization

/// Runs commands for codes one after another, in the order in which they were heard, and leaves none of them behind but
/// the browser.
///
/// What was heard reaches a command through its environment alone. A command is a process group of its own with
/// nothing to read, and its signals are as the system sets them.
final class CommandRunner: Sendable {
    /// A command to run.
    struct Job: Sendable {
        let arguments: [String]
        let environment: [String: String]
        let code: Shortcode
        /// Whether it outlives this process, as a browser does: its output is discarded, and it is not terminated.
        var isIndependent = false

        /// Runs `command` by the shell. Decoded data is never part of what the shell reads as a program.
        static func shell(_ command: String, for detection: ResolvedDetection) -> Job {
            Job(
                arguments: ["/bin/sh", "-c", command],
                environment: [
                    "CHIRP_CODE": detection.chirp.shortcode.description, "CHIRP_URL": detection.link?.url ?? "",
                    "CHIRP_KIND": detection.link?.kind ?? "",
                ], code: detection.chirp.shortcode)
        }

        /// Opens a link's address in the desktop's browser; nil where there is none.
        ///
        /// - Throws: ``UnopenedAddress`` when it is not a web address: what any sound in the room names starts no program
        ///   but the browser. `chirp resolve --open` opens every address, since a person asks for it.
        static func open(_ detection: ResolvedDetection) throws(UnopenedAddress) -> Job? {
            guard let url = detection.link?.url else { return nil }
            let scheme = url.prefix { $0 != ":" }.lowercased()
            guard WebAddress.schemes.contains(scheme) else {
                throw UnopenedAddress(code: detection.chirp.shortcode, url: url)
            }
            return Job(
                arguments: ["xdg-open", url], environment: [:], code: detection.chirp.shortcode, isIndependent: true)
        }
    }

    /// How a command ended.
    struct Outcome: Sendable, Hashable {
        enum Result: Sendable, Hashable {
            case exited(Int32)
            case signalled(Int32)
            /// The system's error number.
            case notStarted(Int32)
        }

        let arguments: [String]
        let code: Shortcode
        let result: Result

        var succeeded: Bool { result == .exited(0) }
    }

    /// A command that has not obeyed SIGTERM after this long is killed, in seconds.
    private static let killSeconds = 1.0
    /// An independent command that runs for longer than this has not failed, in seconds.
    private static let independentSeconds = 2.0

    private let current = Mutex<pid_t?>(nil)
    private let isTerminated = Atomic(false)
    private let jobs: AsyncStream<Job>.Continuation

    /// - Parameters:
    ///   - capturesOutput: whether what commands print is given to `report`, where a view has the terminal; otherwise they
    ///     print to this process's own output.
    ///   - report: receives an event for every command that ends, and for every captured line.
    init(capturesOutput: Bool, report: @escaping @Sendable (ListenEvent) -> Void) {
        let (queue, jobs) = AsyncStream.makeStream(of: Job.self)
        self.jobs = jobs
        Task.detached { [self] in
            for await job in queue {
                let end = { @Sendable (result: Outcome.Result) in
                    report(.commandEnded(Outcome(arguments: job.arguments, code: job.code, result: result)))
                }
                guard !job.isIndependent else {
                    BlockingThread.start(name: "independent command") { end(self.runIndependently(job)) }
                    continue
                }
                end(
                    await withCheckedContinuation { continuation in
                        BlockingThread.start(name: "command") {
                            continuation.resume(
                                returning: self.run(job, capturesOutput: capturesOutput, report: report))
                        }
                    })
            }
        }
    }

    func enqueue(_ job: Job) { jobs.yield(job) }

    /// Ends the running command and starts no other; returns when it is gone, or will not go.
    func terminate() async {
        isTerminated.store(true, ordering: .sequentiallyConsistent)
        jobs.finish()
        signalCurrent(SIGTERM)
        let deadline = ContinuousClock.now + .seconds(Self.killSeconds)
        while current.withLock({ $0 != nil }), ContinuousClock.now < deadline + .seconds(Self.killSeconds) {
            if ContinuousClock.now > deadline { signalCurrent(SIGKILL) }
            try? await Task.sleep(for: .milliseconds(10))
        }
    }

    private func signalCurrent(_ number: Int32) {
        current.withLock { if let process = $0 { _ = kill(-process, number) } }
    }

    private func run(_ job: Job, capturesOutput: Bool, report: (ListenEvent) -> Void) -> Outcome.Result {
        var pipe: [Int32] = [-1, -1]
        let started = current.withLock { current -> Result<pid_t, ProcessSpawn.Failure> in
            guard !isTerminated.load(ordering: .sequentiallyConsistent) else { return .failure(.init(code: ECANCELED)) }
            if capturesOutput {
                guard Foundation.pipe(&pipe) == 0 else { return .failure(.init(code: errno)) }
                for end in pipe { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            }
            let started = ProcessSpawn.start(
                job.arguments, environment: job.environment, output: capturesOutput ? pipe[1] : nil)
            if capturesOutput { close(pipe[1]) }
            current = try? started.get()
            return started
        }
        defer { if pipe[0] >= 0 { close(pipe[0]) } }
        switch started {
        case .failure(let failure): return .notStarted(failure.code)
        case .success(let process):
            if capturesOutput { Self.readLines(from: pipe[0], whileRuns: process) { report(.commandSaid($0)) } }
            // Waits without reaping first: while the process exists, nobody else can have its number.
            var information = siginfo_t()
            while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
            return current.withLock { current in
                current = nil
                return Self.reap(process)
            }
        }
    }

    private func runIndependently(_ job: Job) -> Outcome.Result {
        let nothing = open("/dev/null", O_WRONLY | O_CLOEXEC)
        defer { close(nothing) }
        // One start at a time: a process that is started beside another must not hold that one's output open.
        let started = current.withLock { _ in
            ProcessSpawn.start(job.arguments, environment: job.environment, output: nothing)
        }
        switch started {
        case .failure(let failure): return .notStarted(failure.code)
        case .success(let process):
            let ending = IndependentEnding()
            BlockingThread.start(name: "reaper") { ending.set(Self.reap(process)) }
            return ending.wait(seconds: Self.independentSeconds) ?? .exited(0)
        }
    }

    /// Whether a process has ended that has not been reaped.
    private static func hasExited(_ process: pid_t) -> Bool {
        var information = siginfo_t()
        return waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT | WNOHANG) == 0 && information.si_signo != 0
    }

    private static func reap(_ process: pid_t) -> Outcome.Result {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        return signal == 0 ? .exited((status >> 8) & 0xFF) : .signalled(signal)
    }

    /// How often it is looked whether a command has ended while it says nothing, in milliseconds.
    private static let endCheckMilliseconds: Int32 = 50
    /// How much is read at most of what was said before a command ended.
    private static let mostChunksAfterEnd = 16

    /// Reads what a command says until it has ended: what it has left running may keep its output open for ever.
    private static func readLines(from descriptor: Int32, whileRuns process: pid_t, _ take: (String) -> Void) {
        var pending: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        var (hasEnded, chunksAfterEnd) = (false, 0)
        while chunksAfterEnd < mostChunksAfterEnd {
            if hasEnded { chunksAfterEnd += 1 } else { hasEnded = hasExited(process) }
            var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let readyCount = poll(&ready, 1, hasEnded ? 0 : endCheckMilliseconds)
            if readyCount < 0, errno == EINTR { continue }
            if readyCount == 0 {
                if hasEnded { break }
                continue
            }
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            pending += chunk.prefix(count)
            while let end = pending.firstIndex(of: 10) {
                take(String(decoding: pending[..<end], as: UTF8.self))
                pending.removeSubrange(...end)
            }
            // A line without an end would grow for ever.
            if pending.count > 4096 { pending.removeAll() }
        }
        if !pending.isEmpty { take(String(decoding: pending, as: UTF8.self)) }
    }
}

/// How a process ended that is waited for only a while.
private final class IndependentEnding: Sendable {
    private let result = Mutex<CommandRunner.Outcome.Result?>(nil)
    private let isKnown = DispatchSemaphore(value: 0)

    func set(_ ending: CommandRunner.Outcome.Result) {
        result.withLock { $0 = ending }
        isKnown.signal()
    }

    /// The ending, nil when there is none in this time.
    func wait(seconds: Double) -> CommandRunner.Outcome.Result? {
        _ = isKnown.wait(timeout: .now() + seconds)
        return result.withLock { $0 }
    }
}
