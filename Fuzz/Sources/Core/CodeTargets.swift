internal import Chirp
internal import FuzzSupport

extension FuzzTarget {
    /// Codes, longcodes, frames and links that end in one, as people paste them.
    static let codes = FuzzTarget("codes") { source in
        let text = source.wholeText
        guard let codeword = try? Codeword(parsing: text) else { return }
        require(codeword.symbols.count == 18, "a codeword has 18 symbols: \(codeword.symbols)")
        require(codeword.symbols.allSatisfy { $0 < 32 }, "a symbol is one of 32: \(codeword.symbols)")
        require(Codeword(symbols: codeword.symbols) == codeword, "its parity is right: \(codeword)")
        let code = codeword.shortcode
        for spelling in [code.description, codeword.description, code.description.uppercased(), " <\(text)>. "] {
            require((try? Shortcode(parsing: spelling)) == code, "“\(spelling)” is \(code)")
        }
        require(
            (try? Shortcode(parsing: "https://example.org/\(codeword).wav?x=/y#z")) == code, "a link ends in \(code)")
    }

    /// Damaged longcodes, with any positions named as unreliable.
    static let correction = FuzzTarget("correction") { source in
        var source = source
        let received = (0..<18).map { _ in source.byte() & 31 }
        let erasures = (0..<Int(source.byte() % 20)).map { _ in Int(source.byte() % 18) }
        guard let correction = ReedSolomon(format: .original).decode(received, erasures: erasures) else { return }
        require(Codeword(symbols: correction.word) != nil, "\(correction.word) is a codeword")
        let differing = received.indices.filter { received[$0] != correction.word[$0] }
        require(correction.correctedPositions == differing, "\(differing) were corrected")
        let erased = Set(erasures)
        let errors = differing.filter { !erased.contains($0) }.count
        require(2 * errors + erased.count <= 8, "\(errors) errors and \(erased.count) erasures are within reach")
    }
}
