import ChirpLinks
import RegistryConformance
import Testing

@testable import chirp

@Suite struct LinkErrorsTests {
    @Test(arguments: Nouns.all)
    func `a rule without a case of its own is told with the word for the kind`(kind: LinkKind, noun: String) {
        let error = LinkError.invalid(kind, reason: "it rhymes")
        #expect(error.userMessage == "the \(noun) cannot be shared: it rhymes")
    }
}
