import ChirpLinks
import RegistryConformance
import Testing

@testable import chirp

@Suite struct LinkErrorsTests {
    @Test(arguments: [
        ("https://user:secret@chirp.example.org/x", "https://chirp.example.org/x"),
        ("http://chirp.example.org:8080", "http://chirp.example.org:8080"),
    ])
    func `a service's address in links has no password`(registry: String, shown: String) throws {
        #expect(try RegistryLocation(parsing: registry).serviceURL == shown)
    }

    @Test(arguments: Nouns.all)
    func `a rule without a case of its own is told with the word for the kind`(kind: LinkKind, noun: String) {
        let error = LinkError.invalid(kind, reason: "it rhymes")
        #expect(error.userMessage == "the \(noun) cannot be shared: it rhymes")
    }
}
