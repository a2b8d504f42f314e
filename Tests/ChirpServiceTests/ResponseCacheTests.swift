import Chirp
import ChirpLinks
import NIOCore
import Testing

@testable import ChirpService

@Suite struct ResponseCacheTests {
    private func record(_ code: String, url: String, title: String? = nil) throws -> LinkRecord {
        LinkRecord(
            code: try Shortcode(parsing: code), link: .url(try WebAddress(url)), title: title, claimedMediaType: nil,
            created: Timestamp(seconds: 1_342_396_800), expires: nil, clientKind: "api")
    }

    /// More records than are kept, so that some are dropped and made again.
    @Test func `a kept answer is that of its own record and address, and never another's`() throws {
        let cache = ResponseCache()
        var generator = SystemRandomNumberGenerator()
        let codes = (0..<1_500).map { _ in Shortcode.random(using: &generator).description }
        for round in 0..<2 {
            for (index, code) in codes.enumerated() {
                let record = try record(
                    code, url: "https://example.org/\(index)", title: round == 0 ? nil : "t\(index)")
                for base in ["http://a.test", "http://b.test"] {
                    let response = cache.chirp(record, baseURL: base)
                    #expect(response == ResponseCache().chirp(record, baseURL: base))
                    #expect(String(buffer: response).contains("\"url\":\"https://example.org/\(index)\""))
                }
            }
        }
    }
}
