internal import AsyncHTTPClient
internal import Foundation
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// Requests over HTTP, each bounded in time and in the size of its answer.
struct WebClient: Sendable {
    struct Answer: Sendable {
        let status: Int
        let headers: HTTPHeaders
        let body: [UInt8]
    }

    /// How the program names itself to services.
    static let userAgent = "chirp/1"

    /// Lives as long as the process. A connection that cannot be made is an error at once: whether to try again is
    /// decided by those who know what the request is.
    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .follow(max: 5, allowCycles: false),
            timeout: .init(connect: .seconds(5)))
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.httpVersion = .http1Only
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    /// Sends a request and reads the whole answer, whatever its status.
    ///
    /// - Parameters:
    ///   - timeout: how long all of it may take, to the answer's last byte.
    ///   - headTimeout: how long the answer's beginning is awaited; nil: as long.
    ///   - byteLimit: the longest body that is read.
    func send(
        _ method: HTTPMethod, _ url: String, headers: [(String, String)] = [], body: [UInt8]? = nil,
        timeout: Duration, headTimeout: Duration? = nil, byteLimit: Int
    ) async throws(WebFailure) -> Answer {
        var request = HTTPClientRequest(url: url)
        request.method = method
        request.headers = HTTPHeaders(headers)
        request.headers.replaceOrAdd(name: "User-Agent", value: Self.userAgent)
        if let body { request.body = .bytes(ByteBuffer(bytes: body)) }
        let answer = await firstResult(within: timeout) { [request] () -> Result<Answer, WebFailure> in
            do {
                let nanoseconds = Int64((headTimeout ?? timeout) / .nanoseconds(1))
                let response = try await Self.client.execute(request, timeout: .nanoseconds(nanoseconds))
                let buffer = try await response.body.collect(upTo: byteLimit)
                let body = Array(buffer.readableBytesView)
                return .success(Answer(status: Int(response.status.code), headers: response.headers, body: body))
            } catch {
                return .failure(WebFailure(error))
            }
        }
        guard let answer else {
            throw Task.isCancelled ? WebFailure(.cancelled, "cancelled") : WebFailure(.timeout, "no answer in time")
        }
        return try answer.get()
    }
}

/// Why no answer came.
struct WebFailure: Error, Sendable, Hashable {
    enum Reason: Sendable, Hashable {
        /// Nobody takes connections there, or the name means nothing.
        case unreachable
        /// The connection broke before the answer was complete.
        case interrupted
        /// It took too long.
        case timeout
        /// The task was cancelled.
        case cancelled
        /// The address, the answer or the encryption is not what it should be.
        case other
    }

    let reason: Reason
    let message: String

    init(_ error: any Error) {
        switch error {
        case is CancellationError: self.init(.cancelled, "cancelled")
        case let error as HTTPClientError:
            switch error {
            case .connectTimeout, .deadlineExceeded, .tlsHandshakeTimeout, .getConnectionFromPoolTimeout:
                self.init(.timeout, "no answer in time")
            case .remoteConnectionClosed, .uncleanShutdown: self.init(.interrupted, "the connection broke")
            case .cancelled: self.init(.cancelled, "cancelled")
            default: self.init(.other, error.shortDescription)
            }
        case let error as HTTPParserError where error == .invalidEOFState:
            self.init(.interrupted, "the connection broke")
        case let error as NIOConnectionError:
            let cause = error.connectionErrors.first.map { Self.words($0.error) }
            let name = error.dnsAError ?? error.dnsAAAAError
            self.init(.unreachable, cause ?? (name == nil ? "no connection" : "the host name cannot be resolved"))
        case let error as IOError where error.errnoCode == ECONNREFUSED:
            self.init(.unreachable, Self.words(error))
        case let error as IOError: self.init(.interrupted, Self.words(error))
        case is NIOTooManyBytesError: self.init(.other, "the answer is too long")
        default:
            let text = String(describing: error)
            self.init(.other, Self.encryptionProblem(text) ?? text)
        }
    }

    init(_ reason: Reason, _ message: String) {
        self.reason = reason
        self.message = singleLine(message)
    }

    /// What an error of the TLS library means, which calls itself by names such as
    /// `OPENSSL_internal:CERTIFICATE_VERIFY_FAILED`; nil for any other error.
    private static func encryptionProblem(_ text: String) -> String? {
        if text.contains("failedToValidateHostname") { return "its certificate is another host's" }
        guard let match = text.firstMatch(of: #/OPENSSL_internal:([A-Z0-9_]+)/#) else { return nil }
        return switch match.1 {
        case "CERTIFICATE_VERIFY_FAILED": "its certificate is not one that this machine trusts"
        case "WRONG_VERSION_NUMBER": "it does not speak TLS, as addresses with https do"
        default: "no encrypted connection: \(match.1.lowercased().replacing("_", with: " "))"
        }
    }

    private static func words(_ error: any Error) -> String {
        guard let error = error as? IOError else { return String(describing: error) }
        return unsafe String(cString: strerror(error.errnoCode)).lowercased()
    }
}
