internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// Limits what the bodies of all requests together take in memory. Sounds go to files, which have a budget of their own.
struct BodyBudgetMiddleware: RouterMiddleware {
    let budget: ByteBudget

    func handle(
        _ request: Request, context: ServiceContext, next: (Request, ServiceContext) async throws -> Response
    ) async throws -> Response {
        guard request.method != .get, request.method != .head, request.uri.path != SoundRoutes.decodePath else {
            return try await next(request, context)
        }
        let share = budget.share()
        defer { share.giveBack() }
        var request = request
        request.body = RequestBody(
            asyncSequence: request.body.map { piece in
                try share.take(piece.readableBytes)
                return piece
            })
        return try await next(request, context)
    }
}
