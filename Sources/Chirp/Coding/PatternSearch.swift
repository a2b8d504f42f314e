/// The search for the best codeword through one information set.
///
/// The symbols at the ten information positions are changed away from their best values in every way whose cost (what
/// the changed symbols' scores lie below the best ones) stays under a limit; each way is one codeword.
///
/// The limit is the lower of two. One is set by a budget of patterns. The other is a bound: with all eight dependent symbols at their best,
/// a pattern of cost c scores at most the sum of all best scores less c, so that patterns beyond a certain cost cannot reach the score
/// that is asked for, nor, once a word is found, come close to it (Wu and Hadjicostis, "Soft-decision decoding of linear block codes
/// using preprocessing and diversification", IEEE Trans. Inf. Theory 53, 2007, bound their lists in this way).
struct PatternSearch {
    private let set: InformationSet
    /// Symbols of each information position, best first: `symbols[32 · row + rank]`.
    private var symbols: [UInt8]
    private var costs: [Float]
    /// What the symbol of a rank changes in the packed dependent symbols.
    private var changes: [UInt64]
    private var baseScore: Float = 0
    private var baseParity: UInt64 = 0
    /// Scores of pairs of dependent symbols, which lie side by side in the packed word: `pairScores[1024 · pair + bits]`.
    private var pairScores: [Float]
    /// The sum of the dependent positions' best scores.
    private var greatestDependentScore: Float = 0
    /// The least that a change costs at the rows up to each.
    private var minimumCosts: [Float] = []

    /// The best codeword, the score of the second best, and their number.
    struct Best {
        var score: Float = -.infinity
        var secondScore: Float = -.infinity
        /// Patterns that can score no more than this are left out.
        var threshold: Float
        var parity: UInt64 = 0
        /// Ranks of the information symbols, five bits each.
        var ranks: UInt64 = 0
        var count = 0
        /// Whether no other word can score more than the threshold: the budget was no limit.
        var isComplete = false

        /// Takes a word into account that is better than the second best.
        @inline(__always)
        mutating func meet(score newScore: Float, parity newParity: UInt64, ranks newRanks: UInt64) {
            if newScore > score {
                secondScore = score
                score = newScore
                parity = newParity
                ranks = newRanks
                threshold = max(threshold, newScore - greatestMargin)
            } else {
                secondScore = newScore
            }
            threshold = max(threshold, secondScore)
        }
    }

    /// The sum of the scores of the dependent symbols.
    @inline(__always)
    private static func dependentScore(_ packed: UInt64, _ pairScores: Span<Float>) -> Float {
        (pairScores[Int(packed & 1023)] + pairScores[1024 + Int(packed >> 10 & 1023)])
            + (pairScores[2048 + Int(packed >> 20 & 1023)] + pairScores[3072 + Int(packed >> 30 & 1023)])
    }

    private static let pairCount = 4
    /// Width of the classes of cost in which patterns are counted.
    private static let classWidth: Float = 0.25
    private static let classCount = 128
    /// How far below the best word the second best is of no interest any more: e⁻²⁰ is as good as never.
    static let greatestMargin: Float = 20

    /// - Parameters:
    ///   - set: the information set, whose least reliable position comes first.
    ///   - scores: `scores[32 · position + symbol]`.
    init(set: InformationSet, scores: [Float]) {
        precondition(set.dependentPositions.count == 2 * Self.pairCount, "eight symbols depend on the others")
        self.set = set
        let count = 32 * set.positions.count
        symbols = [UInt8](repeating: 0, count: count)
        costs = [Float](repeating: 0, count: count)
        changes = [UInt64](repeating: 0, count: count)
        pairScores = [Float](repeating: 0, count: 1024 * Self.pairCount)
        for (row, position) in set.positions.enumerated() {
            rank(row: row, scores: scores.span.extracting(32 * position..<32 * position + 32))
        }
        var least = Float.infinity
        for row in set.positions.indices {
            least = min(least, costs[32 * row + 1])
            minimumCosts.append(least)
        }
        for pair in 0..<Self.pairCount {
            let (low, high) = (32 * set.dependentPositions[2 * pair], 32 * set.dependentPositions[2 * pair + 1])
            for b in 0..<32 {
                let score = SIMD8<Float>(repeating: scores[high + b])
                var target = pairScores.mutableSpan
                for a in stride(from: 0, to: 32, by: 8) {
                    target.setEight(at: 1024 * pair + 32 * b + a, scores.span.eight(at: low + a) + score)
                }
            }
            for position in [low, high] {
                greatestDependentScore += scores[position..<position + 32].reduce(-.infinity) { $0 > $1 ? $0 : $1 }
            }
        }
    }

