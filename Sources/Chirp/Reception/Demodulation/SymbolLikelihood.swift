internal import RealModule

/// How many times likelier a tone's energy is when the tone was sent than when it was not, by the energy's ratio to the
/// noise.
///
/// For noncoherent detection in Gaussian noise that is exp(−γ) · I₀(2 √(γ r)), where r is the ratio and γ = Es/N0
/// (Proakis and Salehi, "Digital Communications", 5th ed., section 4.5-3). γ is held where the
/// decoder is at its limit and the assumption matters; the tone may also be missing altogether.
struct SymbolLikelihood: Sendable {
    /// Es/N0 that is assumed: 7 dB, at −25.8 dB in the whole band of 44.1 kHz.
    static let design: Float = 5
    /// Probability that a symbol's tone is not there: faded, masked, cut out.
    static let outage: Float = 0.03
    /// As it is assumed elsewhere than in steady noise.
    static let standard = SymbolLikelihood()
    /// For steady noise, where next to no tone is missing: 6 dB, at −26.8 dB in the whole band.
    static let steady = SymbolLikelihood(energyRatio: 4, outage: 0.01)

    /// Likelihood ratios at multiples of `step`, and by how much the next one is greater.
    private let table: [SIMD2<Float>]
    static let step: Float = 1.0 / 32
    /// 3 · 2²²: the last bit of what is a little more or less counts ones.
    private static let counter: Float = 12_582_912
    /// Ratios beyond this count as this.
    static let greatestRatio: Float = 24

    /// - Parameters:
    ///   - energyRatio: Es/N0 that is assumed.
    ///   - outage: probability that a symbol's tone is not there.
    init(energyRatio: Float = Self.design, outage: Float = Self.outage) {
        let (energyRatio, outage) = (Double(energyRatio), Double(outage))
        let count = Int(Self.greatestRatio / Self.step) + 2
        let values = (0..<count).map { index in
            Self.exact(Double(index) * Double(Self.step), energyRatio: energyRatio, outage: outage)
        }
        table = zip(values, values.dropFirst()).map { SIMD2($0, $1 - $0) }
    }

    /// The likelihood ratio of an energy that is so many times the noise's.
    static func exact(_ ratio: Double, energyRatio: Double, outage: Double) -> Float {
        let likelihood = Double.exp(logBesselI0(2 * (energyRatio * ratio).squareRoot()) - energyRatio)
        return Float((1 - outage) * likelihood + outage)
    }

    /// The likelihood ratio, linearly interpolated.
    @inline(__always)
    func callAsFunction(_ ratio: Float) -> Float {
        let place = (ratio < Self.greatestRatio ? ratio : Self.greatestRatio) * (1 / Self.step)
        let index = Int(place)
        return table[index].x + (place - Float(index)) * table[index].y
    }

    /// The likelihood ratios of eight tones.
    @inline(__always)
    func callAsFunction(_ ratios: SIMD8<Float>) -> SIMD8<Float> {
        let table = table.span
        precondition(Float(table.count) > Self.greatestRatio / Self.step, "the table reaches to the greatest ratio")
        // What is no number counts as zero.
        var places = SIMD8<Float>()
        places.formGreater(ratios * (1 / Self.step))
        places.formLesser(Self.greatestRatio / Self.step)
        // The bits of the sum tell the whole part, which a conversion would check once more for each.
        let counted = (places - 0.5) + Self.counter
        let wholes = counted - Self.counter
        let entries = unsafe unsafeBitCast(counted, to: SIMD8<UInt32>.self) &- Self.counter.bitPattern
        var (values, slopes) = (SIMD8<Float>(), SIMD8<Float>())
        for lane in 0..<8 {
            let entry = unsafe table[unchecked: Int(truncatingIfNeeded: entries[lane])]
            values[lane] = entry.x
            slopes[lane] = entry.y
        }
        return values + (places - wholes) * slopes
    }

    /// ln I₀(x) for x ≥ 0 within 2·10⁻⁷ (Abramowitz and Stegun, 9.8.1 and 9.8.2).
    static func logBesselI0(_ x: Double) -> Double {
        func polynomial(_ coefficients: [Double], _ t: Double) -> Double {
            coefficients.reversed().reduce(0) { $0 * t + $1 }
        }
        if x < 3.75 {
            let t = (x / 3.75) * (x / 3.75)
            let coefficients = [1, 3.5156229, 3.0899424, 1.2067492, 0.2659732, 0.0360768, 0.0045813]
            return Double.log(polynomial(coefficients, t))
        }
        let coefficients = [
            0.39894228, 0.01328592, 0.00225319, -0.00157565, 0.00916281, -0.02057706, 0.02635537, -0.01647633,
            0.00392377,
        ]
        return x - 0.5 * Double.log(x) + Double.log(polynomial(coefficients, 3.75 / x))
    }
}
