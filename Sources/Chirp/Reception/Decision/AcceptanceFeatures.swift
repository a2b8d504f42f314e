internal import RealModule

/// What the odds of a decoded word are told by; the acceptance model is linear in ``values``.
package struct AcceptanceFeatures: Sendable {
    /// How much likelier than by chance the symbols belong to a codeword after a preamble, in nats.
    package var codewordEvidence: Float
    /// Logarithm of the likelihood ratio of some chirp to none.
    package var frameLLR: Float
    /// The part of it that the preamble gives.
    package var preambleLLR: Float
    /// How much likelier the word is than the next best codeword, in nats.
    package var margin: Float
    /// Spread of the noise; ``SoftFrame/noiseLogDeviation(_:)``.
    package var noiseLogDeviation: Float
    /// Spread of its tones' levels; ``SoftFrame/toneLevelSpread(_:)``.
    package var toneLevelSpread: Float?
    /// How often, within the last minute, what was no chirp looked like one.
    package var falseStartCount: Int
    /// Whether tempo and tuning were searched: many more chances.
    package var isSearched = false
    /// Whether it was summed over time instead of taken at the best one: fewer chances.
    package var isMarginal = false

    /// Names of ``values``.
    package static let names = [
        "one", "evidence", "first evidence", "margin", "lesser of both", "preamble", "clearness", "unsteadiness",
        "unevenness", "false starts", "searched", "marginal",
    ]

    /// What the model is linear in, each limited to what was seen often enough to tell; the last places are empty.
    package var values: SIMD16<Float> {
        let evidence = min(40, max(-20, codewordEvidence))
        let margin = min(20, max(0, margin))
        let excess = noiseLogDeviation - Self.gaussianLogDeviation
        return SIMD16(
            1,
            evidence,
            // Of what is plain, more says little.
            min(8, evidence),
            margin,
            // A word is wrong by chance or by a rival: the likelier of the two counts. About even odds have these of each.
            max(-10, min(evidence - 4, margin - 2.5)),
            min(7, max(-10, preambleLLR)),
            0.01 * min(120, max(20, frameLLR)),
            min(0.6, max(0, excess)),
            // Of too few tones nothing is known: as of noise.
            2 * min(0.5, toneLevelSpread ?? 0.5),
            Float.log(1 + Float(falseStartCount)),
            isSearched ? 1 : 0,
            isMarginal ? 1 : 0,
            0, 0, 0, 0)
    }

    /// ``noiseLogDeviation`` in white noise.
    private static let gaussianLogDeviation: Float = 1.28
}

/// A reading that was weighed.
package struct AcceptanceCandidate: Sendable {
    package var codeword: Codeword
    package var features: AcceptanceFeatures
}
