/// The search for the best codeword through one information set.
///
/// The symbols at the ten information positions are changed away from their best values in every way whose cost (what
/// the changed symbols' scores lie below the best ones) stays under a limit; each way is one codeword.
struct PatternSearch {
    private let set: InformationSet
    /// Symbols of each information position, best first: `symbols[32 · row + rank]`.
    private var symbols: [UInt8] = []
    private var costs: [Float] = []
    /// What the symbol of a rank changes in the packed dependent symbols.
    private var changes: [UInt64] = []
    private var baseScore: Float = 0
    private var baseParity: UInt64 = 0
    /// Scores of pairs of dependent symbols, which lie side by side in the packed word: `pairScores[1024 · pair + bits]`.
    private var pairScores: [Float]

    /// The best codeword, the score of the second best, and their number.
    struct Best {
        var score: Float = -.infinity
        var secondScore: Float = -.infinity
        var parity: UInt64 = 0
        /// Ranks of the information symbols, five bits each.
        var ranks: UInt64 = 0
        var count = 0
    }

    private var best = Best()
    private static let pairCount = 4
    /// Width of the classes of cost in which patterns are counted.
    private static let classWidth: Float = 0.15
    private static let classCount = 256

    init(set: InformationSet, scores: [Float]) {
        precondition(set.dependentPositions.count == 2 * Self.pairCount, "eight symbols depend on the others")
        self.set = set
        for (row, position) in set.positions.enumerated() {
            let ranked = (0..<32).sorted {
                let (a, b) = (scores[32 * position + $0], scores[32 * position + $1])
                return a > b || a == b && $0 < $1
            }
            let top = ranked[0]
            let topScore = scores[32 * position + top]
            baseScore += topScore
            baseParity ^= set.contributions[32 * row + top]
            for symbol in ranked {
                symbols.append(UInt8(symbol))
                costs.append(topScore - scores[32 * position + symbol])
                changes.append(set.contributions[32 * row + symbol] ^ set.contributions[32 * row + top])
            }
        }
        pairScores = [Float](repeating: 0, count: 1024 * Self.pairCount)
        for pair in 0..<Self.pairCount {
            let (low, high) = (set.dependentPositions[2 * pair], set.dependentPositions[2 * pair + 1])
            for b in 0..<32 {
                for a in 0..<32 {
                    pairScores[1024 * pair + 32 * b + a] = scores[32 * low + a] + scores[32 * high + b]
                }
            }
        }
    }

    /// The cost up to which there are about `budget` patterns, by counting them in classes of cost.
    private func costLimit(budget: Int) -> Float {
        var histogram = [Float](repeating: 0, count: Self.classCount)
        histogram[0] = 1
        var next = histogram
        for row in 0..<set.positions.count {
            for index in 0..<Self.classCount { next[index] = histogram[index] }
            for rank in 1..<32 {
                let shift = Int(costs[32 * row + rank] / Self.classWidth)
                if shift >= Self.classCount { break }
                for index in shift..<Self.classCount { next[index] += histogram[index - shift] }
            }
            swap(&histogram, &next)
        }
        var total: Float = 0
        for index in 0..<Self.classCount {
            total += histogram[index]
            if total > Float(budget) { return Float(index) * Self.classWidth }
        }
        return Float(Self.classCount) * Self.classWidth
    }

    /// Tries about `budget` patterns, the likeliest ones.
    mutating func run(budget: Int) -> SoftDecision {
        let limit = costLimit(budget: budget)
        var found = Best()
        Self.descend(
            row: set.positions.count - 1, cost: 0, parity: baseParity, ranks: 0, limit: limit, costs: costs.span,
            changes: changes.span, pairScores: pairScores.span, best: &found)
        best = found
        return decision
    }

    /// Tries every choice of symbols at rows 0…row, those of the other rows being chosen.
    private static func descend(
        row: Int, cost: Float, parity: UInt64, ranks: UInt64, limit: Float, costs: Span<Float>, changes: Span<UInt64>,
        pairScores: Span<Float>, best: inout Best
    ) {
        let first = 32 * row
        guard row > 0 else {
            var rank = 0
            while rank < 32 {
                let total = cost + costs[rank]
                guard total <= limit else { break }
                let packed = parity ^ changes[rank]
                let dependent =
                    (pairScores[Int(packed & 1023)] + pairScores[1024 + Int(packed >> 10 & 1023)])
                    + (pairScores[2048 + Int(packed >> 20 & 1023)] + pairScores[3072 + Int(packed >> 30 & 1023)])
                let score = dependent - total
                if score > best.secondScore {
                    if score > best.score {
                        best.secondScore = best.score
                        best.score = score
                        best.parity = packed
                        best.ranks = ranks | UInt64(rank)
                    } else {
                        best.secondScore = score
                    }
                }
                rank += 1
            }
            best.count += rank
            return
        }
        for rank in 0..<32 {
            let total = cost + costs[first + rank]
            guard total <= limit else { break }
            descend(
                row: row - 1, cost: total, parity: parity ^ changes[first + rank],
                ranks: ranks | UInt64(rank) << UInt64(5 * row), limit: limit, costs: costs, changes: changes,
                pairScores: pairScores, best: &best)
        }
    }

    private var decision: SoftDecision {
        var word = [UInt8](repeating: 0, count: set.positions.count + set.dependentPositions.count)
        for (row, position) in set.positions.enumerated() {
            word[position] = symbols[32 * row + Int(best.ranks >> UInt64(5 * row) & 31)]
        }
        for (slot, position) in set.dependentPositions.enumerated() {
            word[position] = UInt8(best.parity >> UInt64(5 * slot) & 31)
        }
        return SoftDecision(
            symbols: word, score: baseScore + best.score, runnerUpScore: baseScore + best.secondScore,
            patternCount: best.count)
    }
}
