import RealModule
import Testing

@testable import Chirp

@Suite struct SymbolLikelihoodTests {
    /// Abramowitz and Stegun, table 9.8, and I₀(10) = 2815.716628.
    @Test(arguments: [(0.0, 0.0), (1, 0.2359144), (3.75, 2.2103542), (10, 7.9429720), (50, 47.1275725)])
    func `the modified Bessel function is that of the tables`(x: Double, logarithm: Double) {
        #expect(abs(SymbolLikelihood.logBesselI0(x) - logarithm) < 2e-5)
    }

    @Test func `a likelihood ratio has mean one over what noise does`() {
        let likelihood = SymbolLikelihood()
        // The energy of noise over its mean is exponentially distributed.
        let step: Float = 0.01
        let mean = stride(from: step / 2, to: 24, by: step).reduce(Float(0)) {
            $0 + step * Float.exp(-$1) * likelihood($1)
        }
        #expect(abs(mean - 1) < 0.005)
    }

    @Test func `a greater energy is never less likely to be the tone`() {
        let likelihood = SymbolLikelihood()
        let values = stride(from: Float(0), to: 40, by: 0.1).map { likelihood($0) }
        #expect(zip(values, values.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(values[0] < 0.05 && values[399] == values[300])
    }

    @Test func `eight at a time are what each is by itself`() {
        let likelihood = SymbolLikelihood()
        let ratios: [Float] =
            [0, 1.0 / 64, 1.0 / 32, 0.999, 1, 23.99, 24, 25, 1e30, .infinity, -0.0] + (0..<101).map { Float($0) / 4.1 }
        for first in ratios.indices.dropLast(7) {
            let values = likelihood(SIMD8(ratios[first..<first + 8]))
            for lane in 0..<8 {
                let alone = likelihood(ratios[first + lane])
                #expect(abs(values[lane] - alone) <= 1e-6 * alone, "\(ratios[first + lane])")
            }
        }
        let values = likelihood(SIMD8<Float>(.nan, -1, -.infinity, 0, 0, 0, 0, 0))
        #expect((0..<8).allSatisfy { values[$0] == likelihood(0) }, "what is no ratio counts as none")
    }
}
