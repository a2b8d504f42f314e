/// Decides which places are worth a closer look: peaks of the metrics that stand out of what they have been lately.
struct CandidateDetector: Sendable {
    /// Mean and deviation of a metric over about ten seconds.
    struct Baseline: Sendable {
        var mean: Float
        var deviation: Float
        let minimumDeviation: Float
        private var count = 0

        init(mean: Float, deviation: Float) {
            self.mean = mean
            self.deviation = deviation
            minimumDeviation = deviation
        }

        mutating func follow(_ value: Float) {
            count += 1
            let rate = max(1 / 512, 1 / Float(count + 256))
            // Clipped, so that chirps do not raise it.
            let difference = min(max(value - mean, -3 * deviation), 3 * deviation)
            mean += rate * difference
            let variance = deviation * deviation
            deviation = max(minimumDeviation, (variance + rate * (difference * difference - variance)).squareRoot())
        }
    }

    /// Reach on both sides within which a peak is the greatest.
    static let reach = 2
    /// As much for the exact metric in steady noise, where a chance peak beside a faint chirp is often higher.
    private static let exactReachInSteadyNoise = 1

    // The white-noise figures of the metrics.
    private(set) var exact = Baseline(mean: 139, deviation: 5)
    private(set) var wide = Baseline(mean: 21.4, deviation: 0.6)

    mutating func follow(_ metrics: FrameMetrics) {
        exact.follow(metrics.exact)
        wide.follow(metrics.wide)
    }

    /// The thresholds rise in music, up to where real chirps are not missed.
    var exactThreshold: Float { min(230, max(148, exact.mean + 2.5 * exact.deviation)) }
    var wideThreshold: Float { min(48, max(23, wide.mean + 3.7 * wide.deviation)) }

    /// Whether the exact metric is what it is in white noise: music, speech and machines raise it.
    var noiseIsStationary: Bool { exactThreshold < 162 }

    /// Whether the middle one of the metrics of `2 · reach + 1` successive starts is worth a closer look.
    func pick(_ window: [FrameMetrics]) -> (isExact: Bool, isWide: Bool) {
        let middle = window[Self.reach]
        var pick = (isExact: middle.exact > exactThreshold, isWide: middle.wide > wideThreshold)
        guard pick.isExact || pick.isWide else { return pick }
        let exactReach = noiseIsStationary ? Self.exactReachInSteadyNoise : Self.reach
        for (index, other) in window.enumerated() where index != Self.reach {
            // Of equal ones the first is the peak.
            if abs(index - Self.reach) <= exactReach,
                other.exact > middle.exact || index < Self.reach && other.exact == middle.exact
            {
                pick.isExact = false
            }
            if other.wide > middle.wide || index < Self.reach && other.wide == middle.wide { pick.isWide = false }
        }
        return pick
    }
}
