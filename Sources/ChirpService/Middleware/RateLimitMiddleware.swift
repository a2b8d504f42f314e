internal import CoreMetrics
internal import HTTPTypes
internal import Hummingbird

/// Refuses clients that ask for too much.
struct RateLimitMiddleware: RouterMiddleware {
    let buckets: TokenBuckets
    let metrics: ServiceMetrics
    /// A year: with a tiny rate the wait would not fit into an integer.
    private static let longestWaitSeconds = 31_536_000.0

    func handle(
        _ request: Request, context: ServiceContext, next: (Request, ServiceContext) async throws -> Response
    ) async throws -> Response {
        // What a page is made of costs next to nothing, and a room full of people may be behind one address.
        guard !request.uri.path.hasPrefix("/assets/") else { return try await next(request, context) }
        if let wait = buckets.consume(context.clientAddress, cost: request.isReading ? 1 : RateLimit.writeCost) {
            metrics.rateRefusals.increment()
            throw ServiceError(
                .tooManyRequests, "Too many requests from your address: try again later.",
                headers: [.retryAfter: String(Int(min(wait, Self.longestWaitSeconds).rounded(.up)))])
        }
        return try await next(request, context)
    }
}
