import Foundation
import Testing

/// Runs tests on a thread of their own instead of the pool that all others share: what they wait for goes on in other
/// processes, and must not wait in turn for long calculations of other tests to end.
struct OwnThread: SuiteTrait, TestTrait, TestScoping {
    private static let executor = ThreadExecutor()

    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        try await withTaskExecutorPreference(Self.executor) { try await function() }
    }
}

extension Trait where Self == OwnThread {
    /// On a thread beside the pool that tests share.
    static var onOwnThread: Self { Self() }
}

/// One thread that runs jobs in the order in which they come.
///
/// `@unchecked Sendable`: what it has is reached with its lock held, one that the thread sanitizer sees.
private final class ThreadExecutor: TaskExecutor, @unchecked Sendable {
    private var jobs: [UnownedJob] = []
    private let lock = NSCondition()

    init() {
        let thread = Thread { [self] in
            while true { next().runSynchronously(on: asUnownedTaskExecutor()) }
        }
        thread.name = "live tests"
        thread.start()
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        lock.withLock { jobs.append(job) }
        lock.signal()
    }

    private func next() -> UnownedJob {
        lock.withLock {
            while jobs.isEmpty { lock.wait() }
            return jobs.removeFirst()
        }
    }
}
