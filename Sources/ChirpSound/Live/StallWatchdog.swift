internal import Synchronization

/// Counts the calls of a thread, so that others can tell that it hangs in one and give up waiting for it.
final class StallWatchdog: Sendable {
    /// How often it is worth looking, in seconds.
    static let intervalSeconds = 0.1
    /// What passes between two looks counts for no more, in seconds: this process may have been stopped, or the machine slept.
    static let mostSeconds = 0.3

    private let callCount = Mutex<Int?>(0)

    /// The thread is about to make the next call.
    func note() { callCount.withLock { count in count = count.map { $0 + 1 } } }

    /// The thread makes no more calls.
    func end() { callCount.withLock { $0 = nil } }

    /// How long the thread has been in one call, as seen by one who looks again and again.
    struct Idleness {
        private var call: Int?
        private var last = ContinuousClock.now
        private var seconds = 0.0

        /// Seconds since the last call was begun, nil when no more are made.
        mutating func idleSeconds(of watched: StallWatchdog) -> Double? {
            guard let now = watched.callCount.withLock({ $0 }) else { return nil }
            let passed = StallWatchdog.seconds(since: &last)
            seconds = now == call ? seconds + passed : 0
            call = now
            return seconds
        }
    }

    /// What counts of the time since a moment, which is now afterwards.
    static func seconds(since last: inout ContinuousClock.Instant) -> Double {
        let now = ContinuousClock.now
        defer { last = now }
        return min((now - last) / .seconds(1), mostSeconds)
    }

    /// Waits until a call has taken this long, in seconds, or no more are made; true when one has.
    func hangs(for seconds: Double) async -> Bool {
        var idleness = Idleness()
        while let idle = idleness.idleSeconds(of: self) {
            if idle > seconds { return true }
            try? await Task.sleep(for: .seconds(Self.intervalSeconds))
        }
        return false
    }
}
