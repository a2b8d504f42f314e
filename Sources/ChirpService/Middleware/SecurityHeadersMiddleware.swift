internal import HTTPTypes
internal import Hummingbird

/// The header fields that every answer carries.
struct SecurityHeadersMiddleware: RouterMiddleware {
    /// Scripts and styles come from here alone and none from within a page; WebAssembly may be compiled, and no text be
    /// run as a script; pictures also from Last.fm's servers for artwork; nothing may frame the pages or be framed by them.
    static let policy =
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; manifest-src 'self'; "
        + "img-src 'self' data: https://*.fastly.net https://*.last.fm https://*.lst.fm; connect-src 'self'; media-src 'self' blob:; worker-src 'self'; "
        + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

    /// For scripts: those that run in workers load others and the receiver, and ask this service.
    static let policyOfScripts =
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; frame-ancestors 'none'"

    /// For everything else but pages: it makes nothing load anything.
    static let policyOfData = "default-src 'none'; frame-ancestors 'none'"

    // Made once: each value is looked through for characters that a header cannot have.
    private static let pagePolicy = HTTPField(name: .contentSecurityPolicy, value: policy)
    private static let dataPolicy = HTTPField(name: .contentSecurityPolicy, value: policyOfData)
    static let always = [
        HTTPField(name: .xContentTypeOptions, value: "nosniff"),
        HTTPField(name: .referrerPolicy, value: "no-referrer"),
        HTTPField(name: .frameOptions, value: "DENY"),
        // Nothing here depends on who is signed in, as nobody is: pages anywhere may ask, as the original's browser
        // kit does from its users' pages.
        HTTPField(name: .accessControlAllowOrigin, value: "*"),
        // The original's Python client of 2017 takes no answer without it.
        HTTPField(name: .chirpAPI, value: "1"),
    ]
    private static let permissions = HTTPField(
        name: .permissionsPolicy, value: "microphone=(self), camera=(), geolocation=()")

    func handle(
        _ request: Request, context: ServiceContext, next: (Request, ServiceContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        let isPage = response.headers[.contentType]?.hasPrefix("text/html") ?? false
        if response.headers[.contentSecurityPolicy] == nil {
            response.headers.append(isPage ? Self.pagePolicy : Self.dataPolicy)
        }
        for field in Self.always where response.headers[field.name] == nil { response.headers.append(field) }
        if isPage { response.headers.append(Self.permissions) }
        return response
    }
}

extension HTTPField.Name {
    static let referrerPolicy = Self("Referrer-Policy")!
    static let frameOptions = Self("X-Frame-Options")!
    static let permissionsPolicy = Self("Permissions-Policy")!
    static let resourcePolicy = Self("Cross-Origin-Resource-Policy")!
    static let serviceWorkerAllowed = Self("Service-Worker-Allowed")!
    static let chirpAPI = Self("X-Chirp-API")!
}
