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
}
