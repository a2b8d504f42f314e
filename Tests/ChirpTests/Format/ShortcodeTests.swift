import Chirp
import Testing

@Suite struct ShortcodeTests {
    @Test(arguments: [
        "gsm2h88c7u", "GSM2H88C7U", "Gsm2H88c7U", "  gsm2h88c7u\n", "\u{FEFF}gsm2h88c7u\u{200B}", "\tgsm2h88c7u\r\n",
        "gsm2h88c7udtnef4ok", "GSM2H88C7UDTNEF4OK", "hjgsm2h88c7udtnef4ok", " HJGSM2H88C7UDTNEF4OK ",
        "https://example.org/gsm2h88c7u", "https://example.org/gsm2h88c7udtnef4ok",
        "https://example.org/hjgsm2h88c7udtnef4ok", "http://example.org:8080/a/b/GSM2H88C7U/",
        "https://example.org/gsm2h88c7u.wav", "https://example.org/gsm2h88c7u.json?pretty=1#top",
        "https://example.org/get/gsm2h88c7u?from=/elsewhere", "example.org/gsm2h88c7u", "/gsm2h88c7u",
        "chirp://gsm2h88c7u", " <https://example.org/gsm2h88c7u> ", "“gsm2h88c7u”", "\"gsm2h88c7u\"", "gsm2h88c7u.",
    ])
    func `a code is understood as people paste it`(text: String) throws {
        #expect(try Shortcode(parsing: text).description == "gsm2h88c7u")
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let text: String
        let error: ShortcodeError
        var testDescription: String { text.debugDescription }
    }

    @Test(arguments: [
        Refusal(text: "", error: .empty),
        Refusal(text: " \n", error: .empty),
        Refusal(text: "wsm2h88c7u", error: .character("w", position: 1)),
        Refusal(text: "gsm2h88c7z", error: .character("z", position: 10)),
        Refusal(text: "gsm2h 88c7u", error: .character(" ", position: 6)),
        Refusal(text: "gsm2h88c7ü", error: .character("ü", position: 10)),
        Refusal(text: "gsm2h88c7👍🏽", error: .character("👍🏽", position: 10)),
        Refusal(text: "gsm2h88c7\u{212A}", error: .character("\u{212A}", position: 10)),
        Refusal(text: "https://example.org/gsm2-88c7u", error: .character("-", position: 5)),
        Refusal(text: "gsm2h88c7", error: .length(9)),
        Refusal(text: "gsm2h88c7uu", error: .length(11)),
        Refusal(text: "gsm2h88c7udtnef4o", error: .length(17)),
        Refusal(text: String(repeating: "a", count: 10_000), error: .length(10_000)),
        Refusal(text: "gsm2h88c7udtnef4oo", error: .parity(found: "dtnef4oo", expected: "dtnef4ok")),
        Refusal(text: "hjgsm2h88c7udtnef4oo", error: .parity(found: "dtnef4oo", expected: "dtnef4ok")),
        Refusal(text: "jhgsm2h88c7udtnef4ok", error: .startCode(found: "jh")),
        Refusal(text: "https://example.org/", error: .empty),
        Refusal(text: "https://example.org?code=gsm2h88c7u", error: .empty),
        Refusal(text: "https://example.org/get", error: .length(3)),
    ])
    func `a wrong code is refused with what is wrong, and where`(refusal: Refusal) {
        #expect(throws: refusal.error) { try Shortcode(parsing: refusal.text) }
    }

    @Test func `any ten symbols are a code, and no other number of them`() {
        #expect(Shortcode(symbols: (0..<10).map { UInt8($0) })?.description == "0123456789")
        #expect(Shortcode(symbols: (22..<32).map { UInt8($0) })?.description == "mnopqrstuv")
        #expect(Shortcode(symbols: (23..<33).map { UInt8($0) }) == nil)
        #expect(Shortcode(symbols: [1, 2, 3]) == nil)
    }

    @Test(arguments: UInt64(1)...3)
    func `a code is what its text parses to`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<1000 {
            let code = Shortcode.random(using: &random)
            #expect(try Shortcode(parsing: code.description.uppercased()) == code)
            #expect(try Shortcode(parsing: code.codeword.description) == code)
        }
    }
}
