import Testing

@testable import Chirp

@Suite struct ReedSolomonDecodingTests {
    private let code = ReedSolomon()

    private func damage(_ word: [UInt8], _ errors: [(place: Int, value: UInt8)]) -> [UInt8] {
        errors.reduce(into: word) { $0[$1.place] ^= $1.value }
    }

    @Test(arguments: ["gsm2h88c7u", "0000000000", "vvvvvvvvvv"])
    func `every single error is corrected`(text: String) throws {
        let word = try Shortcode(parsing: text).codeword.symbols
        for place in 0..<18 {
            for value in UInt8(1)..<32 {
                let correction = code.decode(damage(word, [(place, value)]))
                #expect(correction?.word == word)
                #expect(correction?.correctedPositions == [place])
            }
        }
    }

    /// All 147,033 of them.
    @Test func `every pair of errors is corrected`() throws {
        let word = try Shortcode(parsing: "gsm2h88c7u").codeword.symbols
        var wrong = 0
        for first in 0..<18 {
            for second in first + 1..<18 {
                for a in UInt8(1)..<32 {
                    for b in UInt8(1)..<32 where code.decode(damage(word, [(first, a), (second, b)]))?.word != word {
                        wrong += 1
                    }
                }
            }
        }
        #expect(wrong == 0)
    }

    struct Pattern: Sendable, CustomTestStringConvertible {
        let errors: Int
        let erasures: Int
        var testDescription: String { "\(errors) errors, \(erasures) erasures" }

        static let correctable = (0...4).flatMap { errors in
            (0...8 - 2 * errors).map { Pattern(errors: errors, erasures: $0) }
        }
        static let tooMany = [(5, 0), (6, 0), (8, 0), (4, 1), (3, 3), (2, 5), (1, 7), (0, 9), (0, 18)]
            .map { Pattern(errors: $0.0, erasures: $0.1) }
    }

    /// A random word, damaged: erased symbols may by chance be right.
    private func trial(_ pattern: Pattern, _ random: inout SplitMix64) -> (word: [UInt8], got: ReedSolomon.Correction?)
    {
        let word = Shortcode.random(using: &random).codeword.symbols
        let places = Array(word.indices).shuffled(using: &random)
        var received = word
        for place in places.prefix(pattern.errors) { received[place] ^= UInt8.random(in: 1..<32, using: &random) }
        let erasures = places.dropFirst(pattern.errors).prefix(pattern.erasures)
        for place in erasures { received[place] = UInt8.random(in: 0..<32, using: &random) }
        return (word, code.decode(received, erasures: erasures))
    }

    @Test(arguments: Pattern.correctable, [UInt64(1), 2])
    func `errors e and erasures s are corrected whenever 2e + s ≤ 8`(pattern: Pattern, seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<(pattern.errors > 2 ? 10_000 : 2_000) {
            let (word, got) = trial(pattern, &random)
            guard got?.word == word else {
                Issue.record("\(word) was not recovered")
                return
            }
        }
    }

    @Test(arguments: Pattern.tooMany, [UInt64(3)])
    func `beyond that reach nothing comes back but codewords within it`(pattern: Pattern, seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<10_000 {
            guard let got = trial(pattern, &random).got else { continue }
            #expect(code.isCodeword(got.word))
        }
    }

    /// Of random words, the share within four errors of a codeword is 32¹⁰ · V / 32¹⁸ with V the words in a ball of
    /// radius 4, Σ C(18, i) · 31ⁱ: one in 390. Of 100,000 that is 256 ± 16; the bounds are six deviations away.
    @Test func `random words are accepted as often as the volume of the code's balls says`() {
        var random = SplitMix64(seed: 4)
        var accepted = 0
        for _ in 0..<100_000 {
            let received = (0..<18).map { _ in UInt8.random(in: 0..<32, using: &random) }
            guard let got = code.decode(received) else { continue }
            accepted += 1
            #expect(code.isCodeword(got.word))
            #expect(got.correctedPositions.count <= 4)
            #expect(got.correctedPositions == received.indices.filter { received[$0] != got.word[$0] })
        }
        #expect((160...352).contains(accepted))
    }

    @Test func `words that an independent implementation repaired are repaired alike`() throws {
        let format = WireFormat.original
        for row in try Vectors.reedSolomonWords().damaged {
            let received = row.received.compactMap(format.symbol(for:))
            #expect(code.decode(received, erasures: row.erasures).map { format.text(of: $0.word) } == row.repaired)
        }
    }

    @Test func `an erasure named twice counts once`() throws {
        let word = try Shortcode(parsing: "kingfisher").codeword.symbols
        let erasures = [0, 3, 5, 7, 11, 12, 16, 17]
        let received = damage(word, erasures.map { ($0, 9) })
        #expect(code.decode(received, erasures: erasures + erasures)?.word == word)
    }
}
