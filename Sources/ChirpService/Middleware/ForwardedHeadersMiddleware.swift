internal import HTTPTypes
internal import Hummingbird

/// Finds out who asks and by which address they know the service.
///
/// `X-Forwarded-For`, `-Proto` and `-Host` are believed when the connection comes from a trusted proxy, and of the
/// addresses forwarded the last one that is not such a proxy itself: everything before it may be invented.
struct ForwardedHeadersMiddleware: RouterMiddleware {
    let publicURL: String?
    let proxies: [AddressRange]
    let fallbackHost: String

    func handle(
        _ request: Request, context: ServiceContext, next: (Request, ServiceContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        let isProxied = isProxy(context.peerAddress)
        if isProxied { context.clientAddress = client(of: request, peer: context.peerAddress) }
        context.baseURL = publicURL ?? baseURL(of: request, isProxied: isProxied)
        return try await next(request, context)
    }

    private func isProxy(_ address: some StringProtocol) -> Bool {
        !proxies.isEmpty && proxies.contains { $0.contains(address) }
    }

    private func client(of request: Request, peer: String) -> String {
        let chain = request.headers[values: .forwardedFor].flatMap(Self.elements).map(Self.withoutPort)
        for address in chain.reversed() where !isProxy(address) {
            return AddressRange.bytes(of: address) == nil ? peer : String(address)
        }
        return peer
    }

    private static func elements(_ list: String) -> [Substring] {
        list.split(separator: ",").map { $0.drop { $0 == " " }.prefix { $0 != " " } }
    }

    /// An address as some proxies write it, `192.0.2.1:4711` or `[2001:db8::1]:4711`, alone.
    private static func withoutPort(_ address: Substring) -> Substring {
        if address.first == "[" { return address.dropFirst().prefix { $0 != "]" } }
        return address.count { $0 == ":" } == 1 ? address.prefix { $0 != ":" } : address
    }

    private func baseURL(of request: Request, isProxied: Bool) -> String {
        var scheme = "http"
        var host = request.head.authority ?? fallbackHost
        if isProxied {
            // Of several proxies the first one is that which people reach.
            if request.headers[.forwardedProto].flatMap({ Self.elements($0).first })?.lowercased() == "https" {
                scheme = "https"
            }
            if let forwarded = request.headers[.forwardedHost].flatMap({ Self.elements($0).first }) {
                host = String(forwarded)
            }
        }
        let isPlain =
            host.utf8.count <= 255
            && host.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || ".-_:[]".utf8.contains(byte)
            }
        return "\(scheme)://\(isPlain && !host.isEmpty ? host : fallbackHost)"
    }
}

extension HTTPField.Name {
    static let forwardedFor = Self("X-Forwarded-For")!
    static let forwardedHost = Self("X-Forwarded-Host")!
    static let forwardedProto = Self("X-Forwarded-Proto")!
}
