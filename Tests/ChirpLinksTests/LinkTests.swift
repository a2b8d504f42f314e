import Chirp
import Testing

@testable import ChirpLinks

@Suite struct LinkTests {
    @Test(arguments: LinkKind.allCases)
    func `a kind has a type of its own, whose members are those of other kinds with the same names`(kind: LinkKind) {
        #expect(kind.content.kind == kind)
        #expect(Set(kind.content.members).isSubset(of: LinkJSONMember.all))
    }

    @Test(arguments: ["rj", "RJ", "last-fm_2", "abcdefghijklmno"])
    func `a Last.fm name is taken as it is spelled`(name: String) throws {
        #expect(try UserName(name).text == name)
    }

    @Test(arguments: [
        ("a", LinkError.userNameLength("a")), ("", .userNameLength("")),
        ("abcdefghijklmnop", .userNameLength("abcdefghijklmnop")), ("1abc", .userNameStart("1abc")),
        ("a b", .userNameCharacter("a b", " ")), ("jürgen", .userNameCharacter("jürgen", "ü")),
        ("a/b", .userNameCharacter("a/b", "/")),
    ])
    func `what Last.fm gives no user as a name is refused with the reason`(name: String, error: LinkError) {
        #expect(throws: error) { try UserName(name) }
    }

    @Test(arguments: [
        ("api", "api"), (String(repeating: "a", count: 50), String(repeating: "a", count: 40)),
        ("a" + String(repeating: " ", count: 50) + "b", "a"), ("\u{7F}a\u{7F}b ", "a b"),
        ("b" + String(repeating: "\u{301}", count: 400), ""),
    ])
    func `the kind of program is a line of 40 characters that stays as it is when it is read again`(
        text: String, kept: String
    ) {
        #expect(LinkRecord.cleanedClientKind(text) == kept)
        #expect(LinkRecord.cleanedClientKind(kept) == kept)
    }

    @Test(arguments: [
        ("a.jpg", "a.jpg"), ("/a\\b/ c\nd.jpg ", "c d.jpg"), ("...", "file.jpg"), ("", "file.jpg"),
        ("x" + String(repeating: ".", count: 130), "file.jpg"),
        ("x" + String(repeating: " ", count: 130) + ".jpg", ".jpg"),
        (String(repeating: "x", count: 130) + ".jpg", String(repeating: "x", count: 116) + ".jpg"),
    ])
    func `a file's name is the end of one line, wherever it is read`(text: String, kept: String) throws {
        let file = try FileDescription(name: text, bytes: [0xFF, 0xD8, 0xFF, 0xE0])
        #expect(file.name == kept)
        let asWritten = FileDescription(name: text, mediaType: .jpeg, byteCount: 4, digest: file.digest)
        let summary = LinkSummary(.file(asWritten), title: nil, claimedMediaType: nil)
        #expect(try FileDescription(summary).name == kept)
        var columns = asWritten.columns
        (columns.mediaType, columns.identity) = (MediaType.jpeg.rawValue, file.digest)
        #expect(try FileDescription(columns).name == kept)
        #expect(try FileDescription(name: kept, bytes: [0xFF, 0xD8, 0xFF, 0xE0]).name == kept)
    }

    @Test(arguments: [
        "9999-12-31T23:59:59.9996Z", "2020-01-01T00:00:0x1pZ", "2020-01-01T00:00:1e1Z", "2020-01-01T+1:00:00Z",
        "2020-01-01T00:00:nanZ", "2020-01-01T00:00:60Z", "2020-01-01T00:00Z", "2020-01-01T:00:00:00Z",
        "2020-01-01T00:00:1.2.3Z", "2020-01-01T00:00:00", "2020-02-30T00:00:00Z",
    ])
    func `what is no instant of a year of four digits is none`(text: String) {
        #expect(Timestamp(text) == nil)
    }

    @Test(arguments: [
        ("9999-12-31T23:59:59.9994Z", "9999-12-31T23:59:59.999Z"), ("2020-01-01T00:00:00Z", "2020-01-01T00:00:00.000Z"),
        ("2020-12-31T23:59:59.99951Z", "2021-01-01T00:00:00.000Z"),
        ("0000-01-01T01:02:03.5Z", "0000-01-01T01:02:03.500Z"),
    ])
    func `an instant is read to the millisecond and again as it was written`(text: String, written: String) {
        #expect(Timestamp(text)?.description == written)
        #expect(Timestamp(written)?.description == written)
    }

