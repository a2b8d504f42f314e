import Chirp
import ChirpSound
import Testing

@Suite struct DuplicateFilterTests {
    private func chirp(_ code: String, at start: Double, _ format: WireFormat = .original) throws -> DetectedChirp {
        DetectedChirp(
            codeword: try Codeword(parsing: code), startSeconds: start, durationSeconds: format.frameSeconds,
            snrDecibels: 0, correctedSymbolCount: 0, confidence: 1, tuningCents: 0, speed: 1, format: format)
    }

    @Test func `the same sound is reported of once, and the code again when it is played again`() throws {
        var filter = DuplicateFilter()
        for (start, passes) in [(1.0, true), (1.01, false), (0.95, false), (1.6, false), (2.75, true), (2.8, false)] {
            #expect(filter.passes(try chirp("gsm2h88c7u", at: start)) == passes)
        }
    }

    @Test func `a code is told of again in another format, as soon as the first has ended`() throws {
        var filter = DuplicateFilter()
        #expect(filter.passes(try chirp("gsm2h88c7u", at: 1, .fast)))
        #expect(filter.passes(try chirp("gsm2h88c7u", at: 1.72, .fast)))
        #expect(filter.passes(try chirp("gsm2h88c7u", at: 2.94)))
        #expect(!filter.passes(try chirp("gsm2h88c7u", at: 2.9, .fast)))
    }

    @Test func `two codes at once are both told of`() throws {
        var filter = DuplicateFilter()
        #expect(filter.passes(try chirp("gsm2h88c7u", at: 1)))
        #expect(filter.passes(try chirp("parrotbill", at: 1.1)))
    }

    @Test func `ignored codes are never told of`() throws {
        var filter = DuplicateFilter(ignoring: [try Shortcode(parsing: "gsm2h88c7u")])
        #expect(!filter.passes(try chirp("gsm2h88c7u", at: 1)))
        #expect(!filter.passes(try chirp("gsm2h88c7u", at: 100)))
        #expect(filter.passes(try chirp("parrotbill", at: 1)))
    }
}
