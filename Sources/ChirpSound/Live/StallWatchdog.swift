internal import Synchronization

/// Measures how long a thread has been in one call, so that others can give up waiting for it.
final class StallWatchdog: Sendable {
    /// How often it is worth looking, in seconds.
    static let intervalSeconds = 0.1

    private let clock = ContinuousClock()
    private let lastProgress: Mutex<ContinuousClock.Instant?>

    init() { lastProgress = Mutex(ContinuousClock().now) }

    /// The thread is about to make the next call.
    func note() {
        let now = clock.now
        lastProgress.withLock { if $0 != nil { $0 = now } }
    }

    /// The thread makes no more calls.
    func end() { lastProgress.withLock { $0 = nil } }

    /// Seconds since the last call was begun, nil when no more are made.
    var idleSeconds: Double? { lastProgress.withLock { $0 }.map { (clock.now - $0) / .seconds(1) } }

    /// Waits until a call has taken this long, in seconds, or no more are made; true when one has.
    func hangs(for seconds: Double) async -> Bool {
        while let idle = idleSeconds {
            if idle > seconds { return true }
            try? await Task.sleep(for: .seconds(Self.intervalSeconds))
        }
        return false
    }
}
