internal import ArgumentParser
internal import ChirpLinks
internal import Foundation

/// The registry that a command uses.
struct RegistryOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Registry: \(RegistryLocation.acceptedForms). Default: CHIRP_REGISTRY, or your local registry file.",
            valueName: "path or URL"))
    var registry: String?

    func validate() throws { _ = try validated { try registry.map { try RegistryLocation(parsing: $0) } } }

    /// Whether a registry was named; the default one may not exist yet.
    var isNamed: Bool { registry != nil || environment["CHIRP_REGISTRY"]?.isEmpty == false }

    /// - Throws: ``RegistryLocationError``
    func location() throws -> RegistryLocation { try Self.location(registry) }

    /// The registry of a name, or of the environment where there is none.
    ///
    /// - Throws: ``RegistryLocationError``
    static func location(_ name: String?) throws -> RegistryLocation {
        try name.map { try RegistryLocation(parsing: $0) } ?? RegistryLocation(environment: environment)
    }

    /// Checks that a SQLite file exists, for commands that only read: elsewhere the file is created.
    ///
    /// - Parameter isNamed: whether the registry was named by the user, who then expects it to be there.
    /// - Throws: ``ContentProblem``, ``RegistryLocationError``
    func checkExists(isNamed: Bool) throws {
        guard isNamed, case .sqlite(let path) = try location(), isMissing(path) else { return }
        throw ContentProblem(
            path: path,
            reason: "there is no registry here; check --registry and CHIRP_REGISTRY, or share something first")
    }

    func open() throws -> any Registry {
        // A user is waiting: long enough for a server to restart, short enough for one that is down.
        try location().open(retryTimeout: .seconds(5), key: environment[RegistryAPI.keyVariable])
    }
}

/// The variables that the program was started with.
let environment = ProcessInfo.processInfo.environment

extension RegistryLocation {
    /// The address of the service whose registry it is, for the pages of notes, data and files: without user and password, as it is shown.
    var serviceURL: String? {
        guard case .http(let url) = self else { return nil }
        guard var parts = URLComponents(string: url), parts.user != nil || parts.password != nil else { return url }
        parts.user = nil
        parts.password = nil
        return parts.string
    }
}
