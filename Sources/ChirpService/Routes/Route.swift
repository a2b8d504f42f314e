internal import Chirp
internal import HTTPTypes
internal import Hummingbird

/// One request that the service answers.
struct Route: Sendable {
    typealias Handler = @Sendable (Request, ServiceContext) async throws -> Response

    let method: HTTPRequest.Method
    /// With parameters in braces, as in the service's description.
    let path: String
    let handler: Handler

    init(_ method: HTTPRequest.Method, _ path: String, _ handler: @escaping Handler) {
        self.method = method
        self.path = path
        self.handler = handler
    }
}

extension Router where Context == ServiceContext {
    /// Adds routes, and for every path an answer to those of the usual methods that it does not have: 405, and to OPTIONS what a
    /// browser asks before it lets another site's page send a request. Methods such as PROPFIND are not found.
    func add(_ routes: [Route]) {
        for route in routes { on(RouterPath(route.path), method: route.method, use: route.handler) }
        for (path, siblings) in Dictionary(grouping: routes, by: \.path) {
            var allowed = siblings.map(\.method)
            if allowed.contains(.get) { allowed.append(.head) }
            allowed.append(.options)
            let list = allowed.map(\.rawValue).joined(separator: ", ")
            on(RouterPath(path), method: .options) { _, _ in
                Response(
                    status: .noContent,
                    headers: [
                        .allow: list, .accessControlAllowMethods: list,
                        .accessControlAllowHeaders: "Authorization, Content-Type, X-Auth-Token",
                        .accessControlMaxAge: "86400",
                    ])
            }
            for method in Self.otherMethods where !allowed.contains(method) {
                on(RouterPath(path), method: method) { _, _ -> Response in
                    throw ServiceError(
                        .methodNotAllowed, "This address takes \(list) only.", headers: [.allow: list])
                }
            }
        }
    }

    private static var otherMethods: [HTTPRequest.Method] { [.get, .post, .put, .delete, .patch, .trace] }
}

extension ServiceContext {
    /// The code that the path names.
    ///
    /// - Throws: ``ServiceError`` 400, or 404 when `isPage`: nothing else is at such an address.
    func code(_ parameter: String = "code", isPage: Bool = false) throws -> Codeword {
        let text = parameters.get(parameter) ?? ""
        do throws(ShortcodeError) {
            return try Codeword(parsing: text)
        } catch {
            throw ServiceError(isPage ? .notFound : .badRequest, error.message)
        }
    }
}
