import HTTPTypes
import Testing

@testable import ChirpService

@Suite struct PageTextTests {
    @Test(arguments: [
        ("<b>", "&lt;b&gt;"), ("\"'&", "&quot;&#39;&amp;"), ("\"\u{301}", "&quot;\u{301}"), ("<\u{338}", "&lt;\u{338}"),
        ("Björk & 坂本龍一", "Björk &amp; 坂本龍一"), ("", ""),
    ])
    func `code points that browsers take for mark-up are escaped, whatever they are combined with`(
        text: String, escaped: String
    ) {
        #expect(Array(PageText().escapeText(text).unicodeScalars) == Array(escaped.unicodeScalars))
    }

    @Test func `every page escapes so, within the layout and within parts`() throws {
        let pages = try Pages()
        let page = pages.error(ServiceError(.badRequest, "\"\u{301}<\u{338}b>"))
        #expect(page.unicodeScalars.contains("\u{338}"))
        #expect(page.contains("&quot;\u{301}") && page.contains("&lt;\u{338}b&gt;"))
    }
}
