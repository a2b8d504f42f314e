/// Scores of the starts of the last minutes, in an order in which those at any distance, twice it and three times it from a start can be added
/// up for eight distances at once.
struct ScoreHistory: Sendable {
    /// Of all starts, and of all of one residue: powers of two, less one.
    private let mask: Int
    private let strandMask: Int
    /// Scores, and the first of them again, so that those before any are there in a row.
    private var scores: [Float]
    /// The greatest of each score and those beside it: of even and odd starts, and of the three residues of three, every one twice.
    private var halves: [[Float]]
    private var thirds: [[Float]]

    /// - Parameters:
    ///   - length: starts that are kept at least.
    ///   - longestLag: the greatest distance that is asked for.
    init(minimumScore: Float, length: Int, longestLag: Int) {
        func powerOfTwo(_ least: Int) -> Int { 1 << (Int.bitWidth - (least - 1).leadingZeroBitCount) }
        let (count, strandCount) = (powerOfTwo(length), powerOfTwo(longestLag + 16))
        (mask, strandMask) = (count - 1, strandCount - 1)
        scores = [Float](repeating: minimumScore, count: count + strandCount)
        let strand = [Float](repeating: minimumScore, count: 2 * strandCount)
        halves = [strand, strand]
        thirds = [strand, strand, strand]
    }

    @inline(__always)
    subscript(start: Int) -> Float { unsafe scores.span[unchecked: start & mask] }

    /// The scores of a start and of those beside it.
    @inline(__always)
    func around(_ start: Int) -> (before: Float, at: Float, after: Float) {
        // The first ones are there twice, so that they are in a row.
        let (first, values) = ((start &- 1) & mask, scores.span)
        return unsafe (values[unchecked: first], values[unchecked: first &+ 1], values[unchecked: first &+ 2])
    }

    mutating func set(_ score: Float, start: Int) {
        let place = start & mask
        scores[place] = score
        if place <= strandMask { scores[place + mask + 1] = score }
        guard start > 1 else { return }
        let middle = start - 1
        let most = max(self[middle - 1], max(self[middle], score))
        let (half, third) = ((middle / 2) & strandMask, (middle / 3) & strandMask)
        halves[middle % 2][half] = most
        halves[middle % 2][half + strandMask + 1] = most
        thirds[middle % 3][third] = most
        thirds[middle % 3][third + strandMask + 1] = most
    }

    /// The distances at which the scores of two, three or four places, the last of them a start, sum up to more than asked for.
    func lags(
        in range: ClosedRange<Int>, before start: Int, exceeding sums: (two: Float, three: Float, four: Float)
    ) -> [Int] {
        var found: [Int] = []
        let own = self[start]
        let place = start & mask
        let (first, half, third) = (
            place > strandMask ? place : place + mask + 1, ((start / 2) & strandMask) + strandMask + 1,
            ((start / 3) & strandMask) + strandMask + 1
        )
        let (even, residue) = (halves[start % 2], thirds[start % 3])
        let ones = scores.span
        let twos = even.span
        let threes = residue.span
        var lag = range.upperBound | 7
        precondition(
            min(first, half, third) >= lag && range.lowerBound >= 8
                && first <= ones.count && half <= twos.count && third <= threes.count,
            "the scores at all distances are there")
        while lag >= range.lowerBound {
            let two = unsafe ones.eight(uncheckedAt: first &- lag) + own
            let three = unsafe two + twos.eight(uncheckedAt: half &- lag)
            let four = unsafe three + threes.eight(uncheckedAt: third &- lag)
            var excess = two - sums.two
            let other = three - sums.three
            excess.formGreater(other)
            let more = four - sums.four
            excess.formGreater(more)
            if excess.greatestInline > 0 {
                for lane in 0..<8 where excess[lane] > 0 && range.contains(lag - lane) { found.append(lag - lane) }
            }
            lag &-= 8
        }
        return found
    }
}
