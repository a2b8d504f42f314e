/// Magnitudes of samples that count, whatever their scale: energies of greater ones would overflow, and those of smaller ones are not
/// normal numbers, with which processors are slow.
let audibleMagnitudes: ClosedRange<Float> = 1e-15...1e12

extension MutableSpan<Float> {
    /// Copies elements `range` of `source` to `start` and on.
    ///
    /// Ranges are checked once, not at each element.
    @inline(__always)
    mutating func copy(_ source: Span<Float>, _ range: Range<Int>, to start: Int) {
        precondition(range.lowerBound >= 0 && range.upperBound <= source.count, "the source has the range")
        precondition(start >= 0 && start + range.count <= count, "the target has the range")
        unsafe source.withUnsafeBufferPointer { source in
            unsafe withUnsafeMutableBufferPointer { target in
                guard let from = source.baseAddress, let to = target.baseAddress else { return }
                unsafe (to + start).update(from: from + range.lowerBound, count: range.count)
            }
        }
    }

    /// As ``copy(_:_:to:)``, with zeros for what is no number, or beyond the magnitudes of sound: ``audibleMagnitudes``.
    @inline(__always)
    mutating func copyAudible(_ source: Span<Float>, _ range: Range<Int>, to start: Int) {
        precondition(range.lowerBound >= 0 && range.upperBound <= source.count, "the source has the range")
        precondition(start >= 0 && start + range.count <= count, "the target has the range")
        let distance = start - range.lowerBound
        for index in range {
            let value = unsafe source[unchecked: index]
            // Magnitudes are in the order of their bits, and what is no number is beyond them all. Counted down from the greatest one that is
            // there, one comparison tells both ends.
            let place = Int32(bitPattern: value.magnitude.bitPattern) &- Self.greatestBits &+ Int32.min
            unsafe self[unchecked: index &+ distance] = place > Self.minimumPlace ? value : 0
        }
    }

    private static var greatestBits: Int32 { Int32(bitPattern: audibleMagnitudes.upperBound.bitPattern) }
    private static var minimumPlace: Int32 {
        Int32(bitPattern: audibleMagnitudes.lowerBound.bitPattern) &- greatestBits &+ Int32.min
    }

    /// Sets eight elements from `index` on.
    @inline(__always)
    mutating func setEight(at index: Int, _ values: SIMD8<Float>) {
        precondition(index >= 0 && index &+ 8 <= count, "the span has eight elements there")
        unsafe setEight(uncheckedAt: index, values)
    }

    /// Sets eight elements from `index` on, which are known to be there.
    @unsafe @inline(__always)
    mutating func setEight(uncheckedAt index: Int, _ values: SIMD8<Float>) {
        for lane in 0..<8 { unsafe self[unchecked: index &+ lane] = values[lane] }
    }

    /// Sets a range to zero.
    @inline(__always)
    mutating func clear(_ range: Range<Int>) {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "the target has the range")
        for index in range { unsafe self[unchecked: index] = 0 }
    }
}

extension Span<Float> {
    /// Eight elements from `index` on.
    @inline(__always)
    func eight(at index: Int) -> SIMD8<Float> {
        precondition(index >= 0 && index &+ 8 <= count, "the span has eight elements there")
        return unsafe eight(uncheckedAt: index)
    }

    /// Eight elements from `index` on, which are known to be there.
    @unsafe @inline(__always)
    func eight(uncheckedAt index: Int) -> SIMD8<Float> {
        unsafe SIMD8(
            self[unchecked: index], self[unchecked: index &+ 1], self[unchecked: index &+ 2],
            self[unchecked: index &+ 3], self[unchecked: index &+ 4], self[unchecked: index &+ 5],
            self[unchecked: index &+ 6], self[unchecked: index &+ 7])
    }
}

extension Span<Float> {
    /// Whether all bits are zero; looks no further than to the first 64 elements in which they are not.
    var isSilent: Bool {
        unsafe withUnsafeBytes { bytes in
            var place = 0
            while place + 256 <= bytes.count {
                var bits = SIMD4<UInt64>()
                for offset in stride(from: 0, to: 256, by: 32) {
                    bits |= unsafe bytes.loadUnaligned(fromByteOffset: place &+ offset, as: SIMD4<UInt64>.self)
                }
                guard bits == SIMD4() else { return false }
                place += 256
            }
            return unsafe bytes[place...].allSatisfy { $0 == 0 }
        }
    }
}

extension Collection<Float> {
    /// The middle one of the elements in order, the greater of the two middle ones of an even number.
    var median: Float { sorted()[count / 2] }
}

extension SIMD8<Float> {
    /// Takes the greater of each pair of elements; its own where the other is not a number.
    ///
    /// Lane by lane, as compilers make one instruction of these, and a dozen of a replacement by a mask.
    @inline(__always)
    mutating func formGreater(_ other: Self) {
        for lane in 0..<8 { self[lane] = other[lane] > self[lane] ? other[lane] : self[lane] }
    }

    /// Takes the lesser of each pair of elements; its own where the other is not a number.
    @inline(__always)
    mutating func formLesser(_ other: Self) {
        for lane in 0..<8 { self[lane] = other[lane] < self[lane] ? other[lane] : self[lane] }
    }

    /// Takes a limit in the place of what is less.
    @inline(__always)
    mutating func formGreater(_ limit: Float) { formGreater(Self(repeating: limit)) }

    /// Takes a limit in the place of what is greater.
    @inline(__always)
    mutating func formLesser(_ limit: Float) { formLesser(Self(repeating: limit)) }

    /// One in the first lanes and zero in others.
    @inline(__always)
    init(firstLanes count: Int) {
        self.init()
        for lane in 0..<8 { self[lane] = lane < count ? 1 : 0 }
    }

    /// The greatest element, of none that is not a number, by halves: `max()` goes through them one by one.
    ///
    /// Not inlined: after a loop the compiler takes the loop's vectors apart into such halves, too, and doubles its instructions.
    @inline(never)
    var greatest: Float { greatestInline }

    /// The same within a loop.
    @inline(__always)
    var greatestInline: Float {
        var (four, otherFour) = (lowHalf, highHalf)
        for lane in 0..<4 { four[lane] = otherFour[lane] > four[lane] ? otherFour[lane] : four[lane] }
        var (two, otherTwo) = (four.lowHalf, four.highHalf)
        for lane in 0..<2 { two[lane] = otherTwo[lane] > two[lane] ? otherTwo[lane] : two[lane] }
        return two.x > two.y ? two.x : two.y
    }

    /// The sum of the elements, by halves; not inlined for the same reason.
    @inline(never)
    var total: Float {
        let four = lowHalf + highHalf
        let two = four.lowHalf + four.highHalf
        return two.x + two.y
    }
}
