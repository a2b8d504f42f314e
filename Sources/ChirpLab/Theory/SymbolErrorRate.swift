public import Chirp
internal import RealModule

/// Closed forms of noncoherent detection of one of M orthogonal tones in white Gaussian noise.
public enum SymbolErrorRate {
    /// Energy of one symbol over the noise's power density, as a ratio.
    ///
    /// The noise's power over the band of half the sample rate is N0 · rate / 2, the symbol's energy its power times its
    /// length: Es/N0 is the signal-to-noise ratio times half the samples of a symbol, +32.8 dB at 44.1 kHz.
    ///
    /// - Parameter snrDecibels: the chirp's power over the noise's in the whole band of a recording at that rate.
    public static func energyRatio(
        snrDecibels: Double, sampleRateHertz: Double = 44_100, format: WireFormat = .original
    ) -> Double {
        .powerRatio(decibels: snrDecibels) * format.symbolSeconds * sampleRateHertz / 2
    }

    /// Probability that some other tone is stronger than the one sent (Proakis, "Digital Communications", 4th edition,
    /// 2001, equation 5.4-46).
    ///
    /// - Parameters:
    ///   - energyRatio: Es/N0, a ratio.
    ///   - toneCount: at least 2, at most 32: the sum alternates, and its terms grow to C(31, 15) = 3 · 10⁸.
    public static func noncoherent(energyRatio: Double, toneCount: Int = 32) -> Double {
        precondition((2...32).contains(toneCount), "the sum is exact enough for 2 to 32 tones")
        var sum = 0.0
        var binomial = 1.0
        for n in 1..<toneCount {
            binomial *= Double(toneCount - n) / Double(n)
            let term = binomial / Double(n + 1) * Double.exp(-Double(n) / Double(n + 1) * energyRatio)
            sum += n % 2 == 1 ? term : -term
        }
        return sum
    }

    /// Probability that at most `errors` of `symbols` symbols are wrong, each with the same probability.
    public static func atMost(errors: Int, of symbols: Int, symbolErrorRate: Double) -> Double {
        var binomial = 1.0
        var sum = 0.0
        for k in 0...errors {
            sum += binomial * Double.pow(symbolErrorRate, k) * Double.pow(1 - symbolErrorRate, symbols - k)
            binomial *= Double(symbols - k) / Double(k + 1)
        }
        return sum
    }
}
