import Chirp
import Testing

@Suite struct GF32Tests {
    private static let elements = UInt8(0)..<32

    @Test func `multiplication commutes, has one for its unit, and distributes over addition`() {
        for a in Self.elements {
            #expect(GF32.multiply(a, 1) == a)
            #expect(GF32.multiply(a, 0) == 0)
            for b in Self.elements {
                #expect(GF32.multiply(a, b) == GF32.multiply(b, a))
                for c in Self.elements {
                    #expect(GF32.multiply(a, b ^ c) == GF32.multiply(a, b) ^ GF32.multiply(a, c))
                    #expect(GF32.multiply(a, GF32.multiply(b, c)) == GF32.multiply(GF32.multiply(a, b), c))
                }
            }
        }
    }

    @Test func `every element but zero has an inverse, and no two elements but zero multiply to zero`() {
        for a in Self.elements.dropFirst() {
            #expect(GF32.multiply(a, GF32.inverse(a)) == 1)
            for b in Self.elements.dropFirst() {
                #expect(GF32.multiply(a, b) != 0)
                #expect(GF32.multiply(GF32.divide(a, by: b), b) == a)
            }
        }
    }

    @Test func `products are those of polynomials modulo x⁵ + x² + 1`() {
        for a in Self.elements {
            for b in Self.elements {
                var product = 0
                for bit in 0..<5 where b >> bit & 1 == 1 { product ^= Int(a) << bit }
                for degree in stride(from: 9, through: 5, by: -1) where product >> degree & 1 == 1 {
                    product ^= 0b100101 << (degree - 5)
                }
                #expect(Int(GF32.multiply(a, b)) == product)
            }
        }
    }

    @Test func `the powers of α are all elements but zero, and repeat after 31`() {
        #expect(Set((0..<31).map(GF32.power)).count == 31)
        #expect(GF32.power(1) == 2)
        for exponent in -40...40 { #expect(GF32.power(exponent) == GF32.power(exponent + 31)) }
    }
}
