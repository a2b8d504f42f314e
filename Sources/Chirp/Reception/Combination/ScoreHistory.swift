/// Scores of the starts of the last minutes, in an order in which those at any distance, twice it and three times it from a start can be added
/// up for eight distances at once.
struct ScoreHistory: Sendable {
    private static let length = ToneHistory.length
    /// Room for all starts of one residue, a power of two.
    private static let strandLength = length / 2

    /// Every score twice, so that those before any are there in a row.
    private var scores: [Float]
    /// The greatest of each score and those beside it: of even and odd starts, and of the three residues of three.
    private var halves: [[Float]]
    private var thirds: [[Float]]

    init(minimumScore: Float) {
        scores = [Float](repeating: minimumScore, count: 2 * Self.length)
        let strand = [Float](repeating: minimumScore, count: 2 * Self.strandLength)
        halves = [strand, strand]
        thirds = [strand, strand, strand]
    }

    @inline(__always)
    subscript(start: Int) -> Float { unsafe scores.span[unchecked: start & (Self.length &- 1)] }

    /// The scores of a start and of those beside it.
    @inline(__always)
    func around(_ start: Int) -> (before: Float, at: Float, after: Float) {
        // Each is there twice, so that they are in a row.
        let (first, values) = ((start &- 1) & (Self.length &- 1), scores.span)
        return unsafe (values[unchecked: first], values[unchecked: first &+ 1], values[unchecked: first &+ 2])
    }

    mutating func set(_ score: Float, start: Int) {
        let place = start & (Self.length - 1)
        scores[place] = score
        scores[place + Self.length] = score
        guard start > 1 else { return }
        let middle = start - 1
        let most = max(self[middle - 1], max(self[middle], score))
        let (half, third) = ((middle / 2) & (Self.strandLength - 1), (middle / 3) & (Self.strandLength - 1))
        halves[middle % 2][half] = most
        halves[middle % 2][half + Self.strandLength] = most
        thirds[middle % 3][third] = most
        thirds[middle % 3][third + Self.strandLength] = most
    }

    /// The distances at which the scores of two, three or four places, the last of them a start, sum up to more than asked for.
    func lags(
        in range: ClosedRange<Int>, before start: Int, exceeding sums: (two: Float, three: Float, four: Float)
    ) -> [Int] {
        var found: [Int] = []
        let own = self[start]
        let (first, half, third) = (
            (start & (Self.length - 1)) + Self.length, ((start / 2) & (Self.strandLength - 1)) + Self.strandLength,
            ((start / 3) & (Self.strandLength - 1)) + Self.strandLength
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
                for lane in 0..<8 where excess[lane] > 0 && lag - lane >= range.lowerBound { found.append(lag - lane) }
            }
            lag &-= 8
        }
        return found
    }
}
