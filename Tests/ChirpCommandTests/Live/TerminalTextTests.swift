import Testing

@testable import chirp

@Suite struct TerminalTextTests {
    @Test(
        arguments: [
            ("plain", 5), ("", 0), ("日本", 4), ("🎵", 2), ("e\u{301}", 1), ("–−·", 3), ("한글", 4), ("👩‍👩‍👧", 2),
        ])
    func `wide characters take two columns, and combining marks none`(text: String, columns: Int) {
        #expect(TerminalText.width(of: text) == columns)
    }

    @Test(arguments: ["", "x", "plain text", "日本語のテキスト", "a🎵b🎵c"], 0...12)
    func `text is cut or filled up to exactly so many columns`(text: String, width: Int) {
        #expect(TerminalText.width(of: TerminalText.fitted(text, to: width)) == width)
    }

    @Test func `what a terminal would obey is shown as a dot`() {
        #expect(TerminalText.printable("a\u{1B}[2Jb\r\n\u{202E}c\u{9B}d\u{7}") == "a·[2Jb···c·d·")
        #expect(TerminalText.printable("Sigur Rós – ágætis byrjun 🎵 日本") == "Sigur Rós – ágætis byrjun 🎵 日本")
    }
}
