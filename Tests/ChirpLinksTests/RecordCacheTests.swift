import Chirp
import Testing

@testable import ChirpLinks

@Suite struct RecordCacheTests {
    private func row(_ code: Shortcode, note: String) throws -> LinkRow {
        LinkRow(
            LinkRecord(
                code: code, link: .text(try NoteText(note)), title: nil, claimedMediaType: nil,
                created: Timestamp(seconds: 1_342_396_800), expires: nil, clientKind: "api"), tokenDigest: [])
    }

    /// More rows than are kept, so that some are dropped and read again; each code has two rows, as after a change.
    @Test func `a kept record is that of its own row, and never another's`() throws {
        let cache = RecordCache()
        var generator = SystemRandomNumberGenerator()
        let codes = (0..<800).map { _ in Shortcode.random(using: &generator) }
        for _ in 0..<2 {
            for (index, code) in codes.enumerated() {
                for note in ["first \(index)", "second \(index)"] {
                    let row = try row(code, note: note)
                    let record = try #require(cache.record(of: row))
                    #expect(record.code == code)
                    #expect(try record.link == .text(NoteText(note)))
                    #expect(record == row.record)
                }
            }
        }
    }

    @Test func `a row that no version has written is not a record, however often it is asked for`() throws {
        let cache = RecordCache()
        var row = try row(try Shortcode(parsing: "gsm2h88c7u"), note: "note")
        row.kind = "nonsense"
        #expect(cache.record(of: row) == nil)
        #expect(cache.record(of: row) == nil)
        row.kind = "text"
        #expect(cache.record(of: row) != nil)
    }
}
