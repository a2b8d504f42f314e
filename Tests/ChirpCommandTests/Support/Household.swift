import ChirpLinks
import Foundation
import LastFMStandIn
import RegistryConformance
import Testing

/// The URL of an empty database on the server that all tests share.
func makeDatabase() async throws -> String {
    let server = try await PostgresServer.shared()
    return try await blocking { try server.makeDatabase() }
}

/// A person's folders and settings, apart from everybody else's.
struct Household: Sendable {
    let folder: TemporaryFolder
    var environment: [String: String]

    /// - Parameter registry: what CHIRP_REGISTRY says; nil for the default in the person's folder.
    init(registry: String? = nil, lastFM: LastFMStandIn? = nil) throws {
        folder = try TemporaryFolder()
        environment = [
            "XDG_DATA_HOME": folder.path("data"), "XDG_CACHE_HOME": folder.path("cache"), "CHIRP_HISTORY": "on",
            "CHIRP_REGISTRY": registry ?? "", "CHIRP_REGISTRY_KEY": "", "LASTFM_API_URL": lastFM?.url ?? "",
            "LASTFM_API_KEY": lastFM == nil ? "" : LastFMStandIn.key, "TZ": "UTC",
        ]
    }

    var registryPath: String { folder.path("data/chirp/registry.sqlite") }
    var historyPath: String { folder.path("data/chirp/history.sqlite") }

    /// Runs `chirp` as this person.
    func chirp(_ arguments: String..., registry: String? = nil) async throws -> Run {
        try await chirp(arguments, registry: registry)
    }

    func chirp(_ arguments: [String], registry: String? = nil) async throws -> Run {
        var environment = environment
        if let registry { environment["CHIRP_REGISTRY"] = registry }
        return try await ChirpProcess.run(arguments, in: folder.path, environment: environment)
    }

    /// Shares something and returns its code.
    func share(_ arguments: String..., registry: String? = nil) async throws -> String {
        let run = try await chirp(["share"] + arguments, registry: registry)
        #expect(run.status == 0 && run.errors == "", "\(run)")
        return try #require(run.outputLines.first)
    }
}

extension Run {
    /// The one line of standard error of a run that failed and printed nothing.
    func failure() throws -> String {
        #expect(status == 2 && output == "", "\(self)")
        #expect(errorLines.count == 1, "\(errors)")
        let line = try #require(errorLines.first)
        #expect(line.hasPrefix("chirp: ") && !line.contains("correct horse") && !line.contains("Error("), "\(line)")
        return line
    }

    /// The objects that standard output has, one a line.
    func objects() throws -> [[String: Any]] {
        try outputLines.map { try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]) }
    }
}
