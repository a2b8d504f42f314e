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
        guard let asset = Resource.assets[context.parameters.get("name") ?? ""] else {
            throw ServiceError(.notFound, "There is no such file.")
        }
        return .cacheable(asset.body, type: asset.type, tag: asset.tag, request: request, public: false)
    }
}
