/// What soft decoding found in a table of symbol scores.
struct SoftDecision {
    /// The best codeword met, eighteen symbols.
    var symbols: [UInt8]
    /// The sum of its symbols' scores.
    var score: Float
    /// The best score of any other codeword met.
    var runnerUpScore: Float
    /// Number of codewords met.
    var patternCount: Int
    /// Whether no other codeword can reach the score that was asked for, nor come close to the best one.
    var isComplete: Bool

    /// Takes one more codeword into account.
    mutating func meet(_ word: [UInt8], score newScore: Float) {
        guard word != symbols else { return }
        if newScore > score {
            (symbols, runnerUpScore, score) = (word, score, newScore)
        } else if newScore > runnerUpScore {
            runnerUpScore = newScore
        }
    }
}

/// Finds the codeword whose symbols' scores have the greatest sum: ordered statistics decoding (Fossorier and Lin,
/// "Soft-decision decoding of linear block codes based on ordered statistics", IEEE Trans. Inf. Theory 41, 1995) over
/// GF(32), its patterns taken in order of their own likelihood instead of the number of changed symbols (Valembois and
/// Fossorier, "An improved method to compute lists of binary vectors that optimize a given weight function", IEEE
/// Commun. Lett. 5, 2001).
///
/// Generalised minimum distance decoding (Forney, 1966) stands beside it for words with symbols that are wrong beyond
/// doubt.
///
/// The ten most reliable positions determine the word. With 200,000 patterns it is within 0.03 of maximum likelihood at
/// Es/N0 = 6 dB.
struct SoftDecoder: Sendable {
    private let code: ReedSolomon
    private let symbolCount: Int

    init(code: ReedSolomon = ReedSolomon()) {
        self.code = code
        symbolCount = code.positionPower.count
    }

    /// Decodes a table of scores.
    ///
    /// - Parameters:
    ///   - scores: `scores[32 · position + symbol]`, 18 × 32 log-likelihoods; constants added to a position do not matter.
    ///   - patternBudget: about how many codewords to try at most.
    ///   - minimumScore: words that score less are of no interest, and need not be looked for.
    func decode(_ scores: [Float], patternBudget: Int, minimumScore: Float = -.infinity) -> SoftDecision {
        prepare(scores).decode(patternBudget: patternBudget, minimumScore: minimumScore)
    }

    /// Prepares the decoding of a table of scores, which may then be made with one budget after another.
    func prepare(_ scores: [Float]) -> Preparation {
        let hard = HardDecisions(scores: scores, symbolCount: symbolCount)
        if let certain = certainDecision(hard) { return .certain(certain) }
        // The least reliable first, whose many choices are then the search's innermost loop.
        let set = InformationSet(hard.mostReliable.prefix(code.dataSymbolCount).reversed(), of: code)
        return .open(
            PatternSearch(set: set, scores: scores), corrected: minimumDistanceWords(hard, scores: scores))
    }

    /// The word of the best symbols, where it is a codeword that no other one comes close to: others differ from it in as many symbols as
    /// the code's minimum distance at least, and the least reliable of those cost so much already.
    private func certainDecision(_ hard: HardDecisions) -> SoftDecision? {
        let distance = code.paritySymbolCount + 1
        guard hard.mostReliable.suffix(distance).reduce(0, { $0 + hard.margins[$1] }) > PatternSearch.greatestMargin,
            code.isCodeword(hard.symbols)
        else { return nil }
        return SoftDecision(
            symbols: hard.symbols, score: hard.score, runnerUpScore: hard.score - PatternSearch.greatestMargin,
            patternCount: 1, isComplete: true)
    }

