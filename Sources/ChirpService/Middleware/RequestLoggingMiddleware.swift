internal import HTTPTypes
internal import Hummingbird
internal import Logging

/// One line of log for every request: what reads at level debug, everything else at level info.
struct RequestLoggingMiddleware: RouterMiddleware {
    func handle(
        _ request: Request, context: ServiceContext, next: (Request, ServiceContext) async throws -> Response
    ) async throws -> Response {
        let level: Logger.Level = request.isReading ? .debug : .info
        guard context.logger.logLevel <= level else { return try await next(request, context) }
        let start = ContinuousClock.now
        let response = try await next(request, context)
        let milliseconds = (ContinuousClock.now - start) / .milliseconds(1)
        context.logger.log(
            level: level, "request",
            metadata: [
                "method": "\(request.method)", "path": "\(request.uri.path)",
                "status": .stringConvertible(response.status.code),
                "client": "\(context.clientAddress)", "ms": .stringConvertible((milliseconds * 10).rounded() / 10),
            ])
        return response
    }
}
