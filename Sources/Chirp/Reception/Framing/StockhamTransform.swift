internal import RealModule

/// A forward complex transform of a length 2^a or 5·2^a, at least 4, in Swift alone, for machines without FFTW.
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

    /// Real and imaginary parts in turn.
    let input: UnsafeMutableBufferPointer<Float>
    /// Real and imaginary parts in turn, and room for one value more.
    let output: UnsafeMutableBufferPointer<Float>
    private let length: Int
    /// Two buffers that passes read and write in turn: real parts, then imaginary ones.
    private let parts: UnsafeMutableBufferPointer<Float>
    /// For the first pass: real and imaginary parts of the factors 1, 2 and 3 of four p.
    private let firstFactors: [Four]
    /// For the other passes of radix 4, in order: real and imaginary parts of the factors 1, 2 and 3 of each p.
    private let factors: [Float]

    init(length: Int) {
        var rest = length
        while rest % 2 == 0 { rest /= 2 }
        precondition((rest == 1 || rest == 5) && length % 4 == 0, "a length is 2^a or 5·2^a, a being two or more")
        self.length = length
        unsafe input = Self.zeros(2 * length)
        unsafe output = Self.zeros(2 * length + 2)
        unsafe parts = Self.zeros(4 * length)
        let factor = { (index: Int, length: Int) in
            let angle = -2 * Double.pi * Double(index) / Double(length)
            return (real: Float(Double.cos(angle)), imaginary: Float(Double.sin(angle)))
        }
        var first: [Four] = []
        for p in stride(from: 0, to: length / 4, by: 4) {
            for j in 1...3 {
                let four = (p..<p + 4).map { factor(j * $0, length) }
                first += [Four(four.map { $0.real }), Four(four.map { $0.imaginary })]
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
        _ a: (Four, Four), _ b: (Four, Four), _ c: (Four, Four), _ d: (Four, Four)
    ) -> ((Four, Four), (Four, Four), (Four, Four), (Four, Four)) {
        let (sumAC, differenceAC) = ((a.0 + c.0, a.1 + c.1), (a.0 - c.0, a.1 - c.1))
        let (sumBD, differenceBD) = ((b.0 + d.0, b.1 + d.1), (b.0 - d.0, b.1 - d.1))
        return (
            (sumAC.0 + sumBD.0, sumAC.1 + sumBD.1),
            (differenceAC.0 + differenceBD.1, differenceAC.1 - differenceBD.0),
            (sumAC.0 - sumBD.0, sumAC.1 - sumBD.1),
            (differenceAC.0 - differenceBD.1, differenceAC.1 + differenceBD.0)
        )
    }

    @inline(__always)
    private static func product(_ a: (Four, Four), _ real: Four, _ imaginary: Four) -> (Four, Four) {
        (a.0 * real - a.1 * imaginary, a.0 * imaginary + a.1 * real)
    }

    @inline(__always)
    private static func load(_ pointer: UnsafeMutablePointer<Float>, _ index: Int) -> Four {
        unsafe UnsafeRawPointer(pointer + index).loadUnaligned(as: Four.self)
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
        var index = 0
        // Fewer than four p are left only where the length is less than sixteen, or five times four or eight.
        while index + 4 <= quarter {
            let (a, b) = unsafe (Self.pair(values, index), Self.pair(values, index + quarter))
            let (c, d) = unsafe (Self.pair(values, index + 2 * quarter), Self.pair(values, index + 3 * quarter))
            let row = Self.four(a, b, c, d)
            let place = index / 4 * 6
            let one = Self.product(row.1, firstFactors[place], firstFactors[place + 1])
            let two = Self.product(row.2, firstFactors[place + 2], firstFactors[place + 3])
            let three = Self.product(row.3, firstFactors[place + 4], firstFactors[place + 5])
            unsafe Self.storeTransposed(row.0.0, one.0, two.0, three.0, target, 4 * index)
            unsafe Self.storeTransposed(row.0.1, one.1, two.1, three.1, imaginary, 4 * index)
            index += 4
        }
        while index < quarter {
            for k in 0..<4 {
                var (real, imaginaryPart): (Float, Float) = (0, 0)
                // exp(−2πi n k / 4) is 1, −i, −1 or i.
                for n in 0..<4 {
                    let place = 2 * (index + n * quarter)
                    let (re, im) = unsafe (values[place], values[place + 1])
                    let turned = [(re, im), (im, -re), (-re, -im), (-im, re)][n * k % 4]
                    real += turned.0
                    imaginaryPart += turned.1
                }
                let place = index / 4 * 6 + 2 * (k - 1)
                let re = k == 0 ? 1 : firstFactors[place][index % 4]
                let im = k == 0 ? 0 : firstFactors[place + 1][index % 4]
                unsafe target[4 * index + k] = real * re - imaginaryPart * im
                unsafe imaginary[4 * index + k] = real * im + imaginaryPart * re
            }
            index += 1
        }
    }

    /// Four complex values whose parts lie in turn.
    @inline(__always)
    private static func pair(_ values: UnsafeMutablePointer<Float>, _ index: Int) -> (Four, Four) {
        let eight = unsafe UnsafeRawPointer(values + 2 * index).loadUnaligned(as: SIMD8<Float>.self)
        return (eight.evenHalf, eight.oddHalf)
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
        let length = length
        unsafe factors.withUnsafeBufferPointer { factors in
            for p in 0..<rest {
                let place = position + 6 * p
                let (one, two, three) = unsafe (
                    (Four(repeating: factors[place]), Four(repeating: factors[place + 1])),
                    (Four(repeating: factors[place + 2]), Four(repeating: factors[place + 3])),
                    (Four(repeating: factors[place + 4]), Four(repeating: factors[place + 5]))
                )
                var (from, to) = (stride * p, 4 * stride * p)
                let end = from + stride
                while from < end {
                    let row = unsafe Self.four(
                        (Self.load(source, from), Self.load(source, length + from)),
                        (Self.load(source, from + step), Self.load(source, length + from + step)),
                        (Self.load(source, from + 2 * step), Self.load(source, length + from + 2 * step)),
                        (Self.load(source, from + 3 * step), Self.load(source, length + from + 3 * step)))
                    let second = Self.product(row.1, one.0, one.1)
                    let third = Self.product(row.2, two.0, two.1)
                    let fourth = Self.product(row.3, three.0, three.1)
                    unsafe Self.store(row.0.0, target, to)
                    unsafe Self.store(row.0.1, target, length + to)
                    unsafe Self.store(second.0, target, to + stride)
                    unsafe Self.store(second.1, target, length + to + stride)
                    unsafe Self.store(third.0, target, to + 2 * stride)
                    unsafe Self.store(third.1, target, length + to + 2 * stride)
                    unsafe Self.store(fourth.0, target, to + 3 * stride)
                    unsafe Self.store(fourth.1, target, length + to + 3 * stride)
                    from += 4
                    to += 4
                }
            }
        }
    }

    /// Radix 2: what is left is one value, or five.
    private func passOfTwo(
        _ source: UnsafeMutablePointer<Float>, _ target: UnsafeMutablePointer<Float>, rest: Int, stride: Int
    ) {
        let step = rest * stride
        for p in 0..<rest {
            let angle = -Double.pi * Double(p) / Double(rest)
            let factor = (Four(repeating: Float(Double.cos(angle))), Four(repeating: Float(Double.sin(angle))))
            var (from, to) = (stride * p, 2 * stride * p)
            let end = from + stride
            while from < end {
                let a = unsafe (Self.load(source, from), Self.load(source, length + from))
                let b = unsafe (Self.load(source, from + step), Self.load(source, length + from + step))
                let second = Self.product((a.0 - b.0, a.1 - b.1), factor.0, factor.1)
                unsafe Self.store(a.0 + b.0, target, to)
                unsafe Self.store(a.1 + b.1, target, length + to)
                unsafe Self.store(second.0, target, to + stride)
                unsafe Self.store(second.1, target, length + to + stride)
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
            let x = unsafe (
                (Self.load(source, from), Self.load(source, length + from)),
                (Self.load(source, from + stride), Self.load(source, length + from + stride)),
                (Self.load(source, from + 2 * stride), Self.load(source, length + from + 2 * stride)),
                (Self.load(source, from + 3 * stride), Self.load(source, length + from + 3 * stride)),
                (Self.load(source, from + 4 * stride), Self.load(source, length + from + 4 * stride))
            )
            let (sum1, sum2) = ((x.1.0 + x.4.0, x.1.1 + x.4.1), (x.2.0 + x.3.0, x.2.1 + x.3.1))
            let (difference1, difference2) = ((x.1.0 - x.4.0, x.1.1 - x.4.1), (x.2.0 - x.3.0, x.2.1 - x.3.1))
            let even1 = (
                x.0.0 + sum1.0 * cosine1 + sum2.0 * cosine2, x.0.1 + sum1.1 * cosine1 + sum2.1 * cosine2
            )
            let even2 = (
                x.0.0 + sum1.0 * cosine2 + sum2.0 * cosine1, x.0.1 + sum1.1 * cosine2 + sum2.1 * cosine1
            )
            let odd1 = (difference1.0 * sine1 + difference2.0 * sine2, difference1.1 * sine1 + difference2.1 * sine2)
            let odd2 = (difference1.0 * sine2 - difference2.0 * sine1, difference1.1 * sine2 - difference2.1 * sine1)
            unsafe Self.store(x.0.0 + sum1.0 + sum2.0, target, from)
            unsafe Self.store(x.0.1 + sum1.1 + sum2.1, target, length + from)
            unsafe Self.store(even1.0 + odd1.1, target, from + stride)
            unsafe Self.store(even1.1 - odd1.0, target, length + from + stride)
            unsafe Self.store(even2.0 + odd2.1, target, from + 2 * stride)
            unsafe Self.store(even2.1 - odd2.0, target, length + from + 2 * stride)
            unsafe Self.store(even2.0 - odd2.1, target, from + 3 * stride)
            unsafe Self.store(even2.1 + odd2.0, target, length + from + 3 * stride)
            unsafe Self.store(even1.0 - odd1.1, target, from + 4 * stride)
            unsafe Self.store(even1.1 + odd1.0, target, length + from + 4 * stride)
            from += 4
        }
    }

    private func interleave(_ source: UnsafeMutablePointer<Float>) {
        guard let values = unsafe output.baseAddress else { return }
        var index = 0
        while index < length {
            var eight = SIMD8<Float>()
            eight.evenHalf = unsafe Self.load(source, index)
            eight.oddHalf = unsafe Self.load(source, length + index)
            unsafe UnsafeMutableRawPointer(values + 2 * index).storeBytes(of: eight, as: SIMD8<Float>.self)
            index += 4
        }
    }
}
