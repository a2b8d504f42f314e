internal import Dispatch

/// Connections to one server, lent to one borrower at a time.
///
/// A broken connection is dropped, together with the idle ones, which have most likely broken with it; a request that
/// failed for that reason is repeated on a new connection until `retryTimeout` is over.
actor PostgresPool {
    private let url: String
    private let limit: Int
    private let retryTimeout: Duration
    private let answerLimit: Duration
    private let prepare: @Sendable (PostgresConnection) throws -> Void
    private var idle: [PostgresConnection] = []
    private var lentCount = 0
    private var waiting: [(number: Int, turn: CheckedContinuation<Bool, Never>)] = []
    private var waiterCount = 0

    /// How long a borrower waits for its turn at least: of a server that is silent each connection takes as long as an answer is waited for.
    private static let leastWait = Duration.seconds(10)

    /// - Parameters:
    ///   - limit: connections at most; further borrowers wait for their turn.
    ///   - retryTimeout: how long broken connections are made anew for one request.
    ///   - answerLimit: how long one answer is waited for.
    ///   - prepare: what is done once to a new connection.
    init(
        url: String, limit: Int, retryTimeout: Duration, answerLimit: Duration,
        prepare: @escaping @Sendable (PostgresConnection) throws -> Void
    ) {
        self.url = url
        self.limit = limit
        self.retryTimeout = retryTimeout
        self.answerLimit = answerLimit
        self.prepare = prepare
    }

    /// Runs a body on a connection, again when the connection broke under it.
    ///
    /// - Parameter body: gets the number of the attempt, from 0: after the first it may find its own work done.
    func run<T: Sendable>(_ body: @escaping @Sendable (PostgresConnection, Int) throws -> T) async throws -> T {
        let clock = ContinuousClock()
        let deadline = clock.now + retryTimeout
        var pause = Duration.milliseconds(20)
        var attempt = 0
        while true {
            do {
                return try await runOnce { [attempt] in try body($0, attempt) }
            } catch let error as PostgresError where error.isWorthRepeating && clock.now + pause < deadline {
                try await Task.sleep(for: pause)
                pause = min(pause * 2, .milliseconds(500))
                attempt += 1
            }
        }
    }

    func close() { idle = [] }

    private func runOnce<T: Sendable>(_ body: @escaping @Sendable (PostgresConnection) throws -> T) async throws -> T {
        let deadline = ContinuousClock.now + max(retryTimeout, Self.leastWait)
        while lentCount >= limit {
            guard await awaitTurn(until: deadline) else {
                throw PostgresError(
                    state: nil, message: "all connections are in use, and the server does not answer",
                    isConnectionLost: true)
            }
        }
        lentCount += 1
        defer {
            lentCount -= 1
            if !waiting.isEmpty { waiting.removeFirst().turn.resume(returning: true) }
        }
        let lent: PostgresConnection
        if let connection = idle.popLast() {
            lent = connection
        } else {
            lent = try await connect()
        }
        do {
            let result = try await Self.offload(to: lent.queue) { try body(lent) }
            idle.append(lent)
            return result
        } catch {
            if lent.isBroken { idle = [] } else { idle.append(lent) }
            throw error
        }
    }

    /// Waits until a connection may be free; false after a deadline.
    private func awaitTurn(until deadline: ContinuousClock.Instant) async -> Bool {
        waiterCount += 1
        let number = waiterCount
        let timeout = Task {
            try await Task.sleep(until: deadline, clock: .continuous)
            giveUp(number)
        }
        defer { timeout.cancel() }
        return await withCheckedContinuation { waiting.append((number, $0)) }
    }

    private func giveUp(_ number: Int) {
        guard let index = waiting.firstIndex(where: { $0.number == number }) else { return }
        waiting.remove(at: index).turn.resume(returning: false)
    }

    private func connect() async throws -> PostgresConnection {
        let (url, answerLimit, prepare) = (url, answerLimit, prepare)
        return try await Self.offload(to: DispatchQueue.global()) {
            let connection = try PostgresConnection(url: url, timeoutSeconds: 5, answerLimit: answerLimit)
            try prepare(connection)
            return connection
        }
    }

    /// Runs a blocking body away from the threads that tasks share.
    private static func offload<T: Sendable>(
        to queue: DispatchQueue, _ body: @escaping @Sendable () throws -> T
    ) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result(catching: body)) }
        }
    }
}
