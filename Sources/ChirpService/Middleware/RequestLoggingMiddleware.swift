internal import HTTPTypes
internal import Hummingbird
internal import Logging

/// One line of log for every request: what writes at level info, what reads at level debug.
struct RequestLoggingMiddleware: RouterMiddleware {
    func handle(
        _ request: Request, context: ServiceContext, next: (Request, ServiceContext) async throws -> Response
    ) async throws -> Response {
        let level: Logger.Level = request.method == .get || request.method == .head ? .debug : .info
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
