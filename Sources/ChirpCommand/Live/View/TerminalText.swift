/// Text as a terminal shows it.
enum TerminalText {
    /// The text without anything that a terminal would obey instead of showing: titles and addresses come from strangers.
    static func printable(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    switch scalar.properties.generalCategory {
                    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse: "·"
                    default: scalar
                    }
                }))
    }

    /// The columns that a text takes.
    static func width(of text: String) -> Int { text.reduce(0) { $0 + columns(of: $1) } }

    /// The text cut or filled up to so many columns; a cut is marked with an ellipsis.
    static func fitted(_ text: String, to width: Int) -> String {
        let total = Self.width(of: text)
        if total <= width { return text + String(repeating: " ", count: width - total) }
        guard width > 0 else { return "" }
        var shown = ""
        var used = 0
        for character in text {
            let columns = columns(of: character)
            guard used + columns < width else { break }
            shown.append(character)
            used += columns
        }
        return shown + "…" + String(repeating: " ", count: width - used - 1)
    }

    /// Columns that a character takes: two for East Asian wide characters and emoji (Unicode Standard Annex 11).
    private static func columns(of character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
            0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF,
            0x20000...0x3FFFD:
            return 2
        default: return scalar.properties.isEmojiPresentation ? 2 : 1
        }
    }
}
