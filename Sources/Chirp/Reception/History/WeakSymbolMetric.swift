internal import RealModule

/// Logarithms of the likelihood ratio of a weak tone to none, and of any of 32, in the symbols that start with the latest blocks: what tells
/// copies of a chirp that are too weak to be heard by themselves.
struct WeakSymbolMetric: Sendable {
    typealias Rows = (SIMD8<Float>, SIMD8<Float>, SIMD8<Float>, SIMD8<Float>)

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

    mutating func set(_ start: Int, _ ratios: Rows) {
        let rows = Self.likelihoods(ratios)
        let all = SIMD32(
            lowHalf: SIMD16(lowHalf: rows.0, highHalf: rows.1), highHalf: SIMD16(lowHalf: rows.2, highHalf: rows.3))
        frames.set(start, any: Float.log((rows.0 + rows.1 + rows.2 + rows.3).total * (1.0 / 32))) {
            Float.log(all[startCode[$0]])
        }
    }

    /// Nothing is known of the symbol.
    mutating func clear(_ start: Int) { frames.set(start, any: 0) { _ in 0 } }

    @inline(__always)
    private static func likelihoods(_ ratios: Rows) -> Rows {
        var limited = ratios
        limited.0.formLesser(greatestRatio)
        limited.1.formLesser(greatestRatio)
        limited.2.formLesser(greatestRatio)
        limited.3.formLesser(greatestRatio)
        let highest = SIMD8(repeating: coefficients[0])
        var values = (highest, highest, highest, highest)
        for coefficient in coefficients.dropFirst() {
            values.0 = values.0 * limited.0 + coefficient
            values.1 = values.1 * limited.1 + coefficient
            values.2 = values.2 * limited.2 + coefficient
            values.3 = values.3 * limited.3 + coefficient
        }
        return values
    }
}
