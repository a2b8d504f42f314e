/// Ten data symbols and the eight parity symbols that belong to them, as they follow the start code on the air.
public struct Codeword: Sendable, Hashable {
    /// Eighteen symbols, 0–31 each, data then parity.
    public let symbols: [UInt8]

    private static let code = ReedSolomon()

    /// The codeword of a shortcode.
    public init(_ shortcode: Shortcode) {
        symbols = shortcode.symbols + Self.code.parity(of: shortcode.symbols)
    }

    /// The codeword with these eighteen symbols, or nil when they are not one.
    public init?(symbols: [UInt8]) {
        guard Self.code.isCodeword(symbols) else { return nil }
        self.symbols = symbols
    }

    /// The data that it carries.
    public var shortcode: Shortcode { Shortcode(unchecked: Array(symbols.prefix(WireFormat.original.dataSymbolCount))) }

    /// The codeword that has this one's symbols, but for those that fall off, so many places earlier, or nil when there is
    /// none: what a receiver may take for this one and began so many symbols later.
    package func codeword(symbolsLater shift: Int) -> Codeword? {
        let places = symbols.indices
        let moved = places.map { places.contains($0 + shift) ? symbols[$0 + shift] : 0 }
        let unknown = places.filter { !places.contains($0 + shift) }
        guard let correction = Self.code.decode(moved, erasures: unknown),
            correction.correctedPositions.allSatisfy({ unknown.contains($0) })
        else { return nil }
        return Codeword(symbols: correction.word)
    }

    /// Whether a receiver may take a chirp of this word for one of another that begins a symbol or two later.
    var hasLaterReading: Bool { [1, 2].contains { codeword(symbolsLater: $0) != nil } }

    /// All twenty symbols of the chirp in the original format; ``WireFormat/frame(of:)`` gives those of others.
    public var frame: [UInt8] { WireFormat.original.frame(of: self) }
}

extension Codeword: CustomStringConvertible {
    /// The longcode: eighteen characters.
    public var description: String { WireFormat.original.text(of: symbols) }
}
