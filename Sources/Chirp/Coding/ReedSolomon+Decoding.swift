extension ReedSolomon {
    /// A word that algebraic decoding arrived at.
    public struct Correction: Sendable, Hashable {
        /// The codeword, data then parity.
        public let word: [UInt8]
        /// Positions, ascending, at which it differs from the received word.
        public let correctedPositions: [Int]
    }

    /// The codeword within reach of a received word, or nil when there is none.
    ///
    /// Corrects e errors at unknown positions and s erasures at given ones whenever 2e + s ≤ 8, and never returns a
    /// word that is not a codeword or lies further away than that. Beyond that reach most words are refused, but some
    /// are closer to another codeword, which is then returned.
    ///
    /// The key equation with erasures is solved by the Berlekamp–Massey algorithm started from the erasure locator
    /// (Blahut, "Algebraic Codes for Data Transmission", 2003, section 7.5), the values by Forney's formula.
    ///
    /// - Parameters:
    ///   - received: 18 symbols, 0–31 each, data then parity.
    ///   - erasures: positions, 0–17, whose symbols are known to be unreliable; repetitions do not count twice.
    public func decode(_ received: [UInt8], erasures: some Sequence<Int> = EmptyCollection()) -> Correction? {
        precondition(received.count == positionPower.count, "a word has \(positionPower.count) symbols")
        let erased = Set(erasures)
        guard erased.count <= paritySymbolCount else { return nil }
        let syndromes = syndromes(of: received)
        if syndromes.allSatisfy({ $0 == 0 }) { return Correction(word: received, correctedPositions: []) }

        let locator = errataLocator(syndromes: syndromes, erased: erased)
        let degree = locator.lastIndex { $0 != 0 } ?? 0
        let errata = positionPower.indices.filter {
            GF32.evaluate(locator, at: GF32.power(-positionPower[$0])) == 0
        }
        // As many roots at positions that are sent as the degree says, or the word is out of reach. Erasures are roots by their making.
        guard errata.count == degree, 2 * degree - erased.count <= paritySymbolCount else { return nil }

        var word = received
        let evaluator = product(syndromes, locator).prefix(paritySymbolCount)
        let derivative = locator.enumerated().dropFirst().map { $0.offset % 2 == 1 ? $0.element : 0 }
        for position in errata {
            let inverseLocation = GF32.power(-positionPower[position])
            // Forney: with roots from α¹ on, the value is Ω(X⁻¹) / Λ′(X⁻¹), which is not zero, as all roots are single.
            let slope = GF32.evaluate(derivative, at: inverseLocation)
            word[position] ^= GF32.divide(GF32.evaluate(Array(evaluator), at: inverseLocation), by: slope)
        }
        guard isCodeword(word) else { return nil }
        return Correction(word: word, correctedPositions: word.indices.filter { word[$0] != received[$0] })
    }

    /// The polynomial whose roots are the inverse locations of erasures and errors, lowest power first.
    private func errataLocator(syndromes: [UInt8], erased: Set<Int>) -> [UInt8] {
        var locator: [UInt8] = erased.reduce(into: [1]) { polynomial, position in
            polynomial = product(polynomial, [1, GF32.power(positionPower[position])])
        }
        var correction = locator
        var length = erased.count
        for step in erased.count..<paritySymbolCount {
            var discrepancy: UInt8 = 0
            for (power, coefficient) in locator.enumerated() where power <= step {
                discrepancy ^= GF32.multiply(coefficient, syndromes[step - power])
            }
            correction.insert(0, at: 0)
            guard discrepancy != 0 else { continue }
            let updated = sum(locator, correction.map { GF32.multiply($0, discrepancy) })
            if 2 * length <= step + erased.count {
                correction = locator.map { GF32.divide($0, by: discrepancy) }
                length = step + 1 + erased.count - length
            }
            locator = updated
        }
        return locator
    }

    private func product(_ a: [UInt8], _ b: [UInt8]) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: a.count + b.count - 1)
        for (i, x) in a.enumerated() {
            for (j, y) in b.enumerated() { result[i + j] ^= GF32.multiply(x, y) }
        }
        return result
    }

    private func sum(_ a: [UInt8], _ b: [UInt8]) -> [UInt8] {
        (0..<max(a.count, b.count)).map { ($0 < a.count ? a[$0] : 0) ^ ($0 < b.count ? b[$0] : 0) }
    }
}
