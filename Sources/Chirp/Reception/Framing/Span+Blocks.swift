/// Magnitudes of samples that count, whatever their scale: energies of greater ones would overflow, and those of smaller ones are not
/// normal numbers, with which processors are slow.
let audibleMagnitudes: ClosedRange<Float> = 1e-15...1e12

extension MutableSpan<Float> {
    /// Copies elements `range` of `source` to `start` and on.
    ///
    /// Ranges are checked once, not at each element, so that the loop becomes a block copy.
    @inline(__always)
    mutating func copy(_ source: Span<Float>, _ range: Range<Int>, to start: Int) {
        precondition(range.lowerBound >= 0 && range.upperBound <= source.count, "the source has the range")
        precondition(start >= 0 && start + range.count <= count, "the target has the range")
        let distance = start - range.lowerBound
        for index in range { unsafe self[unchecked: index &+ distance] = source[unchecked: index] }
    }

    /// As ``copy(_:_:to:)``, with zeros for what is no number, or beyond the magnitudes of sound: ``audibleMagnitudes``.
    @inline(__always)
    mutating func copyAudible(_ source: Span<Float>, _ range: Range<Int>, to start: Int) {
        precondition(range.lowerBound >= 0 && range.upperBound <= source.count, "the source has the range")
        precondition(start >= 0 && start + range.count <= count, "the target has the range")
        let distance = start - range.lowerBound
        for index in range {
            let value = unsafe source[unchecked: index]
            let magnitude = value < 0 ? -value : value
            // Not a number: neither.
            unsafe self[unchecked: index &+ distance] =
                magnitude < audibleMagnitudes.upperBound && magnitude > audibleMagnitudes.lowerBound ? value : 0
        }
    }

    /// Sets eight elements from `index` on.
    @inline(__always)
    mutating func setEight(at index: Int, _ values: SIMD8<Float>) {
        precondition(index >= 0 && index &+ 8 <= count, "the span has eight elements there")
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
        return unsafe SIMD8(
            self[unchecked: index], self[unchecked: index &+ 1], self[unchecked: index &+ 2],
            self[unchecked: index &+ 3], self[unchecked: index &+ 4], self[unchecked: index &+ 5],
            self[unchecked: index &+ 6], self[unchecked: index &+ 7])
    }
}

extension SIMD8<Float> {
    /// The greatest element, of none that is not a number, by halves: `max()` goes through them one by one.
    @inline(__always)
    var greatest: Float {
        var four = lowHalf
        four.replace(with: highHalf, where: highHalf .> lowHalf)
        var two = four.lowHalf
        two.replace(with: four.highHalf, where: four.highHalf .> four.lowHalf)
        return two.x > two.y ? two.x : two.y
    }

    /// The sum of the elements, by halves.
    @inline(__always)
    var total: Float {
        let four = lowHalf + highHalf
        let two = four.lowHalf + four.highHalf
        return two.x + two.y
    }
}
