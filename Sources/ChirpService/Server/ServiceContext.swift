internal import Hummingbird
internal import Logging
internal import NIOCore

/// What is known of a request apart from the request.
struct ServiceContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The address at the other end of the connection.
    let peerAddress: String
    /// The client's own, behind whatever trusted proxies there are.
    var clientAddress: String
    /// The address of this service as the client knows it, without a slash at its end.
    var baseURL: String

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        peerAddress = source.channel.remoteAddress?.ipAddress ?? "local"
        clientAddress = peerAddress
        baseURL = ""
    }
}
