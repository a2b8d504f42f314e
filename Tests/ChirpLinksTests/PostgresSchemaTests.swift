import Foundation
import RegistryConformance
import Testing

@testable import ChirpLinks

@Suite struct PostgresSchemaTests {
    /// The step that the first kind after the original six brings.
    @Test func `tables of the first version admit every kind after their step, and no other nonsense`() async throws {
        let server = try await PostgresServer.shared()
        let url = try await makeDatabase()
        let database = try #require(url.split(separator: "/").last.map(String.init))
        let registry = PostgresRegistry(url: url)
        let registration = try await registry.register(LinkDraft(.text(NoteText("kept")), clientKind: "test"))
        let admitPlaces = "UPDATE chirp_link SET kind = 'place'"
        await #expect(throws: (any Error).self) {
            try await blocking { try server.execute(admitPlaces, database: database) }
        }
        _ = try await blocking { try server.execute(PostgresSchema.admittingEveryKind, database: database) }
        #expect(try await registry.record(of: registration.record.code) == registration.record)
        _ = try await blocking { try server.execute(admitPlaces, database: database) }
        await #expect(throws: (any Error).self) {
            try await blocking { try server.execute("UPDATE chirp_link SET week_from = 1", database: database) }
        }
        await #expect {
            try await registry.record(of: registration.record.code)
        } throws: { error in
            guard case .store(let failure) = error as? RegistryError else { return false }
            return failure.reason == .other && failure.message.contains("“place”, which this version does not know")
        }
        await registry.close()
    }
}
