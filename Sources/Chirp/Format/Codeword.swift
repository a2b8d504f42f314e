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
        guard symbols.allSatisfy({ $0 < WireFormat.original.toneCount }), Self.code.isCodeword(symbols) else {
            return nil
        }
        self.symbols = symbols
    }

    /// The data that it carries.
    public var shortcode: Shortcode { Shortcode(unchecked: Array(symbols.prefix(WireFormat.original.dataSymbolCount))) }

    /// All twenty symbols of the chirp: start code, data, parity.
    public var frame: [UInt8] { WireFormat.original.startCode + symbols }
}

extension Codeword: CustomStringConvertible {
    /// The longcode: eighteen characters.
    public var description: String { WireFormat.original.text(of: symbols) }
}
