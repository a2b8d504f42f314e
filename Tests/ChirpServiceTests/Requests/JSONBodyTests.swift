import HTTPTypes
import Testing

@testable import ChirpService

@Suite struct JSONBodyTests {
    private func refusal(_ text: String) -> ServiceError? {
        do {
            _ = try JSONBody.decode([String: [Int]].self, text.utf8)
            return nil
        } catch {
            return error as? ServiceError
        }
    }

    @Test func `more values than a link has are refused before any is decoded`() {
        let values = { (count: Int) in "{\"a\":[" + String(repeating: "1,", count: count - 1) + "1]}" }
        #expect(refusal(values(JSONBody.valueLimit - 1)) == nil)
        #expect(refusal(values(JSONBody.valueLimit))?.status == .contentTooLarge)
        #expect(refusal("{\"a\":[" + String(repeating: "[],", count: 6_000))?.status == .contentTooLarge)
    }

    @Test func `what is nested too deep is refused`() {
        #expect(refusal(String(repeating: "[", count: 200))?.status == .badRequest)
        #expect(refusal(String(repeating: "{\"a\":", count: 200))?.status == .badRequest)
    }

    @Test func `what stands in strings does not count`() throws {
        let text = String(repeating: "[{,\\\"", count: 9_000)
        #expect(try JSONBody.decode([String: String].self, "{\"a\":\"\(text)\"}".utf8).count == 1)
        #expect(try JSONBody.decode([String: String].self, #"{"a\\":"\\","b":"[[["}"#.utf8).count == 2)
    }
}