    @Test func `names in two spellings and weeks whose bounds are a second apart are one chart`() throws {
        let a = Link.chart(try UserName("RJ"), try ChartWeek(from: 1_108_296_002, to: 1_108_900_802))
        let b = Link.chart(try UserName("rj"), try ChartWeek(from: 1_108_296_000, to: 1_108_900_801))
        let next = Link.chart(try UserName("rj"), try ChartWeek(from: 1_108_900_801, to: 1_109_505_601))
        #expect(a == b && a.identity == b.identity)
        #expect(a != next && a.identity != next.identity)
    }

    @Test func `the page of a week is the seven days from its Sunday on`() throws {
        let week = try ChartWeek(from: 1_108_296_002, to: 1_108_900_802)
        #expect(
            try UserName("rj").chartURL(week: week)
                == "https://www.last.fm/user/rj/library/albums?from=2005-02-13&to=2005-02-19")
        #expect(week.number == 0)
    }

    @Test(arguments: [
        (0, 604_800), (1_108_900_802, 1_108_296_002), (1_108_296_002, 1_108_296_002 + 1_209_600), (1, .min),
        (.max, .min), (.max - 604_800, .max),
    ])
    func `bounds that are no week are refused`(from: Int64, to: Int64) {
        #expect(throws: LinkError.notAWeek(from: from, to: to)) { try ChartWeek(from: from, to: to) }
    }

    @Test func `an address at the limit is taken and read from a registry, though its normal form is longer`() throws {
        let longest = "https://example.org?" + String(repeating: "a", count: WebAddress.byteLimit - 20)
        let address = try WebAddress(longest)
        #expect(address.normalised.utf8.count == WebAddress.byteLimit + 1)
        #expect(try WebAddress(address.columns) == address)
        #expect(throws: LinkError.addressLength(2_049, limit: 2_048)) { try WebAddress(longest + "a") }
    }

    @Test(arguments: [
        ("https://example.org", "https://example.org/"), ("HTTP://Example.ORG:80/A?b#c", "http://example.org/A?b#c"),
        (" https://example.org/a b".replacing(" b", with: "%20b"), "https://example.org/a%20b"),
        ("https://example.org:8443?q=1", "https://example.org:8443/?q=1"),
        ("http://[::1]:8080/x", "http://[::1]:8080/x"), ("https://example.org/ä", "https://example.org/ä"),
        ("https://Bücher.Example", "https://bücher.example/"), ("https://ex%61mple.org/", "https://example.org/"),
    ])
    func `an address is compared by scheme, host, port and path`(text: String, normalised: String) throws {
        #expect(try WebAddress(text).normalised == normalised)
    }

    @Test(arguments: [
        ("ftp://example.org", LinkError.addressScheme("ftp://example.org")),
        ("javascript:alert(1)", .addressScheme("javascript:alert(1)")),
        ("example.org", .addressScheme("example.org")), ("", .malformedAddress("")),
        ("https://", .addressHost("https://")), ("https:///path", .addressHost("https:///path")),
        ("https://a:b@example.org/", .addressCredentials),
        ("https://example.org%2f.example.net/", .addressHost("https://example.org%2f.example.net/")),
        ("https://evil.example\\@good.example/", .addressHost("https://evil.example\\@good.example/")),
        ("https://example.org%40/", .addressHost("https://example.org%40/")),
        ("https://bücher%26x.example/", .addressHost("https://bücher%26x.example/")),
        ("https://example.org/a b", .malformedAddress("https://example.org/a b")),
        ("https://example.org/\u{202E}", .malformedAddress("https://example.org/\u{202E}")),
        ("https://example.org:99999/", .addressPort("https://example.org:99999/")),
    ])
    func `an address that is no http or https address with a host is refused`(text: String, error: LinkError) {
        #expect(throws: error) { try WebAddress(text) }
    }

    @Test func `a note has 1 to 1,000 characters, however many bytes each has`() throws {
        #expect(try NoteText(String(repeating: "ä", count: 1_000)).text.count == 1_000)
        #expect(throws: LinkError.textLength(1_001, limit: 1_000)) {
            try NoteText(String(repeating: "a", count: 1_001))
        }
        #expect(throws: LinkError.emptyText) { try NoteText(" \n") }
        #expect(throws: LinkError.textCharacter) { try NoteText("a\0b") }
    }

    @Test func `an object is compared by its keys and values, and keeps large whole numbers`() throws {
        let a = try DataObject(parsing: #"{"b":[1,2.5,null,true],"a":9007199254740993}"#)
        let b = try DataObject(parsing: #"{ "a" : 9007199254740993, "b" : [1, 2.5, null, true] }"#)
        #expect(a == b)
        #expect(a.canonicalText == #"{"a":9007199254740993,"b":[1,2.5,null,true]}"#)
        #expect(throws: LinkError.notAnObject(reason: "it cannot be read as JSON")) { try DataObject(parsing: "[1") }
        for value in ["[1]", "1", "\"a\""] {
            #expect(throws: LinkError.notAnObject(reason: "it is JSON, but not an object such as {\"a\": 1}")) {
                try DataObject(parsing: value)
            }
        }
        let largest = try DataObject(["a": .string(String(repeating: "x", count: 8_184))])
        #expect(largest.canonicalText.utf8.count == DataObject.byteLimit)
        #expect(throws: LinkError.dataLength(8_193, limit: 8_192)) {
            try DataObject(["a": .string(String(repeating: "x", count: 8_185))])
        }
    }

    @Test func `an object that programs could not read again is refused`() throws {
        let nested = { (levels: Int) in
            String(repeating: "{\"a\":", count: levels - 1) + "{}" + String(repeating: "}", count: levels - 1)
        }
        #expect(try DataObject(parsing: nested(100)).canonicalText == nested(100))
        #expect(throws: LinkError.invalid(.data, reason: "it is nested deeper than 100 levels")) {
            try DataObject(parsing: nested(101))
        }
    }

    @Test(arguments: [
        ("invoice.hta", "invoice.hta.pdf"), ("Invoice.PDF", "Invoice.PDF"), ("cover.jpg", "cover.jpg"), ("a", "a.pdf"),
        ("pdf", "pdf.pdf"), ("a.", "a..pdf"), ("page.pdf.html", "page.pdf.html.pdf"),
    ])
    func `a file is saved under a name that says no other kind of file`(name: String, saved: String) {
        #expect(MediaType.pdf.savedName(of: name) == saved)
    }

    @Test(arguments: [
        (MediaType.png, [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0]),
        (.jpeg, [0xFF, 0xD8, 0xFF, 0xE0]), (.gif, Array("GIF89a".utf8)),
        (.webp, Array("RIFF\u{1}\u{1}\u{1}\u{1}WEBPVP8 ".utf8)), (.pdf, Array("%PDF-1.7".utf8)),
    ])
    func `a file's type is reported from its bytes`(type: MediaType, bytes: [UInt8]) throws {
        #expect(try FileDescription(name: "page.html", bytes: bytes).mediaType == type)
    }

    @Test func `a file that is no picture or PDF, empty or too large is refused`() throws {
        #expect(throws: LinkError.fileType) { try FileDescription(name: "a.png", bytes: Array("<html>".utf8)) }
        #expect(throws: LinkError.emptyFile) { try FileDescription(name: "a.png", bytes: []) }
        let largest = Array("%PDF-".utf8) + [UInt8](repeating: 0, count: FileDescription.byteLimit - 5)
        #expect(try FileDescription(name: "a.pdf", bytes: largest).byteCount == FileDescription.byteLimit)
        #expect(throws: LinkError.fileLength(10_485_761, limit: 10_485_760)) {
            try FileDescription(name: "a.pdf", bytes: largest + [0])
        }
    }

    @Test(arguments: [
        ("../../etc/passwd", "passwd"), ("C:\\a\\b.pdf", "b.pdf"), ("a\u{1B}[31m\r\n.pdf", "a [31m  .pdf"),
        ("..", "file.pdf"), ("", "file.pdf"),
    ])
    func `a file's name has no folders and no control characters`(given: String, kept: String) throws {
        #expect(try FileDescription(name: given, bytes: Array("%PDF-1.7".utf8)).name == kept)
    }

    @Test func `a title is one line of at most 500 characters`() throws {
        let link = Link.text(try NoteText("a"))
        #expect(try LinkDraft(link, title: " a\n\u{1B}b ", clientKind: "test").title == "a  b")
        #expect(try LinkDraft(link, title: "\n", clientKind: "test").title == nil)
        #expect(throws: LinkError.titleLength(501, limit: 500)) {
            try LinkDraft(link, title: String(repeating: "x", count: 501), clientKind: "test")
        }
        #expect(throws: LinkError.mediaType("html")) {
            try LinkDraft(link, claimedMediaType: "html", clientKind: "test")
        }
    }

    @Test(arguments: ["gsm2h88c7u", "0000000000", "vvvvvvvvvv", "0000000001"])
    func `a code is a number of 50 bits and back`(text: String) throws {
        let code = try Shortcode(parsing: text)
        #expect(Shortcode(number: code.number) == code)
        #expect(Shortcode(number: -1) == nil && Shortcode(number: 1 << 50) == nil)
    }
}

@Suite struct SHA256Tests {
    /// FIPS 180-4's examples, and that of no bytes at all.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func `digests are those of the standard`(text: String, digest: String) {
        #expect(hexadecimal(SHA256.digest(of: text)) == digest)
    }
}
