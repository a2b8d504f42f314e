internal import Chirp
internal import ChirpLinks

/// A registry whose failures and changes are counted.
struct CountingRegistry: Registry {
    let base: any Registry
    let metrics: ServiceMetrics

    private func counting<T>(_ operation: String, _ result: () async throws(RegistryError) -> T)
        async throws(RegistryError) -> T
    {
        do throws(RegistryError) {
            return try await result()
        } catch {
            // What a client asked for and cannot have is not a failure of the registry.
            if case .store(let failure) = error {
                metrics.registryFailed(operation, reason: RegistryAPI.refusal(for: .store(failure)).reason.rawValue)
            }
            throw error
        }
    }

    func register(_ draft: LinkDraft) async throws(RegistryError) -> Registration {
        let registration = try await counting("register") { () throws(RegistryError) in try await base.register(draft) }
        if registration.isNew { metrics.registered(registration.record.link.kind) }
        return registration
    }

    func record(of code: Shortcode) async throws(RegistryError) -> LinkRecord? {
        try await counting("record") { () throws(RegistryError) in try await base.record(of: code) }
    }

    func content(of code: Shortcode) async throws(RegistryError) -> [UInt8]? {
        try await counting("content") { () throws(RegistryError) in try await base.content(of: code) }
    }

    func delete(_ code: Shortcode, token: DeletionToken) async throws(RegistryError) -> Bool {
        let isDeleted = try await counting("delete") { () throws(RegistryError) in
            try await base.delete(code, token: token)
        }
        if isDeleted { metrics.deleted() }
        return isDeleted
    }

    func list(_ query: LinkQuery) async throws(RegistryError) -> [LinkRecord] {
        try await counting("list") { () throws(RegistryError) in try await base.list(query) }
    }

    func entries(after code: Shortcode?, limit: Int) async throws(RegistryError) -> [RegistryEntry] {
        try await counting("entries") { () throws(RegistryError) in
            try await base.entries(after: code, limit: limit)
        }
    }

    func add(_ entries: [RegistryEntry]) async throws(RegistryError) -> ImportOutcome {
        try await counting("add") { () throws(RegistryError) in try await base.add(entries) }
    }

    func removeExpired() async throws(RegistryError) -> Int {
        let count = try await counting("removeExpired") { () throws(RegistryError) in try await base.removeExpired() }
        metrics.expired(count)
        return count
    }

    func check() async throws(RegistryError) -> RegistryState {
        try await counting("check") { () throws(RegistryError) in try await base.check() }
    }

    func close() async { await base.close() }
}
