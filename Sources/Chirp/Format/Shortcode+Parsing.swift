/// Why a text is not a code.
public enum ShortcodeError: Error, Sendable, Hashable {
    /// There is nothing in it.
    case empty
    /// It has a character outside the alphabet; `position` counts from 1 within the code.
    case character(Character, position: Int)
    /// It has neither 10 characters (a code), 18 (a longcode) nor 20 (a frame).
    case length(Int)
    /// It has 20 characters, which do not begin with the start code.
    case startCode(found: String)
    /// It has parity characters that do not belong to its data.
    case parity(found: String, expected: String)
}

extension Shortcode {
    /// Reads a code as people paste it.
    ///
    /// Upper case is folded; surrounding space, quotation marks and brackets are ignored. Understood are a code of 10 characters, a longcode of 18 and
    /// a frame of 20 (whose parity must be right), and a link whose last path component is one of these:
    ///
    ///     try Shortcode(parsing: "GSM2H88C7U")                               // gsm2h88c7u
    ///     try Shortcode(parsing: "https://example.org/gsm2h88c7udtnef4ok")   // gsm2h88c7u
    ///
    /// - Throws: ``ShortcodeError``
    public init(parsing text: some StringProtocol) throws(ShortcodeError) {
        self = try Codeword(parsing: text).shortcode
    }
}

extension Codeword {
    /// Reads a code, a longcode or a frame, or a link that ends in one, as ``Shortcode/init(parsing:)`` does.
    ///
    /// - Throws: ``ShortcodeError``
    public init(parsing text: some StringProtocol) throws(ShortcodeError) {
        let format = WireFormat.original
        // Nearly always it is a code and nothing else.
        if text.utf8.count == format.dataSymbolCount {
            let symbols = text.utf8.compactMap { $0 < 128 ? Self.symbolsOfASCII[Int($0)] : nil }
            if symbols.count == format.dataSymbolCount {
                self = Codeword(Shortcode(unchecked: symbols))
                return
            }
        }
        let characters = Self.code(in: String(text))
        guard !characters.isEmpty else { throw .empty }
        var symbols: [UInt8] = []
        for (index, character) in characters.enumerated() {
            guard let symbol = format.symbol(for: character) else {
                throw .character(character, position: index + 1)
            }
            symbols.append(symbol)
        }
        if symbols.count == format.frameSymbolCount {
            let opening = Array(symbols.prefix(format.startCode.count))
            guard opening == format.startCode else { throw .startCode(found: format.text(of: opening)) }
            symbols.removeFirst(format.startCode.count)
        }
        guard [format.dataSymbolCount, format.codewordSymbolCount].contains(symbols.count) else {
            throw .length(characters.count)
        }
        let codeword = Codeword(Shortcode(unchecked: Array(symbols.prefix(format.dataSymbolCount))))
        guard symbols.count == format.dataSymbolCount || symbols == codeword.symbols else {
            throw .parity(
                found: format.text(of: symbols.dropFirst(format.dataSymbolCount)),
                expected: format.text(of: codeword.symbols.dropFirst(format.dataSymbolCount)))
        }
        self = codeword
    }

    private static let symbolsOfASCII = (0..<128 as Range<UInt8>).map {
        WireFormat.original.symbol(for: Character(UnicodeScalar($0)))
    }

    /// The part of a pasted text that ought to be a code: all of it, or a link's last path component without query,
    /// fragment and file extension; nothing when the link has no path.
    private static func code(in text: String) -> Substring {
        var rest = text[...]
        while let first = rest.first, isWrapping(first) { rest.removeFirst() }
        while let last = rest.last, isWrapping(last) { rest.removeLast() }
        guard rest.contains("/") else { return rest }
        rest = rest.prefix { $0 != "?" && $0 != "#" }
        let isOnTheWeb = rest.prefix(4).lowercased() == "http"
        // Scheme, host and the path's components.
        let components = rest.split(separator: "/")
        guard let last = components.last, !isOnTheWeb || components.count > 2 else { return "" }
        return last.prefix { $0 != "." }
    }

    /// Whether a character is one of those that a code or a link is pasted with: space, visible or not, quotation marks,
    /// brackets, the end of a sentence.
    private static func isWrapping(_ character: Character) -> Bool {
        character.isWhitespace || "\u{200B}\u{2060}\u{FEFF}\"'`“”„‘’«»<>()[].,;".contains(character)
    }
}
