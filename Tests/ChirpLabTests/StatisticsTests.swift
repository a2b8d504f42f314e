import Foundation
import Testing

@testable import ChirpLab

@Suite struct StatisticsTests {
    /// Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17, 1998, table I,
    /// method 3.
    @Test(arguments: [
        (81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0000, 0.1611), (1, 29, 0.0061, 0.1718),
    ])
    func `Wilson's interval is that of the literature`(k: Int, n: Int, low: Double, high: Double) {
        let interval = Proportion(successes: k, trials: n).wilsonInterval
        #expect(abs(interval.lowerBound - low) < 0.00006)
        #expect(abs(interval.upperBound - high) < 0.00006)
    }

    @Test func `Wilson's interval covers the true share in 95 of 100 experiments`() {
        var random = RandomSource(seed: 3)
        for share in [0.5, 0.9, 0.97] {
            let covered = (0..<4_000).count { _ in
                let k = (0..<200).count { _ in Double.random(in: 0..<1, using: &random) < share }
                return Proportion(successes: k, trials: 200).wilsonInterval.contains(share)
            }
            #expect((0.93...0.975).contains(Double(covered) / 4_000))
        }
    }

    /// Fisher's own lady with the tea: 3 of 4 right has a two-sided probability of 34/70.
    @Test func `Fisher's test gives the lady her due`() {
        let p = Significance.fisher(.init(successes: 3, trials: 4), .init(successes: 1, trials: 4))
        #expect(abs(p - 34.0 / 70) < 1e-9)
    }

    @Test func `the sign test is the binomial at one half`() {
        #expect(abs(Significance.sign(better: 8, worse: 2) - 2 * 56.0 / 1_024) < 1e-9)
        #expect(Significance.sign(better: 0, worse: 0) == 1)
    }

    /// Holm's correction by hand: 0.01 · 4, 0.013 · 3 raised to it, 0.03 · 2, 0.04 · 1 raised to that.
    @Test func `many comparisons are corrected in order`() {
        let corrected = Significance.holm([0.03, 0.01, 0.04, 0.013])
        for (value, expected) in zip(corrected, [0.06, 0.04, 0.06, 0.04]) { #expect(abs(value - expected) < 1e-12) }
    }

    @Test(arguments: [(500, 1_000), (970, 1_000), (1_000, 1_000), (10, 1_000)])
    func `a second sample of the same share stays within the plausible counts`(k: Int, n: Int) {
        var random = RandomSource(seed: 9)
        let bounds = Proportion(successes: k, trials: n).plausibleCounts(in: 200)
        let share = Double(k) / Double(n)
        let outside = (0..<5_000).count { _ in
            !bounds.contains((0..<200).count { _ in Double.random(in: 0..<1, using: &random) < share })
        }
        // 0.1 % at each end, and less where the first sample's own error widens the bounds.
        #expect(Double(outside) / 5_000 < 0.004)
        // Yet a share that has fallen by two fifths is nearly always outside.
        let fallen = (0..<1_000).count { _ in
            bounds.contains((0..<200).count { _ in Double.random(in: 0..<1, using: &random) < 0.6 * share })
        }
        #expect(share < 0.1 || fallen < 200)
    }

    @Test func `no false alarm in three hours leaves one an hour possible`() {
        let none = FalseAlarms(background: "", hours: 3, reports: [], computingSeconds: 1)
        #expect(abs(none.upperLimitPerHour - 0.9986) < 0.001)
    }
}
