internal import RealModule

/// Convolution with one long impulse response by the discrete Fourier transform.
///
/// The transform is a plain one in Swift: FFTW's planner has a lock of its own in the receiver, and a second lock beside
/// it would not exclude the first.
public struct FastConvolution: Sendable {
    let response: [Float]
    private let transform: ComplexTransform
    private let spectrum: (real: [Float], imaginary: [Float])

    /// - Parameters:
    ///   - response: the impulse response, at least one sample.
    ///   - signalLength: the longest signal that it will be given, in samples.
    public init(response: [Float], signalLength: Int) {
        precondition(!response.isEmpty, "an impulse response has samples")
        self.response = response
        var length = 2
        while length < response.count + signalLength { length *= 2 }
        transform = ComplexTransform(length: length)
        var (real, imaginary) = (Self.padded(response, to: length), [Float](repeating: 0, count: length))
        transform.forward(&real, &imaginary)
        spectrum = (real, imaginary)
    }

    /// The whole convolution: as many samples as both have together, less one.
    public func callAsFunction(_ signal: [Float]) -> [Float] {
        let count = response.count + signal.count - 1
        precondition(count <= transform.length, "a signal is at most as long as was planned for")
        var (real, imaginary) = (
            Self.padded(signal, to: transform.length), [Float](repeating: 0, count: transform.length)
        )
        transform.forward(&real, &imaginary)
        for k in real.indices {
            let product = real[k] * spectrum.real[k] - imaginary[k] * spectrum.imaginary[k]
            imaginary[k] = real[k] * spectrum.imaginary[k] + imaginary[k] * spectrum.real[k]
            real[k] = product
        }
        // The inverse is the forward transform with real and imaginary parts exchanged.
        transform.forward(&imaginary, &real)
        let scale = 1 / Float(transform.length)
        return real.prefix(count).map { $0 * scale }
    }

    private static func padded(_ samples: [Float], to length: Int) -> [Float] {
        samples + [Float](repeating: 0, count: length - samples.count)
    }
}

/// The discrete Fourier transform of a power of two of complex samples, radix 2 in Stockham's order, which needs no bit
/// reversal (Van Loan, "Computational Frameworks for the Fast Fourier Transform", 1992, section 1.7).
struct ComplexTransform: Sendable {
    let length: Int
    private let cosines: [Float]
    private let sines: [Float]

    init(length: Int) {
        precondition(length > 1 && length & (length - 1) == 0, "a radix-2 transform's length is a power of two")
        self.length = length
        cosines = (0..<length / 2).map { Float(Double.cos(2 * .pi * Double($0) / Double(length))) }
        sines = (0..<length / 2).map { Float(-Double.sin(2 * .pi * Double($0) / Double(length))) }
    }

    /// Transforms in place, unscaled.
    func forward(_ real: inout [Float], _ imaginary: inout [Float]) {
        precondition(real.count == length && imaginary.count == length, "a transform has one length")
        var nextReal = [Float](repeating: 0, count: length)
        var nextImaginary = nextReal
        var groups = length / 2
        var stride = 1
        while groups >= 1 {
            stage(
                groups: groups, stride: stride, from: real.span, imaginary.span, to: &nextReal, &nextImaginary)
            swap(&real, &nextReal)
            swap(&imaginary, &nextImaginary)
            groups /= 2
            stride *= 2
        }
    }

    private func stage(
        groups: Int, stride: Int, from real: Span<Float>, _ imaginary: Span<Float>, to outReal: inout [Float],
        _ outImaginary: inout [Float]
    ) {
        let half = length / 2
        for group in 0..<groups {
            let (wr, wi) = (cosines[group * stride], sines[group * stride])
            let first = group * stride
            for q in 0..<stride {
                let (ar, ai) = (real[first + q], imaginary[first + q])
                let (br, bi) = (real[first + q + half], imaginary[first + q + half])
                let (dr, di) = (ar - br, ai - bi)
                outReal[2 * first + q] = ar + br
                outImaginary[2 * first + q] = ai + bi
                outReal[2 * first + q + stride] = dr * wr - di * wi
                outImaginary[2 * first + q + stride] = dr * wi + di * wr
            }
        }
    }
}
