/// Ten characters of the chirp alphabet: 50 bits that a registry gives a meaning to.
public struct Shortcode: Sendable, Hashable {
    /// Ten symbols, 0–31 each.
    public let symbols: [UInt8]

    /// A shortcode of ten symbols, or nil when there are more or fewer, or one is out of range.
    public init?(symbols: some Sequence<UInt8>) {
        let symbols = Array(symbols)
        let format = WireFormat.original
        guard symbols.count == format.dataSymbolCount, symbols.allSatisfy({ $0 < format.toneCount }) else { return nil }
        self.symbols = symbols
    }

    init(unchecked symbols: [UInt8]) { self.symbols = symbols }

    /// A shortcode drawn from a source of random bits.
    public static func random(using generator: inout some RandomNumberGenerator) -> Shortcode {
        let format = WireFormat.original
        return Shortcode(
            unchecked: (0..<format.dataSymbolCount).map { _ in
                UInt8.random(in: 0..<UInt8(format.toneCount), using: &generator)
            })
    }

    /// The word that is sent for it.
    public var codeword: Codeword { Codeword(self) }
}

extension Shortcode: CustomStringConvertible {
    /// The ten characters, lower case.
    public var description: String { WireFormat.original.text(of: symbols) }
}
