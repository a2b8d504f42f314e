internal import CoreMetrics
internal import HTTPTypes
internal import Synchronization

/// Bytes that all requests together may hold of one kind, such as temporary files.
final class ByteBudget: Sendable {
    /// Part of a budget, returned when its last owner releases it.
    final class Share: Sendable {
        private let budget: ByteBudget
        private let held = Mutex(0)

        fileprivate init(_ budget: ByteBudget) { self.budget = budget }

        /// Takes more of the budget.
        ///
        /// - Throws: ``ServiceError`` 503 when nothing is left.
        func take(_ count: Int) throws(ServiceError) {
            try budget.take(count)
            held.withLock { $0 += count }
        }

        func giveBack() {
            let count = held.withLock { held in
                defer { held = 0 }
                return held
            }
            if count > 0 { budget.giveBack(count) }
        }

        deinit { giveBack() }
    }

    private let limit: Int
    private let taken = Mutex(0)
    private let meter: Meter?

    init(_ limit: Int, meter: Meter? = nil) {
        self.limit = limit
        self.meter = meter
    }

    func share() -> Share { Share(self) }

    private func take(_ count: Int) throws(ServiceError) {
        let isLeft = taken.withLock { taken in
            guard taken + count <= limit else { return false }
            taken += count
            return true
        }
        guard isLeft else {
            throw ServiceError(
                .serviceUnavailable, "Too much is being sent at present: try again.", headers: [.retryAfter: "5"])
        }
        meter?.increment(by: Double(count))
    }

    private func giveBack(_ count: Int) {
        taken.withLock { $0 -= count }
        meter?.decrement(by: Double(count))
    }
}
