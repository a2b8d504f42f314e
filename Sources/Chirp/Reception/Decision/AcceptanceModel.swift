/// How likely a decoded word is right: a logistic regression on ``AcceptanceFeatures/values``, and Bayes' rule in steady noise.
///
/// The weights are fitted to readings of the laboratory that are known to be right or wrong, by `make fit`; docs/RECEIVER.md shows how well
/// they hold for other sounds.
package struct AcceptanceModel: Sendable {
    /// Weights of the features in the logarithm of the odds.
    package var weights: SIMD16<Float>

    package init(weights: SIMD16<Float>) { self.weights = weights }

    /// Logarithm of the odds that a word is right.
    package func logOdds(_ features: AcceptanceFeatures) -> Float {
        features.isMarginal ? features.logOddsInSteadyNoise() : (weights * features.values).sum()
    }

    /// The evidence below which a word is less likely than that, however far it leads and however even its tones are; within a quarter of
    /// a nat.
    func minimumEvidence(_ features: AcceptanceFeatures, logOdds: Float) -> Float {
        var best = features
        best.margin = .infinity
        best.toneLevelSpread = 0
        var (low, high): (Float, Float) = (-10, 40)
        while high - low > 0.25 {
            best.codewordEvidence = 0.5 * (low + high)
            if self.logOdds(best) < logOdds { low = best.codewordEvidence } else { high = best.codewordEvidence }
        }
        return low
    }
}
