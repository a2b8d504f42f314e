internal import RealModule

extension Proportion {
    /// The counts that a sample of so many trials may have when its true share is the one this proportion was sampled
    /// from: all others are less likely than `probability` at their end, the chance of both samples taken into account.
    ///
    /// The share is given the Beta distribution that follows from this sample and a uniform prior, and the count the
    /// Beta-binomial one (Gelman et al., "Bayesian Data Analysis", 3rd edition, 2013, section 2.4).
    ///
    /// - Complexity: proportional to the trials.
    public func plausibleCounts(in trials: Int, probability: Double = 0.001) -> ClosedRange<Int> {
        let (a, b, n) = (Double(successes) + 1, Double(self.trials - successes) + 1, Double(trials))
        func logBeta(_ x: Double, _ y: Double) -> Double {
            Double.logGamma(x) + Double.logGamma(y) - Double.logGamma(x + y)
        }
        let density = (0...trials).map { count -> Double in
            let k = Double(count)
            let choices = Double.logGamma(n + 1) - Double.logGamma(k + 1) - Double.logGamma(n - k + 1)
            return Double.exp(choices + logBeta(k + a, n - k + b) - logBeta(a, b))
        }
        func end(_ counts: some Sequence<Int>) -> Int {
            var sum = 0.0
            for count in counts {
                sum += density[count]
                if sum >= probability { return count }
            }
            preconditionFailure("probabilities add up to one")
        }
        return end(0...trials)...end((0...trials).reversed())
    }
}
