internal import Chirp
internal import RealModule

/// Eighteen symbols as an ideal receiver hears them that knows the arrival time and the level: for each of them the
/// log-likelihood of each of the 32 values.
struct SoftWord {
    static let length = 18
    static let values = 32
    /// `likelihood[position * 32 + value]`.
    private(set) var likelihood: [Float]
    /// The values at each position, likeliest first.
    private(set) var ranking: [UInt8]
    /// By how much the likeliest value beats the second, at each position.
    private(set) var reliability: [Float]

    /// Draws what is heard of a codeword at an energy ratio Es/N0.
    ///
    /// A matched filter's output is complex Gaussian of variance 1 in every tone but the one sent, where √(Es/N0) is
    /// added at an unknown phase; the likelihood of a tone is I₀ of twice that amplitude times the envelope (Proakis,
    /// equation 5.4-27).
    init(hearing word: [UInt8], energyRatio: Double, gaussian: Gaussian, using random: inout RandomSource) {
        let amplitude = Float(energyRatio.squareRoot())
        var likelihood = [Float](repeating: 0, count: Self.length * Self.values)
        for position in 0..<Self.length {
            for value in 0..<Self.values {
                var real = gaussian.next(using: &random) * Float(0.5).squareRoot()
                let imaginary = gaussian.next(using: &random) * Float(0.5).squareRoot()
                if value == Int(word[position]) { real += amplitude }
                let envelope = (real * real + imaginary * imaginary).squareRoot()
                likelihood[position * Self.values + value] = Self.logBessel(2 * amplitude * envelope)
            }
        }
        self.init(likelihood: likelihood)
    }

    init(likelihood: [Float]) {
        self.likelihood = likelihood
        ranking = []
        reliability = []
        for position in 0..<Self.length {
            let base = position * Self.values
            let order = (0..<Self.values).sorted { likelihood[base + $0] > likelihood[base + $1] }
            ranking += order.map(UInt8.init)
            reliability.append(likelihood[base + order[0]] - likelihood[base + order[1]])
        }
    }

    /// The value in place `rank` (0: the likeliest) at a position.
    @inline(__always)
    func value(at position: Int, rank: Int) -> UInt8 { ranking[position * Self.values + rank] }

    /// The likeliest value at every position.
    var hardDecisions: [UInt8] { (0..<Self.length).map { value(at: $0, rank: 0) } }

    /// Log-likelihood of a whole word.
    @inline(__always)
    func likelihood(of word: [UInt8]) -> Float {
        var sum: Float = 0
        for position in 0..<Self.length { sum += likelihood[position * Self.values + Int(word[position])] }
        return sum
    }

    /// ln I₀(x) (Abramowitz and Stegun, "Handbook of Mathematical Functions", 9.8.1 and 9.8.2; error below 2 · 10⁻⁷).
    static func logBessel(_ x: Float) -> Float {
        if x < 3.75 {
            let t = (x / 3.75) * (x / 3.75)
            return Float.log(
                1 + t
                    * (3.5156229 + t * (3.0899424 + t * (1.2067492 + t * (0.2659732 + t * (0.0360768 + t * 0.0045813)))))
            )
        }
        let t = 3.75 / x
        let tail: Float = -0.02057706 + t * (0.02635537 + t * (-0.01647633 + t * 0.00392377))
        let series: Float =
            0.39894228 + t * (0.01328592 + t * (0.00225319 + t * (-0.00157565 + t * (0.00916281 + t * tail))))
        return x - 0.5 * Float.log(x) + Float.log(series)
    }
}
