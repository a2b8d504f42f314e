public import Chirp

/// Looks codes up in bounded time: results are cached, each look-up has a timeout, and after a failure the registry is
/// not asked for a while.
public actor LinkLookup {
    public enum Answer: Sendable, Hashable {
        case link(LinkRecord)
        /// The registry does not know the code.
        case unknown
        /// The registry could not be asked, or what it has of this code not be read.
        case unreachable(RegistryError)

        public var record: LinkRecord? { if case .link(let record) = self { record } else { nil } }
    }

    private let registry: any Registry
    private let location: String
    private let timeLimit: Duration
    private let restTime: Duration
    private let memoryTime: Duration
    private let now: @Sendable () -> ContinuousClock.Instant
    private var answers = BoundedCache<Shortcode, (answer: Answer, time: ContinuousClock.Instant)>(
        capacity: LinkLookup.memory)
    private var failure: (error: RegistryError, time: ContinuousClock.Instant)?

    /// Maximum number of cached codes.
    package static let memory = 10_000

    /// - Parameters:
    ///   - location: name of the registry in the error of a timeout.
    ///   - timeLimit: the longest that one look-up takes.
    ///   - restTime: how long a failed registry is not asked again, and how long an unknown code is cached.
    ///   - memoryTime: how long a link is cached; it may be deleted during that time.
    public init(
        _ registry: any Registry, location: String, timeLimit: Duration = .seconds(3),
        restTime: Duration = .seconds(30), memoryTime: Duration = .seconds(600)
    ) {
        self.init(
            registry, location: location, timeLimit: timeLimit, restTime: restTime, memoryTime: memoryTime,
            now: { .now })
    }

    package init(
        _ registry: any Registry, location: String, timeLimit: Duration, restTime: Duration, memoryTime: Duration,
        now: @escaping @Sendable () -> ContinuousClock.Instant
    ) {
        self.registry = registry
        self.location = location
        self.timeLimit = timeLimit
        self.restTime = restTime
        self.memoryTime = memoryTime
        self.now = now
    }

    /// What a code stands for.
    public func answer(for code: Shortcode) async -> Answer {
        if let known = answers[code] {
            let validity = known.answer == .unknown ? restTime : memoryTime
            if now() - known.time < validity { return known.answer }
        }
        if let failure, now() - failure.time < restTime { return .unreachable(failure.error) }
        let answer = await ask(code)
        if case .unreachable(let error) = answer {
            if error.concernsAllCodes { failure = (error, now()) }
        } else {
            failure = nil
            answers.insert((answer, now()), for: code)
        }
        return answer
    }

    private func ask(_ code: Shortcode) async -> Answer {
        let registry = registry
        let answer = await withTimeout(timeLimit) { () async -> Answer in
            do throws(RegistryError) {
                return try await registry.record(of: code).map { .link($0) } ?? .unknown
            } catch {
                return .unreachable(error)
            }
        }
        let late = StoreFailure(
            reason: .unreachable, location: location, operation: "look up",
            message: "no answer within \(timeLimit.components.seconds) s")
        return answer ?? .unreachable(.store(late))
    }
}
