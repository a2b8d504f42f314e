internal import RealModule

/// A forward complex transform of a length 2^a or 5·2^a, at least 16, in Swift alone, for machines without FFTW.
///
/// Stockham's transform (Cochran et al., "What is the Fast Fourier Transform?", 1967; Van Loan, "Computational Frameworks
/// for the Fast Fourier Transform", 1992, section 1.7) by decimation in frequency, which leaves its values in order: passes
/// of radix 4, one of radix 2 where they leave it, and of radix 5 at the end. A pass of radix r at stride s turns x[q + s(p +
/// m k)] into y[q + s(r p + j)], m being the rest of the length over r and the factor exp(−2πi p j / (r m)). From the second
/// pass on s is a multiple of four, and four neighbouring q are one vector; in the first, four neighbouring p are. Real and
/// imaginary parts are kept apart between the first pass and the end.
///
/// `@unchecked Sendable`: it owns its buffers alone, and they are reached only through whoever owns it.
@safe struct StockhamTransform: ~Copyable, @unchecked Sendable {
    private typealias Four = SIMD4<Float>
    private typealias Complex = ComplexVector<Four>

    /// Real and imaginary parts in turn.
    let input: UnsafeMutableBufferPointer<Float>
    /// Real and imaginary parts in turn, and room for one value more.
    let output: UnsafeMutableBufferPointer<Float>
    private let length: Int
    /// Two buffers that passes read and write in turn: real parts, then imaginary ones.
    private let parts: UnsafeMutableBufferPointer<Float>
    /// For the first pass: the factors 1, 2 and 3 of four p.
    private let firstFactors: [Complex]
    /// For the other passes of radix 4, in order: real and imaginary parts of the factors 1, 2 and 3 of each p.
    private let factors: [Float]

    init(length: Int) {
        var rest = length
        while rest % 2 == 0 { rest /= 2 }
        precondition((rest == 1 || rest == 5) && length >= 16, "a length is 2^a or 5·2^a, sixteen or more")
        self.length = length
        unsafe input = Self.zeros(2 * length)
        unsafe output = Self.zeros(2 * length + 2)
        unsafe parts = Self.zeros(4 * length)
        let factor = { (index: Int, length: Int) in
            let angle = -2 * Double.pi * Double(index) / Double(length)
            return (real: Float(Double.cos(angle)), imaginary: Float(Double.sin(angle)))
        }
        var first: [Complex] = []
        for p in Self.fours(of: length) {
            for j in 1...3 {
                let four = (p..<p + 4).map { factor(j * $0, length) }
                first.append(Complex(Four(four.map { $0.real }), Four(four.map { $0.imaginary })))
            }
        }
        firstFactors = first
        var others: [Float] = []
        rest = length / 4
        while rest % 4 == 0 {
            for p in 0..<rest / 4 {
                for j in 1...3 { others += [factor(j * p, rest).real, factor(j * p, rest).imaginary] }
            }
            rest /= 4
        }
        factors = others
    }

    /// The first of each four p that the first pass takes together; the last four may share some with those before.
    @inline(__always)
    private static func fours(of length: Int) -> LazyMapSequence<StrideTo<Int>, Int> {
        stride(from: 0, to: length / 4, by: 4).lazy.map { min($0, length / 4 - 4) }
    }

