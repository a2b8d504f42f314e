import Testing

@testable import ChirpService

@Suite struct AcceptHeaderTests {
    @Test(
        arguments: [
            ([], nil),
            (["*/*"], nil),
            (["image/png"], nil),
            (["application/json"], "application/json"),
            (["application/json, text/plain, */*"], "application/json"),
            (["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"], "text/html"),
            (["application/json;q=0.5, text/html;q=0.9"], "text/html"),
            (["text/html;q=0.5", "APPLICATION/JSON; Q=0.9"], "application/json"),
            (["application/json, text/html"], "application/json"),
            (["application/json;q=0.1, text/*;q=0.9"], "text/html"),
            (["text/html;q=0, */*"], "application/json"),
            (["text/html;q=0.2, */*;q=0.7"], "application/json"),
            (["application/*"], "application/json"),
            (["application/json;q=0"], nil),
            ([",;,q=1"], nil),
        ] as [([String], String?)])
    func `the preferred type has the greatest weight by the most specific range`(values: [String], type: String?) {
        #expect(AcceptHeader(values).preferred(of: ["text/html", "application/json"]) == type)
    }
}
