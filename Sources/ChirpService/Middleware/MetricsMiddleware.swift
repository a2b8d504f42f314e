internal import HTTPTypes
internal import Hummingbird

/// Counts answered requests by route and status, and measures how long they take.
struct MetricsMiddleware: RouterMiddleware {
    let metrics: ServiceMetrics

    func handle(
        _ request: Request, context: ServiceContext, next: (Request, ServiceContext) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        let response = try await next(request, context)
        metrics.answered(
            route: context.endpointPath ?? "none", method: request.method, status: response.status.code,
            duration: ContinuousClock.now - start)
        return response
    }
}
