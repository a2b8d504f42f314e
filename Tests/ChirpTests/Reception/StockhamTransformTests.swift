import RealModule
import Testing

@testable import Chirp

/// Our own transform, which builds for WebAssembly use, against the sums that it stands for.
@Suite struct StockhamTransformTests {
    @Test(arguments: [16, 20, 32, 40, 64, 80, 128, 160, 256, 320, 512, 640, 1_024, 1_280, 2_048, 2_560, 8_192])
    func `each value is the direct sum`(length: Int) {
        let transform = StockhamTransform(length: length)
        var random = SplitMix64(seed: UInt64(length))
        let values = (0..<2 * length).map { _ in Float.random(in: -1...1, using: &random) }
        // Twice, as a transform leaves its buffers to the next one.
        for _ in 0..<2 {
            for (index, value) in values.enumerated() { transform.input[index] = value }
            transform.execute()
        }
        let cosines = (0..<length).map { Double.cos(2 * Double.pi * Double($0) / Double(length)) }
        let sines = (0..<length).map { Double.sin(2 * Double.pi * Double($0) / Double(length)) }
        // Sums of 2n terms of variance 1/3, to single precision.
        let tolerance = 3e-6 * Double(length).squareRoot()
        for bin in stride(from: 0, to: length, by: max(1, length / 301)) {
            var (real, imaginary) = (0.0, 0.0)
            for index in 0..<length {
                let (re, im) = (Double(values[2 * index]), Double(values[2 * index + 1]))
                let turn = bin * index % length
                real += re * cosines[turn] + im * sines[turn]
                imaginary += im * cosines[turn] - re * sines[turn]
            }
            #expect(abs(Double(transform.output[2 * bin]) - real) < tolerance, "bin \(bin)")
            #expect(abs(Double(transform.output[2 * bin + 1]) - imaginary) < tolerance, "bin \(bin)")
        }
    }
}
