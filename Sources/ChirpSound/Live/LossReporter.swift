/// Counts losses of sound, and makes few reports of many.
///
/// The first is reported at once; those of the next ten seconds together, and so on.
public struct LossReporter: Sendable {
    /// Losses of one cause since the last report of it.
    public struct Loss: Sendable, Hashable {
        public let cause: LossCause
        public var seconds: Double
        public var count: Int

        public init(cause: LossCause, seconds: Double, count: Int = 1) {
            self.cause = cause
            self.seconds = seconds
            self.count = count
        }
    }

    /// Between two reports of the same cause, in seconds.
    static let intervalSeconds = 10.0

    private var owed: [Loss] = []
    private var lastReport: [LossCause: Double] = [:]

    public init() {}

    /// Counts a loss.
    public mutating func take(seconds: Double, _ cause: LossCause) {
        guard let index = owed.firstIndex(where: { $0.cause == cause }) else {
            return owed.append(Loss(cause: cause, seconds: seconds, count: 1))
        }
        owed[index].seconds += seconds
        owed[index].count += 1
    }

    /// What is to be reported now.
    ///
    /// - Parameter clockSeconds: the time, of any beginning.
    public mutating func due(at clockSeconds: Double) -> [Loss] {
        guard !owed.isEmpty else { return [] }
        let isDue = { [lastReport] (loss: Loss) in
            lastReport[loss.cause].map { clockSeconds - $0 >= Self.intervalSeconds } ?? true
        }
        let losses = owed.filter(isDue)
        owed.removeAll(where: isDue)
        for loss in losses { lastReport[loss.cause] = clockSeconds }
        return losses
    }

    /// What has not been reported yet.
    public mutating func finish() -> [Loss] {
        defer { owed = [] }
        return owed
    }
}
