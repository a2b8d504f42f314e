internal import ChirpLinks
internal import ChirpService
internal import ChirpSound
internal import Foundation
internal import NIOCore
internal import NIOPosix

/// Tries what a service needs, without serving: `chirp serve --check`.
///
/// One line for each thing on standard output; for temporary files only where none can be made. The first thing that does not work is
/// the error that the command ends with.
struct ServiceCheck {
    let settings: ServiceConfiguration
    let location: RegistryLocation
    let store: any Registry

    func run() async throws {
        var failure: (any Error)?
        func report(_ subject: String, _ check: () async throws -> String?) async throws {
            do {
                guard let result = try await check() else { return }
                try StandardOutput.print("\(subject): \(result)")
            } catch let error as OutputError {
                throw error
            } catch {
                try StandardOutput.print("\(subject): does not work: \(userMessage(for: error))")
                failure = failure ?? error
            }
        }
        try await report("address", listening)
        try await report("temporary files") {
            // Nobody asks for them while they can be made.
            close(try TemporaryFile.open())
            return nil
        }
        try await report("registry") { try await registry() }
        try await report("registry key") { registryKey }
        try await report("Last.fm key") { try await lastFMKey() }
        await store.close()
        if let failure { throw failure }
    }

    /// Binds the address and lets go of it.
    private func listening() async throws -> String {
        do {
            let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .bind(host: settings.host, port: settings.port).get()
            try await channel.close().get()
        } catch {
            throw ServeProblem(host: settings.host, port: settings.port, cause: error)
        }
        return "can listen on \(settings.host), port \(settings.port)"
    }

    /// Registers a link that expires, finds it, and deletes it again.
    private func registry() async throws -> String {
        let isNew = try await store.check().schemaVersion == 0
        let draft = try LinkDraft(
            .text(NoteText("chirp serve --check \(UUID().uuidString)")),
            expires: Timestamp.now.advanced(by: .seconds(60)),
            clientKind: "check")
        let code = try await store.register(draft).record.code
        guard try await store.record(of: code) != nil, try await store.delete(code, token: draft.deletionToken) else {
            throw RegistryError.store(
                StoreFailure(
                    reason: .other, location: "\(location)", operation: "check",
                    message: "does not keep what it is given"))
        }
        let state = try await store.check()
        let note = isNew ? "; there was none here, and it has been created" : ""
        return "\(state.store) at \(location) works, schema version \(state.schemaVersion)\(note)"
    }

    private var registryKey: String {
        guard let key = settings.registryKey, !key.isEmpty else {
            return "\(RegistryAPI.keyVariable) is not set; other machines cannot list, export and import"
        }
        return "set, \(key.utf8.count) bytes\(key.utf8.count < 16 ? "; fewer than 16 can be guessed" : "")"
    }

    /// Asks for the weeks of a user, which every key may, and for some in the future, so that no cache has them.
    private func lastFMKey() async throws -> String {
        guard let client = settings.lastFM else { return "LASTFM_API_KEY is not set; there are no charts" }
        let name = try UserName("rj")
        do throws(LastFMError) {
            _ = try await client.weeks(for: name, until: Timestamp.now.advanced(by: .seconds(90 * 86_400)))
        } catch .unknownUser {
            // The key was taken.
        }
        return "works"
    }
}
