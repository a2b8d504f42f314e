internal import RealModule

/// Logarithms of the likelihood ratio of a weak tone to none, and of any of 32, in the symbols that start with the latest blocks: what tells
/// copies of a chirp that are too weak to be heard by themselves.
struct WeakSymbolMetric: Sendable {
    /// Es/N0 that is assumed: that of each of two to three copies at their limit.
    private static let design: Float = 2.5
    /// exp(−γ) I₀(2 √(γ r)) as a power series of r, from the highest power down; within .1 % up to the greatest ratio.
    private static let coefficients: [Float] = (0...10).reversed().map { power in
        let factorial = (1...max(1, power)).reduce(1.0) { $0 * Double($1) }
        let outage = Double(SymbolLikelihood.outage)
        let value =
            (1 - outage) * Double.exp(-Double(design)) * Double.pow(Double(design), power) / (factorial * factorial)
        return Float(power == 0 ? value + outage : value)
    }
    private static let greatestRatio: Float = 10

    private let startCode: [Int]
    private(set) var frames: FrameMetricRing

    init(startCode: [Int]) {
        self.startCode = startCode
        frames = FrameMetricRing(preambleCount: startCode.count)
    }

    mutating func set(_ start: Int, _ ratios: (SIMD8<Float>, SIMD8<Float>, SIMD8<Float>, SIMD8<Float>)) {
        let rows = (
            Self.likelihoods(ratios.0), Self.likelihoods(ratios.1), Self.likelihoods(ratios.2),
            Self.likelihoods(ratios.3)
        )
        let all = SIMD32(
            lowHalf: SIMD16(lowHalf: rows.0, highHalf: rows.1), highHalf: SIMD16(lowHalf: rows.2, highHalf: rows.3))
        frames.set(start, any: Float.log((rows.0 + rows.1 + rows.2 + rows.3).total * (1.0 / 32))) {
            Float.log(all[startCode[$0]])
        }
    }

    /// Nothing is known of the symbol.
    mutating func clear(_ start: Int) { frames.set(start, any: 0) { _ in 0 } }

    @inline(__always)
    private static func likelihoods(_ ratios: SIMD8<Float>) -> SIMD8<Float> {
        var ratio = ratios
        ratio.formLesser(greatestRatio)
        var value = SIMD8<Float>(repeating: coefficients[0])
        for index in 1..<coefficients.count { value = value * ratio + coefficients[index] }
        return value
    }
}
