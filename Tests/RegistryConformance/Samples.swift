internal import Chirp
internal import ChirpLinks

/// Links that no other check has.
enum Sample {
    /// A word that occurs nowhere else: sixteen letters drawn at random.
    static func word() -> String {
        String((0..<16).map { _ in Character(UnicodeScalar(UInt8.random(in: 97...122))) })
    }

    static func url(_ word: String = word()) throws -> Link { .url(try WebAddress("https://example.org/\(word)")) }

    static func code() -> Shortcode {
        var generator = SystemRandomNumberGenerator()
        return .random(using: &generator)
    }

    /// A small PNG file's beginning, then bytes of every value.
    static func picture(_ word: String = word()) -> [UInt8] {
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Array(0...255) + Array(word.utf8) + Array(0...255)
    }

    /// One draft of every kind.
    static func drafts(expires: Timestamp? = nil) throws -> [LinkDraft] {
        let word = word()
        let name = try UserName("u" + word.prefix(12))
        let week = try ChartWeek(from: 1_108_900_801, to: 1_109_505_601)
        let links: [Link] = [
            .user(name), .chart(name, week), try url(word),
            .text(try NoteText("\(word)\nline two with “quotes”, a tab\t, a backslash \\ and 🎶\u{1F}")),
            .data(
                try DataObject([
                    "word": .string(word), "list": .array([.integer(9_007_199_254_740_993), .number(0.1), .null]),
                    "nothing": .object([:]), "zero\0": .bool(true),
                ])),
        ]
        return try links.enumerated().map { index, link in
            try LinkDraft(
                link, title: index % 2 == 0 ? "Title’s \(index) “\(word)” \\ % _" : nil,
                claimedMediaType: index == 2 ? "text/x-url" : nil, expires: expires, clientKind: "conformance")
        } + [
            try LinkDraft(
                fileNamed: "\(word) – ünï.png", bytes: picture(word), title: "A picture", expires: expires,
                clientKind: "conformance")
        ]
    }

    /// An entry that has expired, which a registry takes over from another but lets nobody register.
    static func expired(_ link: Link, code: Shortcode = code()) -> RegistryEntry {
        RegistryEntry(
            record: LinkRecord(
                code: code, link: link, title: nil, claimedMediaType: nil, created: Timestamp(milliseconds: 1_000),
                expires: Timestamp(milliseconds: 2_000), clientKind: "conformance"),
            tokenDigest: [UInt8](repeating: 1, count: 32), content: nil)
    }

    static func draft(_ link: Link, code: Shortcode? = nil, expires: Timestamp? = nil) throws -> LinkDraft {
        try LinkDraft(link, code: code, expires: expires, clientKind: "conformance")
    }
}
