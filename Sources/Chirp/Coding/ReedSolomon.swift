/// The chirp's Reed–Solomon code: RS(31, 23) over GF(32), shortened to 18 symbols by thirteen zeros that follow the
/// ten data symbols and are not sent.
///
/// Symbol i of the 18-symbol word is the coefficient of x³⁰⁻ⁱ for the ten data symbols and of x¹⁷⁻ⁱ for the eight
/// parity symbols. The distance is 9: e errors and s erasures are corrected whenever 2e + s ≤ 8.
public struct ReedSolomon: Sendable {
    let dataSymbolCount: Int
    let paritySymbolCount: Int
    /// The power of x that each symbol of the word is the coefficient of.
    let positionPower: [Int]
    /// Coefficients of the generator polynomial, highest power first.
    private let generator: [UInt8]
    /// `syndromeContribution[32 i + v]`: the syndromes of symbol i of value v, all others being zero, a byte each from the lowest on.
    private let syndromeContribution: [UInt64]

    /// The code of a wire format.
    public init(format: WireFormat = .original) {
        dataSymbolCount = format.dataSymbolCount
        paritySymbolCount = format.paritySymbolCount
        precondition(dataSymbolCount + paritySymbolCount <= GF32.groupOrder, "the word is longer than the field allows")
        precondition(paritySymbolCount <= 8, "the syndromes fit into an integer")
        let parity = paritySymbolCount
        positionPower =
            (0..<format.dataSymbolCount).map { GF32.groupOrder - 1 - $0 }
            + (0..<parity).map { parity - 1 - $0 }
        generator = Self.generator(paritySymbolCount: parity)
        syndromeContribution = positionPower.flatMap { power in
            (0..<32).map { value in
                (0..<parity).reduce(UInt64(0)) { packed, index in
                    let term = GF32.multiply(UInt8(value), GF32.power((index + 1) * power))
                    return packed | UInt64(term) << UInt64(8 * index)
                }
            }
        }
    }

    /// g(x) = (x − α¹) … (x − αʳ), highest power first.
    static func generator(paritySymbolCount: Int) -> [UInt8] {
        var polynomial: [UInt8] = [1]
        for root in 1...paritySymbolCount {
            let shifted = polynomial + [0]
            let scaled = [0] + polynomial.map { GF32.multiply($0, GF32.power(root)) }
            polynomial = zip(shifted, scaled).map { $0 ^ $1 }
        }
        return polynomial
    }

    /// The parity symbols of the data symbols, each 0–31, in the order in which they are sent.
    ///
    /// They are the rest of a division by the generator, in a shift register that the data symbols go through, and the zeros after them.
    public func parity(of data: [UInt8]) -> [UInt8] {
        precondition(data.count == dataSymbolCount, "a message has \(dataSymbolCount) symbols")
        var parity = [UInt8](repeating: 0, count: paritySymbolCount)
        for position in 0..<GF32.groupOrder - paritySymbolCount {
            let carry = parity.removeFirst() ^ (position < dataSymbolCount ? data[position] : 0)
            parity.append(0)
            for i in parity.indices { parity[i] ^= GF32.multiply(carry, generator[i + 1]) }
        }
        return parity
    }

    /// Whether a word of data and parity symbols belongs to the code.
    public func isCodeword(_ word: [UInt8]) -> Bool {
        word.count == dataSymbolCount + paritySymbolCount && word.allSatisfy { $0 < 32 }
            && syndromes(of: word).allSatisfy { $0 == 0 }
    }

    /// The syndromes S₁ … S₈: the word's values at the generator's roots, all zero for a codeword.
    func syndromes(of word: [UInt8]) -> [UInt8] {
        var packed: UInt64 = 0
        for (position, value) in word.enumerated() { packed ^= syndromeContribution[32 * position + Int(value)] }
        return (0..<paritySymbolCount).map { UInt8(truncatingIfNeeded: packed &>> UInt64(8 &* $0)) }
    }
}