    private static func zeros(_ count: Int) -> UnsafeMutableBufferPointer<Float> {
        let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: count)
        unsafe buffer.initialize(repeating: 0)
        return unsafe buffer
    }

    deinit {
        unsafe input.deallocate()
        unsafe output.deallocate()
        unsafe parts.deallocate()
    }

    func execute() {
        guard let start = unsafe parts.baseAddress else { return }
        var (source, target) = unsafe (start + 2 * length, start)
        unsafe firstPass(to: target)
        var (rest, stride, position) = (length / 4, 4, 0)
        while rest > 1 {
            unsafe swap(&source, &target)
            switch rest {
            case _ where rest % 4 == 0:
                rest /= 4
                unsafe passOfFour(source, target, rest: rest, stride: stride, factors: position)
                position += 6 * rest
                stride *= 4
            case _ where rest % 2 == 0:
                rest /= 2
                unsafe passOfTwo(source, target, rest: rest, stride: stride)
                stride *= 2
            default:
                rest = 1
                unsafe passOfFive(source, target, stride: stride)
                stride *= 5
            }
        }
        unsafe interleave(target)
    }

    /// The transform of four values.
    @inline(__always)
    private static func four(
        _ a: Complex, _ b: Complex, _ c: Complex, _ d: Complex
    ) -> (Complex, Complex, Complex, Complex) {
        let (sumAC, differenceAC) = (a + c, a - c)
        let (sumBD, differenceBD) = (b + d, (b - d).turnedBack)
        return (sumAC + sumBD, differenceAC + differenceBD, sumAC - sumBD, differenceAC - differenceBD)
    }

    @inline(__always)
    private func load(_ pointer: UnsafeMutablePointer<Float>, _ index: Int) -> Complex {
        unsafe Complex(
            UnsafeRawPointer(pointer + index).loadUnaligned(as: Four.self),
            UnsafeRawPointer(pointer + length + index).loadUnaligned(as: Four.self))
    }

    @inline(__always)
    private func store(_ value: Complex, _ pointer: UnsafeMutablePointer<Float>, _ index: Int) {
        unsafe Self.store(value.real, pointer, index)
        unsafe Self.store(value.imaginary, pointer, length + index)
    }

    @inline(__always)
    private static func store(_ value: Four, _ pointer: UnsafeMutablePointer<Float>, _ index: Int) {
        unsafe UnsafeMutableRawPointer(pointer + index).storeBytes(of: value, as: Four.self)
    }

    /// Radix 4 at stride 1, and real parts taken apart from imaginary ones.
    private func firstPass(to target: UnsafeMutablePointer<Float>) {
        guard let values = unsafe input.baseAddress else { return }
        let quarter = length / 4
        let imaginary = unsafe target + length
        var place = 0
        for index in Self.fours(of: length) {
            let (a, b) = unsafe (Self.pair(values, index), Self.pair(values, index + quarter))
            let (c, d) = unsafe (Self.pair(values, index + 2 * quarter), Self.pair(values, index + 3 * quarter))
            let row = Self.four(a, b, c, d)
            let one = row.1 * firstFactors[place]
            let two = row.2 * firstFactors[place + 1]
            let three = row.3 * firstFactors[place + 2]
            unsafe Self.storeTransposed(row.0.real, one.real, two.real, three.real, target, 4 * index)
            unsafe Self.storeTransposed(
                row.0.imaginary, one.imaginary, two.imaginary, three.imaginary, imaginary, 4 * index)
            place += 3
        }
    }

    /// Four complex values whose parts lie in turn.
    @inline(__always)
    private static func pair(_ values: UnsafeMutablePointer<Float>, _ index: Int) -> Complex {
        let eight = unsafe UnsafeRawPointer(values + 2 * index).loadUnaligned(as: SIMD8<Float>.self)
        return Complex(eight.evenHalf, eight.oddHalf)
    }

    @inline(__always)
    private static func storeTransposed(
        _ a: Four, _ b: Four, _ c: Four, _ d: Four, _ target: UnsafeMutablePointer<Float>, _ index: Int
    ) {
        unsafe store(Four(a[0], b[0], c[0], d[0]), target, index)
        unsafe store(Four(a[1], b[1], c[1], d[1]), target, index + 4)
        unsafe store(Four(a[2], b[2], c[2], d[2]), target, index + 8)
        unsafe store(Four(a[3], b[3], c[3], d[3]), target, index + 12)
    }

    private func passOfFour(
        _ source: UnsafeMutablePointer<Float>, _ target: UnsafeMutablePointer<Float>, rest: Int, stride: Int,
        factors position: Int
    ) {
        let step = rest * stride
        unsafe factors.withUnsafeBufferPointer { factors in
            for p in 0..<rest {
                let place = position + 6 * p
                let one = unsafe Self.all(factors[place], factors[place + 1])
                let two = unsafe Self.all(factors[place + 2], factors[place + 3])
                let three = unsafe Self.all(factors[place + 4], factors[place + 5])
                var (from, to) = (stride * p, 4 * stride * p)
                let end = from + stride
                while from < end {
                    let row = unsafe Self.four(
                        load(source, from), load(source, from + step), load(source, from + 2 * step),
                        load(source, from + 3 * step))
                    unsafe store(row.0, target, to)
                    unsafe store(row.1 * one, target, to + stride)
                    unsafe store(row.2 * two, target, to + 2 * stride)
                    unsafe store(row.3 * three, target, to + 3 * stride)
                    from += 4
                    to += 4
                }
            }
        }
    }

    /// The same number in all lanes.
    @inline(__always)
    private static func all(_ real: Float, _ imaginary: Float) -> Complex {
        Complex(Four(repeating: real), Four(repeating: imaginary))
    }

    /// Radix 2: what is left is one value, or five.
    private func passOfTwo(
        _ source: UnsafeMutablePointer<Float>, _ target: UnsafeMutablePointer<Float>, rest: Int, stride: Int
    ) {
        let step = rest * stride
        for p in 0..<rest {
            let angle = -Double.pi * Double(p) / Double(rest)
            let factor = Self.all(Float(Double.cos(angle)), Float(Double.sin(angle)))
            var (from, to) = (stride * p, 2 * stride * p)
            let end = from + stride
            while from < end {
                let (a, b) = unsafe (load(source, from), load(source, from + step))
                unsafe store(a + b, target, to)
                unsafe store((a - b) * factor, target, to + stride)
                from += 4
                to += 4
            }
        }
    }

    /// Radix 5, the last one (Winograd, "On computing the discrete Fourier transform", 1978).
    private func passOfFive(
        _ source: UnsafeMutablePointer<Float>, _ target: UnsafeMutablePointer<Float>, stride: Int
    ) {
        let (cosine1, cosine2): (Float, Float) = (0.309_016_994_374_947_45, -0.809_016_994_374_947_4)
        let (sine1, sine2): (Float, Float) = (0.951_056_516_295_153_5, 0.587_785_252_292_473_1)
        var from = 0
        while from < stride {
            let x = unsafe load(source, from)
            let (x1, x4) = unsafe (load(source, from + stride), load(source, from + 4 * stride))
            let (x2, x3) = unsafe (load(source, from + 2 * stride), load(source, from + 3 * stride))
            let (sum1, sum2) = (x1 + x4, x2 + x3)
            let (difference1, difference2) = ((x1 - x4).turnedBack, (x2 - x3).turnedBack)
            let even1 = x + sum1 * cosine1 + sum2 * cosine2
            let even2 = x + sum1 * cosine2 + sum2 * cosine1
            let odd1 = difference1 * sine1 + difference2 * sine2
            let odd2 = difference1 * sine2 - difference2 * sine1
            unsafe store(x + sum1 + sum2, target, from)
            unsafe store(even1 + odd1, target, from + stride)
            unsafe store(even2 + odd2, target, from + 2 * stride)
            unsafe store(even2 - odd2, target, from + 3 * stride)
            unsafe store(even1 - odd1, target, from + 4 * stride)
            from += 4
        }
    }

    private func interleave(_ source: UnsafeMutablePointer<Float>) {
        guard let values = unsafe output.baseAddress else { return }
        var index = 0
        while index < length {
            var eight = SIMD8<Float>()
            let four = unsafe load(source, index)
            (eight.evenHalf, eight.oddHalf) = (four.real, four.imaginary)
            unsafe UnsafeMutableRawPointer(values + 2 * index).storeBytes(of: eight, as: SIMD8<Float>.self)
            index += 4
        }
    }
}
