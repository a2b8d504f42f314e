internal import Chirp
internal import HTTPTypes
internal import Hummingbird

/// The page to begin with, and the scripts, style and icon of all pages.
struct AssetRoutes: Sendable {
    /// Always the same.
    private let home: String

    init(pages: Pages) { home = pages.home() }

    var routes: [Route] { [Route(.get, "/", start), Route(.get, "/assets/{name}", asset)] }

    /// With a code in `code`, as the page's own form sends it without a script, the way to that code's page.
    private func start(_ request: Request, _ context: ServiceContext) async throws -> Response {
        guard let text = request.query("code") else { return .html(home) }
        do throws(ShortcodeError) {
            return Response(status: .seeOther, headers: [.location: "/\(try Shortcode(parsing: text))"])
        } catch {
            throw ServiceError(.badRequest, error.message)
        }
    }

    private func asset(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let name = context.parameters.get("name") ?? ""
        let receiver = Resource.receiver.flatMap { $0.name == name ? $0.asset : nil }
        guard let asset = receiver ?? Resource.assets[name] else {
            throw ServiceError(.notFound, "There is no such file.")
        }
        // The receiver has its digest in its name.
        var response = try Response.cacheable(
            asset.body, type: asset.type, tag: asset.tag, request: request, public: receiver != nil)
        // Pages of any origin may use them, those that isolate themselves, too.
        response.headers[.resourcePolicy] = "cross-origin"
        if asset.type.hasPrefix("text/javascript") {
            response.headers[.contentSecurityPolicy] = SecurityHeadersMiddleware.policyOfScripts
            // The one for the page without a network serves all of it.
            if name == "offline.js" { response.headers[.serviceWorkerAllowed] = "/" }
        }
        return response
    }
}