    /// The score of the best word whose ten most reliable symbols are the best ones but for one at most (ordered statistics decoding of order
    /// one): a glance, which costs a tenth of a search.
    @inline(never)
    func scoreAtAGlance(_ scores: [Float]) -> Float {
        let hard = HardDecisions(scores: scores, symbolCount: symbolCount)
        let set = InformationSet(Array(hard.mostReliable.prefix(code.dataSymbolCount)), of: code)
        let (values, changes) = (scores.span, set.contributions.span)
        let rows = InlineArray<8, Int> { 32 * set.dependentPositions[$0] }
        func dependentScore(_ packed: UInt64) -> Float {
            var (sum, rest): (Float, UInt64) = (0, packed)
            for slot in 0..<8 {
                sum += values[rows[slot] + Int(rest & 31)]
                rest >>= 5
            }
            return sum
        }
        var (base, parity): (Float, UInt64) = (0, 0)
        for (row, position) in set.positions.enumerated() {
            let symbol = Int(hard.symbols[position])
            base += values[32 * position + symbol]
            parity ^= changes[32 * row + symbol]
        }
        var best = base + dependentScore(parity)
        for (row, position) in set.positions.enumerated() {
            let own = Int(hard.symbols[position])
            let (rest, others) = (base - values[32 * position + own], parity ^ changes[32 * row + own])
            for symbol in 0..<32 {
                let score = rest + values[32 * position + symbol]
                best = max(best, score + dependentScore(others ^ changes[32 * row + symbol]))
            }
        }
        return best
    }

    /// The best of the words that generalised minimum distance decoding gives, nil where it gives none: for plain symbols nearly as good
    /// as all others, and much cheaper.
    func decodeAlgebraically(_ scores: [Float]) -> (word: [UInt8], score: Float)? {
        minimumDistanceWords(HardDecisions(scores: scores, symbolCount: symbolCount), scores: scores)
            .max { $0.score < $1.score }
    }

    /// The words that are found when more and more of the least reliable symbols are erased. Symbols that are wrong and yet beyond doubt
    /// are too costly for patterns, but not for algebra.
    private func minimumDistanceWords(_ hard: HardDecisions, scores: [Float]) -> [(word: [UInt8], score: Float)] {
        var words: [(word: [UInt8], score: Float)] = []
        for erasureCount in stride(from: 0, to: code.paritySymbolCount, by: 2) {
            guard let word = code.decode(hard.symbols, erasures: hard.mostReliable.suffix(erasureCount))?.word else {
                continue
            }
            words.append((word, word.enumerated().reduce(0) { $0 + scores[32 * $1.offset + Int($1.element)] }))
            // Nothing is left to correct.
            if erasureCount == 0, word == hard.symbols { break }
        }
        return words
    }

    /// The best symbol of each position, and the positions in the order of how far it is ahead of the second.
    private struct HardDecisions {
        var symbols: [UInt8]
        /// The sum of their scores.
        var score: Float = 0
        /// How far each position's best symbol is ahead of its second.
        var margins: [Float]
        var mostReliable: [Int]

        init(scores: [Float], symbolCount: Int) {
            var symbols = [UInt8](repeating: 0, count: symbolCount)
            var score: Float = 0
            let margins = (0..<symbolCount).map { position -> Float in
                var (first, second) = (-Float.infinity, -Float.infinity)
                for symbol in 0..<32 {
                    let score = scores[32 * position + symbol]
                    if score > first {
                        (first, second) = (score, first)
                        symbols[position] = UInt8(symbol)
                    } else if score > second {
                        second = score
                    }
                }
                score += first
                return first - second
            }
            self.symbols = symbols
            self.score = score
            self.margins = margins
            mostReliable = (0..<symbolCount).sorted {
                margins[$0] > margins[$1] || margins[$0] == margins[$1] && $0 < $1
            }
        }
    }

    /// All that the decoding of one table of scores needs.
    enum Preparation {
        /// What needs no search.
        case certain(SoftDecision)
        /// What generalised minimum distance decoding gave, and how to find better words.
        case open(PatternSearch, corrected: [(word: [UInt8], score: Float)])

        /// Decodes with about so many codewords; ``SoftDecoder/decode(_:patternBudget:minimumScore:)``.
        func decode(patternBudget: Int, minimumScore: Float = -.infinity) -> SoftDecision {
            switch self {
            case .certain(let decision): return decision
            case .open(let search, let corrected):
                let best = corrected.reduce(-Float.infinity) { max($0, $1.score) }
                var decision = search.run(
                    budget: patternBudget, minimumScore: max(minimumScore, best - PatternSearch.greatestMargin))
                for (word, score) in corrected { decision.meet(word, score: score) }
                return decision
            }
        }
    }
}