    /// Puts the symbols of a position in the order of their scores, of equal ones the smaller first.
    private mutating func rank(row: Int, scores: Span<Float>) {
        let first = 32 * row
        for symbol in 0..<32 {
            let score = scores[symbol]
            var place = symbol
            while place > 0, costs[first + place - 1] < score {
                costs[first + place] = costs[first + place - 1]
                symbols[first + place] = symbols[first + place - 1]
                place -= 1
            }
            costs[first + place] = score
            symbols[first + place] = UInt8(symbol)
        }
        let (top, topScore) = (Int(symbols[first]), costs[first])
        let own = set.contributions[first + top]
        baseScore += topScore
        baseParity ^= own
        for place in first..<first + 32 {
            costs[place] = topScore - costs[place]
            changes[place] = set.contributions[first + Int(symbols[place])] ^ own
        }
    }

    /// The cost up to which there are about `budget` patterns, but at most `limit`, by counting them in classes of cost.
    private func costLimit(budget: Int, limit: Float) -> (cost: Float, isBound: Bool) {
        let classCount = min(Self.classCount, Int(max(0, min(limit, 1_000)) / Self.classWidth) + 1)
        var histogram = [Float](repeating: 0, count: classCount)
        histogram[0] = 1
        var next = histogram
        for row in 0..<set.positions.count {
            for index in 0..<classCount { next[index] = histogram[index] }
            for rank in 1..<32 {
                let shift = Int(costs[32 * row + rank] / Self.classWidth)
                if shift >= classCount { break }
                for index in shift..<classCount { next[index] += histogram[index - shift] }
            }
            swap(&histogram, &next)
        }
        var total: Float = 0
        for index in 0..<classCount {
            total += histogram[index]
            if total > Float(budget) { return (Float(index) * Self.classWidth, false) }
        }
        return (max(0, limit), Float(classCount) * Self.classWidth > limit)
    }

    /// Tries about `budget` patterns, the likeliest ones.
    ///
    /// - Parameter minimumScore: a word that scores less is of no interest. What is found may, and then there may be better ones.
    func run(budget: Int, minimumScore: Float = -.infinity) -> SoftDecision {
        let threshold = minimumScore - baseScore
        var found = search(budget: budget, threshold: threshold)
        // Words that score less than was asked for may be close to the best one.
        if found.score >= threshold, found.score - Self.greatestMargin < threshold {
            let count = found.count
            found = search(budget: budget, threshold: found.score - Self.greatestMargin)
            found.count += count
        }
        return decision(found)
    }

    private func search(budget: Int, threshold: Float) -> Best {
        let bound = greatestDependentScore - threshold
        let limit = costLimit(budget: budget, limit: bound)
        var found = Best(threshold: threshold)
        found.isComplete = limit.isBound
        // The word of the best symbols is looked at whatever it scores, so that there always is one.
        found.meet(score: Self.dependentScore(baseParity, pairScores.span), parity: baseParity, ranks: 0)
        found.count = 1
        Self.descend(
            row: set.positions.count - 1, cost: 0, parity: baseParity, ranks: 0,
            limit: limit.cost, greatest: greatestDependentScore, minimumCosts: minimumCosts.span, costs: costs.span,
            changes: changes.span, pairScores: pairScores.span, best: &found)
        return found
    }

    /// Tries every choice of symbols at rows 0…row, those of the other rows being chosen. Where no change of the rows below can be paid for any
    /// more, the word with their best symbols is tried at once.
    private static func descend(
        row: Int, cost: Float, parity: UInt64, ranks: UInt64, limit: Float, greatest: Float, minimumCosts: Span<Float>,
        costs: Span<Float>, changes: Span<UInt64>, pairScores: Span<Float>, best: inout Best
    ) {
        let first = 32 * row
        for rank in 0..<32 {
            let total = cost + costs[first + rank]
            guard total <= limit, greatest - total > best.threshold else { break }
            let packed = parity ^ changes[first + rank]
            let chosen = ranks | UInt64(rank) << UInt64(5 * row)
            if row > 0 {
                let next = total + minimumCosts[row - 1]
                if next <= limit, greatest - next > best.threshold {
                    descend(
                        row: row - 1, cost: total, parity: packed, ranks: chosen, limit: limit, greatest: greatest,
                        minimumCosts: minimumCosts, costs: costs, changes: changes, pairScores: pairScores, best: &best)
                    continue
                }
            }
            // The word of the best symbols has been met.
            guard chosen != 0 else { continue }
            let score = dependentScore(packed, pairScores) - total
            if score > best.secondScore { best.meet(score: score, parity: packed, ranks: chosen) }
            best.count += 1
        }
    }

    private func decision(_ best: Best) -> SoftDecision {
        var word = [UInt8](repeating: 0, count: set.positions.count + set.dependentPositions.count)
        for (row, position) in set.positions.enumerated() {
            word[position] = symbols[32 * row + Int(best.ranks >> UInt64(5 * row) & 31)]
        }
        for (slot, position) in set.dependentPositions.enumerated() {
            word[position] = UInt8(best.parity >> UInt64(5 * slot) & 31)
        }
        // What was left out scores no more than the threshold.
        let second = max(best.secondScore, best.score - Self.greatestMargin)
        return SoftDecision(
            symbols: word, score: baseScore + best.score, runnerUpScore: baseScore + second, patternCount: best.count,
            isComplete: best.isComplete)
    }
}
