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
            var answer = ServiceError(error)
            answer.headers[.requestID] = context.id
            if answer.status.code >= 500 {
                // What asks the client to come back is the service's own limit.
                let level: Logger.Level = answer.headers[.retryAfter] == nil ? .error : .warning
                context.logger.log(
                    level: level, "request failed", metadata: ["path": "\(request.uri.path)", "cause": "\(error)"])
            }
            let isPage =
                [.get, .head].contains(request.method) && request.prefersHTML
                && !request.uri.path.dropFirst().contains("/")
            let response: Response =
                isPage
                ? .html(pages.error(answer), status: answer.status, headers: answer.headers)
                : .json(answer.json(requestID: context.id), status: answer.status, headers: answer.headers)
            // A client takes what follows the head of an answer to HEAD for the next answer.
            return request.method == .head ? response.createHeadResponse() : response
        }
    }
}

extension HTTPField.Name {
    static let requestID = Self("X-Request-Id")!
}
