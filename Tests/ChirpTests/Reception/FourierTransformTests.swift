import RealModule
import Testing

@testable import Chirp

/// Bins of the transform against the sums that they stand for.
@Suite struct FourierTransformTests {
    @Test(arguments: [(8, 0..<5), (32, 3..<9), (1_024, 38..<261), (1_056, 500..<600), (4_320, 2_100..<2_161)])
    func `each bin asked for is the direct sum`(length: Int, bins: Range<Int>) {
        var transform = FourierTransform(length: length, bins: bins)
        var random = SplitMix64(seed: UInt64(length))
        let samples = (0..<length).map { _ in Float.random(in: -1...1, using: &random) }
        var spectrum: [Float] = []
        transform.execute {
            $0.copy(samples.span, 0..<length, to: 0)
        } read: { values in
            spectrum = values.indices.map { values[$0] }
        }
        #expect(spectrum.count == 2 * transform.binCount)
        for bin in bins where bin < transform.binCount {
            var (real, imaginary) = (0.0, 0.0)
            for (index, value) in samples.enumerated() {
                let angle = -2 * Double.pi * Double(bin * index % length) / Double(length)
                real += Double(value) * Double.cos(angle)
                imaginary += Double(value) * Double.sin(angle)
            }
            // Sums of n terms of variance 1/3, to single precision.
            let tolerance = 3e-6 * Double(length).squareRoot()
            #expect(abs(Double(spectrum[2 * bin]) - real) < tolerance, "bin \(bin)")
            #expect(abs(Double(spectrum[2 * bin + 1]) - imaginary) < tolerance, "bin \(bin)")
        }
    }

    /// Silence is not transformed; a single sample anywhere is.
    @Test(arguments: [8, 32, 1_056])
    func `digital silence has no spectrum, whatever was before it`(length: Int) {
        var transform = FourierTransform(length: length, bins: 0..<length / 2 + 1)
        func power(_ samples: [Float]) -> Float {
            transform.execute {
                $0.copy(samples.span, 0..<length, to: 0)
            } read: { values in
                values.indices.reduce(0) { $0 + values[$1] * values[$1] }
            }
        }
        let silence = [Float](repeating: 0, count: length)
        for place in 0..<length {
            var one = silence
            one[place] = 1e-6
            #expect(power(one) > 0)
            #expect(power(silence) == 0)
        }
    }
}
