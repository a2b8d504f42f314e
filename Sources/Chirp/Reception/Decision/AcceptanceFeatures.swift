internal import RealModule

/// What the odds of a decoded word are told by; the acceptance model is linear in ``values``, except in steady noise.
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
    /// Whether it was summed over times in steady noise, where ``logOddsInSteadyNoise(againstChirp:ofChirpElsewhere:)`` tells the odds.
    package var isMarginal = false

    /// Names of ``values``.
    package static let names = [
        "one", "evidence", "first evidence", "margin", "lesser of both", "preamble", "clearness", "noise log deviation",
        "tone level spread", "false starts", "searched",
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
            0, 0, 0, 0, 0)
    }

    /// Logarithm of the odds in steady noise. Likelihoods are exact there, and Bayes' rule needs no fitting: against the word are all other
    /// words together, the next best one, that there is no chirp at all, and that there is one that begins elsewhere, so that its tones are as
    /// likely here but for the preamble.
    ///
    /// - Parameters:
    ///   - againstChirp: logarithm of the odds that no chirp begins at a place that is looked at.
    ///   - ofChirpElsewhere: logarithm of how many places about a chirp are looked at besides its own.
    package func logOddsInSteadyNoise(againstChirp: Float = 16.5, ofChirpElsewhere: Float = 2) -> Float {
        let word = codewordEvidence - preambleLLR
        let others = Float.exp(-max(-40, word)) + Float.exp(-margin)
        let none = Float.exp(min(60, againstChirp - frameLLR - word))
        let elsewhere = Float.exp(min(60, ofChirpElsewhere - codewordEvidence))
        return -Float.log(max(1e-12, others + none + elsewhere))
    }

    /// ``noiseLogDeviation`` in white noise.
    private static let gaussianLogDeviation: Float = 1.28
}

/// A reading that was weighed.
package struct AcceptanceCandidate: Sendable {
    package var codeword: Codeword
    package var features: AcceptanceFeatures
}
