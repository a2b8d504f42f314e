internal import RealModule

/// Several complex numbers, real and imaginary parts in a vector each.
struct ComplexVector<Lanes: SIMD & Sendable>: Sendable, Equatable where Lanes.Scalar == Float {
    var real = Lanes()
    var imaginary = Lanes()

    @inline(__always)
    init() {}

    @inline(__always)
    init(_ real: Lanes, _ imaginary: Lanes) {
        self.real = real
        self.imaginary = imaginary
    }

    /// Squared magnitudes.
    @inline(__always)
    var power: Lanes { real * real + imaginary * imaginary }

    @inline(__always)
    static func + (first: Self, second: Self) -> Self {
        Self(first.real + second.real, first.imaginary + second.imaginary)
    }

    @inline(__always)
    static func - (first: Self, second: Self) -> Self {
        Self(first.real - second.real, first.imaginary - second.imaginary)
    }

    @inline(__always)
    static func += (first: inout Self, second: Self) { first = first + second }

    @inline(__always)
    static func * (first: Self, second: Self) -> Self {
        Self(
            first.real * second.real - first.imaginary * second.imaginary,
            first.real * second.imaginary + first.imaginary * second.real)
    }

    /// The product with the conjugates of others.
    @inline(__always)
    func timesConjugate(_ other: Self) -> Self {
        Self(
            real * other.real + imaginary * other.imaginary,
            imaginary * other.real - real * other.imaginary)
    }

    /// The product with −i.
    @inline(__always)
    var turnedBack: Self { Self(imaginary, -real) }

    @inline(__always)
    static func * (values: Self, factors: Lanes) -> Self { Self(values.real * factors, values.imaginary * factors) }

    @inline(__always)
    static func * (values: Self, factor: Float) -> Self { Self(values.real * factor, values.imaginary * factor) }
}

/// Complex numbers of eight tones, or of eight samples.
typealias ComplexLanes = ComplexVector<SIMD8<Float>>

extension ComplexLanes {
    /// exp(i · angle) of each lane.
    init(angles: SIMD8<Double>) {
        for lane in 0..<8 {
            real[lane] = Float(Double.cos(angles[lane]))
            imaginary[lane] = Float(Double.sin(angles[lane]))
        }
    }
}
