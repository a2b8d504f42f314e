import RealModule
import Testing

@testable import Chirp

/// Correlations with tones between the bins, against the sums that they stand for.
@Suite struct FractionalBinTransformTests {
    @Test(arguments: [44_100.0, 48_000, 22_050])
    func `a correlation is that of the direct sum over the block`(rate: Double) {
        var transform = FractionalBinTransform(
            longestBlock: WireFormat.original.symbolSeconds * rate, sampleRateHertz: rate,
            bandHertz: WireFormat.original.bandHertz)
        var random = SplitMix64(seed: 3)
        for hertz in [1_760.0, 1_777.7, 4_698.6, 10_548.1] {
            let samples = (0..<transform.blockLength).map { index in
                let tone = Float(Double.cos(2 * Double.pi * hertz / rate * Double(index) + 1))
                return tone + Float.random(in: -0.1...0.1, using: &random)
            }
            let place = transform.place(hertz: hertz)
            let parts = transform.correlation(of: samples, at: place)
            let power = parts.x * parts.x + parts.y * parts.y
            var (real, imaginary) = (0.0, 0.0)
            let middle = transform.blockLength / 2
            for (index, value) in samples.enumerated() {
                let angle = -2 * Double.pi * hertz / rate * Double(index - middle)
                real += Double(value) * Double.cos(angle)
                imaginary += Double(value) * Double.sin(angle)
            }
            // The gain is an energy: what the four weights keep of the block's length.
            let scaled = Double(power) * Double(transform.blockLength) / Double(transform.gains[place.fraction])
            let direct = real * real + imaginary * imaginary
            #expect(abs(10 * Double.log10(scaled / direct)) < 0.3, "\(hertz) Hz")
        }
    }
}

extension FractionalBinTransform {
    /// The correlation of a whole block with a tone.
    fileprivate mutating func correlation(of samples: [Float], at place: FractionalBin) -> SIMD2<Float> {
        var spectrum: [Float] = []
        transformBlock(of: SampleRing(samples), at: 0) { values in
            spectrum = values.indices.map { values[$0] }
        }
        return value(spectrum.span, at: place)
    }
}
