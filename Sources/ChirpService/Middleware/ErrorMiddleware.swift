internal import HTTPTypes
internal import Hummingbird
internal import Logging

/// Turns errors into answers: JSON, or a page for a person who opens an address.
struct ErrorMiddleware: RouterMiddleware {
    let pages: Pages

    func handle(
        _ request: Request, context: ServiceContext, next: (Request, ServiceContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as CancellationError {
            throw error
        } catch {
            let answer = ServiceError(error)
            if answer.status.code >= 500 {
                context.logger.error(
                    "request failed", metadata: ["path": "\(request.uri.path)", "cause": "\(error)"])
            }
            let isPage =
                request.method == .get && request.prefersHTML
                && !request.uri.path.dropFirst().contains("/")
            return isPage
                ? .html(pages.error(answer), status: answer.status, headers: answer.headers)
                : .json(answer.json, status: answer.status, headers: answer.headers)
        }
    }
}
