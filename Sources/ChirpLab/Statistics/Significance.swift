internal import RealModule

/// Probabilities that a difference as large, or larger, comes by chance alone.
public enum Significance {
    /// Fisher's exact test of two independent proportions, two-sided: all tables with the same margins that are no more
    /// probable than the one seen (Fisher, "Statistical Methods for Research Workers", 5th edition, 1934, section 21.02).
    public static func fisher(_ a: Proportion, _ b: Proportion) -> Double {
        let (n, k) = (a.trials + b.trials, a.successes + b.successes)
        let range = max(0, k - b.trials)...min(k, a.trials)
        func logProbability(_ x: Int) -> Double {
            logBinomial(a.trials, x) + logBinomial(b.trials, k - x) - logBinomial(n, k)
        }
        let seen = logProbability(a.successes)
        // The margin takes in tables equal but for rounding.
        return min(1, range.map(logProbability).filter { $0 <= seen + 1e-7 }.reduce(0) { $0 + Double.exp($1) })
    }

    /// McNemar's test in its exact form (the sign test) of pairs: of the trials that differ, how many went one way and how
    /// many the other; two-sided. Sharper than Fisher's when the same sound was played to both.
    public static func sign(better: Int, worse: Int) -> Double {
        let n = better + worse
        let tail = (0...min(better, worse)).reduce(0.0) { sum, k in
            sum + Double.exp(logBinomial(n, k) - Double(n) * Double.log(2))
        }
        return min(1, 2 * tail)
    }

    /// Holm's correction for many comparisons at once (Scandinavian Journal of Statistics 6, 1979), in the order given.
    public static func holm(_ probabilities: [Double]) -> [Double] {
        var corrected = probabilities
        var least = 0.0
        for (rank, index) in probabilities.indices.sorted(by: { probabilities[$0] < probabilities[$1] }).enumerated() {
            least = max(least, min(1, Double(probabilities.count - rank) * probabilities[index]))
            corrected[index] = least
        }
        return corrected
    }

    private static func logBinomial(_ n: Int, _ k: Int) -> Double {
        Double.logGamma(Double(n) + 1) - Double.logGamma(Double(k) + 1) - Double.logGamma(Double(n - k) + 1)
    }
}
