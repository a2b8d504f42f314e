internal import HTTPTypes
internal import Hummingbird

/// What the service counts, for the addresses that may see it.
struct MetricsRoutes: Sendable {
    let metrics: ServiceMetrics
    let allowed: [AddressRange]

    var routes: [Route] { [Route(.get, "/metrics", exposition)] }

    private func exposition(_ request: Request, _ context: ServiceContext) async throws -> Response {
        // Behind trusted proxies, the client's own address, as for the rate limit.
        guard allowed.contains(where: { $0.contains(context.clientAddress) }) else {
            throw ServiceError(.forbidden, "The metrics are for the addresses that --metrics names.")
        }
        // No page of another site may read them in a browser that may.
        return .text(
            metrics.text, type: "text/plain; version=0.0.4; charset=utf-8",
            headers: [.accessControlAllowOrigin: context.baseURL])
    }
}
