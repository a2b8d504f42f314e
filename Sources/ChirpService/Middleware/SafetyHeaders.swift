internal import HTTPTypes
internal import Hummingbird

/// The header fields that every answer carries.
struct SafetyHeaders: RouterMiddleware {
    /// Scripts and styles come from here alone and none from within a page; pictures also from Last.fm's servers for
    /// artwork; nothing may frame the pages or be framed by them.
    static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: https://*.fastly.net "
        + "https://*.last.fm https://*.lst.fm; connect-src 'self'; media-src 'self' blob:; worker-src 'self'; "
        + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

    func handle(
        _ request: Request, context: ServiceContext, next: (Request, ServiceContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        if response.headers[.contentSecurityPolicy] == nil {
            response.headers[.contentSecurityPolicy] = Self.policy
        }
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[.referrerPolicy] = "no-referrer"
        response.headers[.frameOptions] = "DENY"
        response.headers[.permissionsPolicy] = "microphone=(self), camera=(), geolocation=()"
        // Nothing here depends on who is signed in, as nobody is: pages anywhere may ask, as the original's browser
        // kit does from its users' pages.
        response.headers[.accessControlAllowOrigin] = "*"
        // The original's Python client of 2017 takes no answer without it.
        response.headers[.chirpAPI] = "1"
        return response
    }
}

extension HTTPField.Name {
    static let referrerPolicy = Self("Referrer-Policy")!
    static let frameOptions = Self("X-Frame-Options")!
    static let permissionsPolicy = Self("Permissions-Policy")!
    static let chirpAPI = Self("X-Chirp-API")!
}
