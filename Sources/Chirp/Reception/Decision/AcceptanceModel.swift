internal import RealModule

/// How likely a decoded word is right.
enum AcceptanceModel {
    /// Noise deviation below which noise is taken for white.
    static let whiteNoise: Float = 1.4
    /// As much for what is taken for white with some more trust: a standard deviation above white noise's 1.28.
    static let surelyWhiteNoise: Float = 1.33
    /// Noise deviation from which on noise is taken more and more for music.
    static let minimumMusic: Float = 1.45

    /// Evidence that a word needs for even odds, in nats.
    ///
    /// In steady noise, where hardly anything looks like a chirp, four are asked for, and more where it does not look much like one. In music
    /// and speech, wherever within the last minute something looked like a chirp and was none (fans, machines), and for a searched tempo and
    /// tuning, it is 9.5 and the logarithm of how often that was, less where the tones are far above all else or all equally strong. Not so
    /// where each tone may be anywhere in its band, as whatever keys tones of its own is clear and even, too.
    static func demandedEvidence(
        frameLLR: Float, noiseLogDeviation: Float, toneLevelSpread: Float?, falseStartCount: Int, hasFreeTones: Bool
    ) -> Float {
        func ramp(_ value: Float, _ low: Float, _ high: Float) -> Float { min(1, max(0, (value - low) / (high - low))) }
        let music = falseStartCount == 0 ? ramp(noiseLogDeviation, minimumMusic, 1.65) : 1
        // Machines are even, too, and those that key tones as clear as any chirp.
        let even = falseStartCount < 3 ? toneLevelSpread.map { 1 - ramp($0, 0.25, 0.5) } ?? 0 : 0
        let clear = max(
            falseStartCount < 20 ? 0.55 * ramp(frameLLR, 95, 125) : 0, falseStartCount == 0 ? even : 0.5 * even)
        let suspicion = hasFreeTones ? music : music * (1 - clear)
        // Of so many that look like it one may be a chirp.
        let often = Float.log(Float(max(1, falseStartCount)))
        return 4 + 5.5 * suspicion + often + max(0, FrameDecoder.plainFrameLLR - frameLLR)
    }

    /// Logarithm of the odds that a decoded word is right.
    ///
    /// Some wrong word fits by chance with probability exp(−codewordEvidence); ``demandedEvidence(frameLLR:noiseLogDeviation:toneLevelSpread:falseStartCount:hasFreeTones:)``.
    static func logOdds(
        codewordEvidence: Float, frameLLR: Float, noiseLogDeviation: Float, toneLevelSpread: Float?, margin: Float,
        falseStartCount: Int, hasFreeTones: Bool = false
    ) -> Float {
        let odds =
            codewordEvidence
            - demandedEvidence(
                frameLLR: frameLLR, noiseLogDeviation: noiseLogDeviation, toneLevelSpread: toneLevelSpread,
                falseStartCount: falseStartCount, hasFreeTones: hasFreeTones)
        // Either of the two ways of being wrong: by chance, or by taking a word that is nearly as good. The best of those tells of all of
        // them: fitted to 812 frames in white noise at −24.5 to −27 dB.
        let ahead = margin - 2.5
        let least = min(odds, ahead)
        return least - Float.log(1 + Float.exp(least - max(odds, ahead)))
    }
}
