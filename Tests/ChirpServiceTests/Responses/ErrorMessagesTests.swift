import ChirpLinks
import HTTPTypes
import RegistryConformance
import Testing

@testable import ChirpService

@Suite struct ErrorMessagesTests {
    @Test(arguments: Nouns.all)
    func `a rule without a case of its own is told with the word for the kind`(kind: LinkKind, noun: String) {
        let error = LinkError.invalid(kind, reason: "it rhymes")
        #expect(error.message == "The \(noun) cannot be shared: it rhymes.")
        #expect(error.status == .badRequest)
    }
}
