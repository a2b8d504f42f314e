internal import RealModule

/// A real-to-complex discrete Fourier transform of one even length, with the buffers it works in, of which a range of bins
/// is computed.
///
/// It is a complex transform of half the length, taken apart into the spectra of the even and the odd samples (Press et al.,
/// "Numerical Recipes", 3rd edition, 2007, section 12.3): at the lengths used here, with plans that are estimated, in less
/// than half the time of FFTW's own real transform. The complex one is FFTW's or our own (``ComplexTransform``).
///
/// `@unchecked Sendable`: it owns its transform and buffers alone, and they are reached only through its own methods.
@safe struct FourierTransform: ~Copyable, @unchecked Sendable {
    /// Samples in.
    let length: Int
    /// Complex values out: bins 0 … length / 2.
    let binCount: Int

    /// Of even samples plus i times odd ones; the first value of its output is repeated at the end.
    private let transform: ComplexTransform
    private let output: UnsafeMutableBufferPointer<Float>
    /// The fours of bins that are computed together: bytes to the first of them, and to the first of the four that mirror them.
    private let groups: [(own: Int, mirrored: Int)]
    /// For each four, −i/2 · exp(−2πi k / length): real parts twice, then imaginary parts with either sign.
    private let twiddles: [SIMD8<Float>]
    /// Whether the spectrum is that of digital silence.
    private var isSilent = true

    /// - Parameters:
    ///   - length: even, at least 8.
    ///   - bins: those that are computed; the others stay zero, but for up to three beside these.
    init(length: Int, bins: Range<Int>) {
        precondition(length >= 8 && length % 2 == 0, "a transform has an even number of samples, eight or more")
        let half = length / 2
        self.length = length
        binCount = half + 1
        transform = ComplexTransform(length: half)
        unsafe output = .allocate(capacity: length + 2)
        unsafe output.initialize(repeating: 0)
        let firstBins = stride(from: max(0, bins.lowerBound), to: min(half + 1, bins.upperBound), by: 4).map {
            min($0, half - 3)
        }
        let binBytes = 2 * MemoryLayout<Float>.stride
        groups = firstBins.map { (binBytes * $0, binBytes * (half - $0 - 3)) }
        twiddles = firstBins.flatMap { first in
            var (real, imaginary) = (SIMD8<Float>(), SIMD8<Float>())
            for place in 0..<4 {
                let angle = -2 * Double.pi * (Double(first + place) / Double(length) + 0.25)
                let (cosine, sine) = (Float(0.5 * Double.cos(angle)), Float(0.5 * Double.sin(angle)))
                (real[2 * place], real[2 * place + 1]) = (cosine, cosine)
                (imaginary[2 * place], imaginary[2 * place + 1]) = (-sine, sine)
            }
            return [real, imaginary]
        }
    }

    deinit { unsafe output.deallocate() }

    /// Transforms what `fill` leaves in its span and hands the spectrum to `read`.
    ///
    /// - Parameters:
    ///   - fill: is given `length` samples: what was left in them last time, zeros at first.
    ///   - read: is given `binCount` complex values, real and imaginary part in turn.
    @inline(__always)
    mutating func execute<Result>(fill: (inout MutableSpan<Float>) -> Void, read: (Span<Float>) -> Result) -> Result {
        var samples = unsafe transform.input.mutableSpan
        fill(&samples)
        if unsafe transform.input.span.isSilent {
            if !isSilent { unsafe output.update(repeating: 0) }
            isSilent = true
        } else {
            transform.execute()
            takeApart()
            isSilent = false
        }
        return unsafe read(output.span)
    }

    /// X[k] = ½ (Z[k] + Z*[M − k]) − i/2 exp(−2πi k / 2M) (Z[k] − Z*[M − k]), four bins at a time.
    ///
    /// Pointers, as the checks of spans and arrays double the instructions; groups lie within the spectrum by their making.
    private mutating func takeApart() {
        let half = length / 2
        unsafe transform.output[2 * half] = transform.output[0]
        unsafe transform.output[2 * half + 1] = transform.output[1]
        guard let source = unsafe UnsafeRawPointer(transform.output.baseAddress),
            let target = unsafe UnsafeMutableRawPointer(output.baseAddress)
        else { return }
        let signs = SIMD8<Float>(1, -1, 1, -1, 1, -1, 1, -1)
        unsafe twiddles.withUnsafeBufferPointer { twiddles in
            unsafe groups.withUnsafeBufferPointer { groups in
                for index in 0..<groups.count {
                    let group = unsafe groups[index]
                    let own = unsafe source.loadUnaligned(fromByteOffset: group.own, as: SIMD8<Float>.self)
                    let back = unsafe source.loadUnaligned(fromByteOffset: group.mirrored, as: SIMD8<Float>.self)
                    let mirrored =
                        SIMD8(back[6], back[7], back[4], back[5], back[2], back[3], back[0], back[1]) * signs
                    let difference = own - mirrored
                    let crossed = SIMD8(
                        difference[1], difference[0], difference[3], difference[2], difference[5], difference[4],
                        difference[7], difference[6])
                    let turned = unsafe difference * twiddles[2 &* index] + crossed * twiddles[2 &* index &+ 1]
                    let value = 0.5 * (own + mirrored) + turned
                    unsafe target.storeBytes(of: value, toByteOffset: group.own, as: SIMD8<Float>.self)
                }
            }
        }
    }
}
