import Testing

@testable import Chirp

@Suite struct SoftDecoderTests {
    private let code = ReedSolomon()
    private let decoder = SoftDecoder()

    /// Scores of a received word: `gain` for the symbol that was heard, 0 for all others.
    private func scores(_ word: [UInt8], gain: Float = 3, heard: (Int) -> Bool = { _ in true }) -> [Float] {
        var scores = [Float](repeating: 0, count: 32 * word.count)
        for (position, symbol) in word.enumerated() where heard(position) { scores[32 * position + Int(symbol)] = gain }
        return scores
    }

    @Test(arguments: 0..<50)
    func `any ten symbols give the word`(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        let word = Shortcode.random(using: &random).codeword.symbols
        let kept = Set(word.indices.shuffled(using: &random).prefix(10))
        let decision = decoder.decode(scores(word, heard: kept.contains), patternBudget: 3_000)
        #expect(decision.symbols == word)
        #expect(decision.score == 30)
    }

    @Test(arguments: 0..<50)
    func `four symbols that are wrong beyond doubt are mended`(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        let word = Shortcode.random(using: &random).codeword.symbols
        var received = word
        for position in word.indices.shuffled(using: &random).prefix(4) {
            received[position] = (received[position] + UInt8.random(in: 1...31, using: &random)) % 32
        }
        let decision = decoder.decode(scores(received, gain: 6), patternBudget: 3_000)
        #expect(decision.symbols == word)
        #expect(decision.runnerUpScore < decision.score)
    }

    @Test(arguments: 0..<50)
    func `whatever the scores, the answer is a codeword, and no other that it met is better`(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        let scores = (0..<576).map { _ in Float.random(in: -3...3, using: &random) }
        let few = decoder.decode(scores, patternBudget: 1_000)
        let many = decoder.decode(scores, patternBudget: 30_000)
        #expect(code.isCodeword(few.symbols) && code.isCodeword(many.symbols))
        #expect(many.score >= few.score)
        let sum = many.symbols.enumerated().reduce(Float(0)) { $0 + scores[32 * $1.offset + Int($1.element)] }
        #expect(abs(sum - many.score) < 0.001)
    }

    @Test(arguments: 0..<50)
    func `a glance finds a word with one error among its ten most reliable symbols, and none that is not there`(
        seed: Int
    ) {
        var random = SplitMix64(seed: UInt64(seed))
        let word = Shortcode.random(using: &random).codeword.symbols
        let places = word.indices.shuffled(using: &random)
        var table = scores(word, gain: 1)
        // Ten are plain, one of them wrong; four of the others say nothing.
        for place in places.prefix(10) { table[32 * place + Int(word[place])] = 4 }
        table[32 * places[0] + Int(word[places[0]]) ^ 5] = 6
        for place in places.suffix(4) { table[32 * place + Int(word[place])] = 0 }
        let own = word.enumerated().reduce(Float(0)) { $0 + table[32 * $1.offset + Int($1.element)] }
        #expect(abs(decoder.scoreAtAGlance(table) - own) < 0.001)
        let noise = (0..<576).map { _ in Float.random(in: -3...3, using: &random) }
        #expect(decoder.scoreAtAGlance(noise) <= decoder.decode(noise, patternBudget: 1_000_000).score + 0.001)
    }

    /// Others differ in nine symbols at least: with 2.3 for each they are 20.7 behind, more than is of interest, with 2.2 they are not.
    @Test(arguments: 0..<20)
    func `a word that no other one comes close to needs no search`(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        let word = Shortcode.random(using: &random).codeword.symbols
        let plain = decoder.decode(scores(word, gain: 2.3), patternBudget: 3_000)
        #expect(plain.symbols == word && plain.isComplete && plain.patternCount == 1)
        #expect(abs(plain.score - 18 * 2.3) < 0.001)
        // As much as a search would say at most.
        #expect(plain.runnerUpScore == plain.score - PatternSearch.greatestMargin)
        let fainter = decoder.decode(scores(word, gain: 2.2), patternBudget: 3_000)
        #expect(fainter.symbols == word && fainter.patternCount > 1)
        var wrong = word
        wrong[seed % 18] ^= 1
        let mended = decoder.decode(scores(wrong, gain: 6), patternBudget: 3_000)
        #expect(mended.symbols == word && mended.patternCount > 1)
    }

    /// All words of which the first ten symbols are one of two each.
    @Test(arguments: 0..<20)
    func `the word is the likeliest of all, and its lead is that over the next`(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(1_000 + seed))
        let choices = (0..<10).map { _ in
            (UInt8.random(in: 0...15, using: &random), UInt8.random(in: 16...31, using: &random))
        }
        // Elsewhere a symbol is so unlikely that no other word can be near.
        var scores = (0..<576).map { _ in Float.random(in: -1...1, using: &random) }
        for position in 0..<10 {
            for symbol in 0..<32 where symbol != Int(choices[position].0) && symbol != Int(choices[position].1) {
                scores[32 * position + symbol] = -40
            }
            scores[32 * position + Int(choices[position].0)] = .random(in: 0...4, using: &random)
            scores[32 * position + Int(choices[position].1)] = .random(in: 0...4, using: &random)
        }
        let all = (0..<1_024).map { bits -> (word: [UInt8], score: Float) in
            let data = (0..<10).map { bits >> $0 & 1 == 0 ? choices[$0].0 : choices[$0].1 }
            let word = data + code.parity(of: data)
            return (word, word.enumerated().reduce(Float(0)) { $0 + scores[32 * $1.offset + Int($1.element)] })
        }.sorted { $0.score > $1.score }
        let decision = decoder.decode(scores, patternBudget: 300_000)
        #expect(decision.symbols == all[0].word)
        #expect(abs(decision.score - all[0].score) < 0.001)
        #expect(abs(decision.score - decision.runnerUpScore - (all[0].score - all[1].score)) < 0.001)
        // Asked for a word that is just within reach, it gives the same one, with the same lead, for fewer patterns.
        let bounded = decoder.decode(scores, patternBudget: 300_000, minimumScore: all[0].score - 0.5)
        #expect(bounded.symbols == all[0].word)
        #expect(abs(bounded.runnerUpScore - decision.runnerUpScore) < 0.001)
        // And out of reach, it says that there is none, or gives one that is not.
        let beyond = decoder.decode(scores, patternBudget: 300_000, minimumScore: all[0].score + 1)
        #expect(beyond.score <= all[0].score + 0.001)
    }
}
