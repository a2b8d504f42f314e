internal import Chirp
internal import ChirpLinks
internal import Foundation

extension RegistryRule {
    func checkMove(_ registry: any Registry, _ other: any Registry) async throws {
        var drafts = try Sample.drafts()
        drafts += try Sample.drafts(expires: Timestamp.now.advanced(by: .seconds(86_400)))
        var codes: Set<Shortcode> = []
        for draft in drafts { codes.insert(try await registry.register(draft).record.code) }
        let entries = try await Self.entries(of: registry, among: codes)
        try require(entries.count == drafts.count, "\(entries.count) of \(drafts.count) entries were listed")
        let lines = try entries.map(Self.line)
        let read = try lines.map { try JSONDecoder().decode(RegistryEntry.self, from: $0) }
        let outcome = try await other.add(read)
        try require(outcome.added == drafts.count && outcome.conflicts.isEmpty, "the import ended \(outcome)")
        let back = try await Self.entries(of: other, among: codes).map(Self.line)
        try require(back == lines, "entries came back changed")
        for entry in entries {
            try require(try await other.record(of: entry.record.code) == entry.record, "a look-up differs")
        }
        for draft in drafts {
            let again = try await other.register(draft)
            try require(codes.contains(again.record.code), "a moved link got another code")
            try require(
                try await other.delete(again.record.code, token: draft.deletionToken), "its token does not hold")
        }
    }

    func checkImportTwice(_ registry: any Registry, _ other: any Registry) async throws {
        let codes = try await Self.register(try Sample.drafts(), in: other)
        let entries = try await Self.entries(of: other, among: codes)
        let first = try await registry.add(entries)
        try require(first.added == entries.count, "the first import ended \(first)")
        let second = try await registry.add(entries)
        try require(second.added == 0 && second.present == entries.count, "the second import ended \(second)")
    }

    func checkContradiction(_ registry: any Registry) async throws {
        let a = try await registry.register(try Sample.draft(Sample.url())).record
        let digest = [UInt8](repeating: 1, count: 32)
        func entry(_ code: Shortcode, _ link: Link) -> RegistryEntry {
            RegistryEntry(
                record: LinkRecord(
                    code: code, link: link, title: nil, claimedMediaType: nil, created: .now, expires: nil,
                    clientKind: "import"), tokenDigest: digest, content: nil)
        }
        let free = Sample.code()
        let sameCode = entry(a.code, try Sample.url())
        let sameLink = entry(free, a.link)
        let outcome = try await registry.add([sameCode, sameLink])
        try require(outcome.added == 0, "something was added")
        try require(outcome.conflicts == [a.code.description, free.description], "conflicts: \(outcome.conflicts)")
        try require(try await registry.record(of: a.code) == a, "the link changed")
        try require(try await registry.record(of: free) == nil, "the link got a second code")
    }

    func checkWholeImport(_ registry: any Registry) async throws {
        let digest = [UInt8](repeating: 1, count: 32)
        let good = LinkRecord(
            code: Sample.code(), link: try Sample.url(), title: nil, claimedMediaType: nil, created: .now,
            expires: nil, clientKind: "import")
        let file = LinkRecord(
            code: Sample.code(), link: .file(try FileDescription(name: "a.png", bytes: Sample.picture())), title: nil,
            claimedMediaType: nil, created: .now, expires: nil, clientKind: "import")
        try await requireThrows(.contentMissing(file.code)) {
            try await registry.add([
                RegistryEntry(record: good, tokenDigest: digest, content: nil),
                RegistryEntry(record: file, tokenDigest: digest, content: nil),
            ])
        }
        try require(try await registry.record(of: good.code) == nil, "the entry before the failure stayed")
    }

    /// Equal links may differ in spelling; their lines do not.
    private static func line(_ entry: RegistryEntry) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try encoder.encode(entry)
    }

    private static func register(_ drafts: [LinkDraft], in registry: any Registry) async throws -> Set<Shortcode> {
        var codes: Set<Shortcode> = []
        for draft in drafts { codes.insert(try await registry.register(draft).record.code) }
        return codes
    }

    /// The entries with these codes, all pages through, files with their bytes.
    private static func entries(of registry: any Registry, among codes: Set<Shortcode>) async throws
        -> [RegistryEntry]
    {
        var found: [RegistryEntry] = []
        var last: Shortcode?
        while case let page = try await registry.entries(after: last, limit: 5), !page.isEmpty {
            last = page.last?.record.code
            found += page.filter { codes.contains($0.record.code) }
        }
        for index in found.indices where found[index].record.link.kind == .file {
            found[index].content = try await registry.content(of: found[index].record.code)
        }
        return found
    }
}
