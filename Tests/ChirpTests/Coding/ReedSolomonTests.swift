import Testing

@testable import Chirp

@Suite struct ReedSolomonTests {
    private let code = ReedSolomon()

    @Test func `the generator polynomial is the documented one`() {
        #expect(ReedSolomon.generator(paritySymbolCount: 8) == [1, 8, 21, 15, 6, 2, 26, 18, 5])
    }

    @Test func `every codeword of an independent implementation is reproduced`() throws {
        let format = WireFormat.original
        for word in try Vectors.reedSolomonWords().codewords {
            let symbols = word.compactMap(format.symbol(for:))
            #expect(symbols.count == 18)
            #expect(code.parity(of: Array(symbols.prefix(10))) == Array(symbols.dropFirst(10)))
        }
    }

    @Test(arguments: UInt64(1)...5)
    func `a codeword has no syndromes, sums of codewords are codewords, and any damaged symbol shows`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<200 {
            let a = Shortcode.random(using: &random).codeword.symbols
            let b = Shortcode.random(using: &random).codeword.symbols
            #expect(code.syndromes(of: a).allSatisfy { $0 == 0 })
            #expect(code.isCodeword(zip(a, b).map { $0 ^ $1 }))
            for position in a.indices {
                var damaged = a
                damaged[position] ^= UInt8.random(in: 1..<32, using: &random)
                #expect(!code.isCodeword(damaged))
                #expect(Codeword(symbols: damaged) == nil)
            }
        }
    }

    /// The code is linear, so its distance is its lightest word's weight: with one data symbol set, all eight parity
    /// symbols must be.
    @Test func `one data symbol sets all parity symbols, as distance nine demands`() {
        for position in 0..<10 {
            for value in UInt8(1)..<32 {
                var data = [UInt8](repeating: 0, count: 10)
                data[position] = value
                #expect(code.parity(of: data).allSatisfy { $0 != 0 })
            }
        }
    }
}
