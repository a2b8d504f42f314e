/// The field of 32 elements: polynomials over GF(2) modulo x⁵ + x² + 1, an element's bits being its coefficients.
///
/// Addition is exclusive or. Elements are plain `UInt8` values of 0–31, the symbols of the wire format.
public enum GF32 {
    /// x⁵ + x² + 1.
    static let fieldPolynomial: UInt8 = 0x25
    /// Number of non-zero elements; α = 2 generates all of them.
    static let groupOrder = 31

    /// Powers of α: `exponential[i]` = αⁱ, twice over so that a sum of two logarithms needs no reduction.
    static let exponential: [UInt8] = {
        var table = [UInt8](repeating: 0, count: 2 * groupOrder)
        var element: UInt8 = 1
        for power in 0..<groupOrder {
            table[power] = element
            table[power + groupOrder] = element
            element <<= 1
            if element & 0x20 != 0 { element ^= fieldPolynomial }
        }
        return table
    }()

    /// Logarithms to the base α; the entry of 0 means nothing.
    static let logarithm: [Int] = {
        var table = [Int](repeating: 0, count: groupOrder + 1)
        for power in 0..<groupOrder { table[Int(exponential[power])] = power }
        return table
    }()

    /// α to any power, negative ones included.
    public static func power(_ exponent: Int) -> UInt8 {
        exponential[((exponent % groupOrder) + groupOrder) % groupOrder]
    }

    /// The product of two elements.
    ///
    /// Of polynomials, bit by bit, and reduced from the highest power on: no slower than a look at two tables, which are made on demand.
    @inline(__always)
    public static func multiply(_ a: UInt8, _ b: UInt8) -> UInt8 {
        var product: UInt16 = 0
        for power in 0..<UInt16(5) { product ^= (UInt16(a) &<< power) & (0 &- (UInt16(b) &>> power & 1)) }
        for power in (0..<UInt16(4)).reversed() {
            product ^= (UInt16(fieldPolynomial) &<< power) & (0 &- (product &>> (power &+ 5) & 1))
        }
        return UInt8(truncatingIfNeeded: product)
    }

    /// The inverse of an element that is not zero.
    public static func inverse(_ a: UInt8) -> UInt8 {
        precondition(a != 0, "zero has no inverse in GF(32)")
        return exponential[groupOrder - logarithm[Int(a)]]
    }

    /// The quotient of two elements; the divisor is not zero.
    public static func divide(_ a: UInt8, by b: UInt8) -> UInt8 { multiply(a, inverse(b)) }

    /// The value at `x` of a polynomial given by its coefficients, lowest power first.
    static func evaluate(_ coefficients: [UInt8], at x: UInt8) -> UInt8 {
        coefficients.reversed().reduce(0) { multiply($0, x) ^ $1 }
    }
}
