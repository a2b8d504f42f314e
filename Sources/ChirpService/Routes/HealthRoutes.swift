internal import ChirpLinks
internal import ChirpReport
internal import HTTPTypes
internal import Hummingbird

/// How the service is, and what it answers to.
struct HealthRoutes: Sendable {
    let registry: any Registry

    var routes: [Route] { [Route(.get, "/healthz", health), Route(.get, "/openapi.json", description)] }

    private func health(_ request: Request, _ context: ServiceContext) async throws -> Response {
        do throws(RegistryError) {
            let state = try await registry.check()
            return .json(
                Self.health(
                    "ok",
                    [
                        .init("state", "ok"), .init("store", .string(state.store)),
                        .init("schema_version", .integer(state.schemaVersion)),
                    ]))
        } catch {
            let refusal = RegistryAPI.refusal(for: error)
            var answer = ServiceError(error).json(requestID: context.id).members
            answer += Self.health("unavailable", [.init("state", .string(refusal.reason.rawValue))]).members
                .filter { $0.key != "status" }
            return .json(.object(answer), status: .serviceUnavailable)
        }
    }

    private static func health(_ status: JSONValue, _ registry: [JSONValue.Member]) -> JSONValue {
        .object([.init("status", status), .init("registry", .object(registry))])
    }

    private func description(_ request: Request, _ context: ServiceContext) async throws -> Response {
        .text(Resource.description, type: "application/json")
    }
}
