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
        func isPeak(within reach: Int, _ metric: (FrameMetrics) -> Float) -> Bool {
            // Of equal ones the first is the peak.
            !(-reach...reach).contains { offset in
                let other = metric(window[Self.reach + offset])
                return other > metric(middle) || offset < 0 && other == metric(middle)
            }
        }
        let exactReach = noiseIsStationary ? Self.exactReachInSteadyNoise : Self.reach
        return (
            isExact: middle.exact > exactThreshold && isPeak(within: exactReach) { $0.exact },
            isWide: middle.wide > wideThreshold && isPeak(within: Self.reach) { $0.wide }
        )
    }
}
