internal import HTTPTypes

/// A request over HTTP, bounded in time and in the size of its answer.
struct WebRequest: Sendable {
    let method: HTTPRequest.Method
    let url: String
    let headers: [(String, String)]
    let body: [UInt8]?
    /// How long all of it may take, to the answer's last byte.
    let timeout: Duration
    /// How long the answer's beginning is awaited.
    let headTimeout: Duration
    /// The longest body that is read.
    let byteLimit: Int
}

struct WebAnswer: Sendable {
    let status: Int
    /// Names are in lower case.
    let headers: [(name: String, value: String)]
    let body: [UInt8]

    /// The first header of a name in lower case.
    func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}

/// Sends requests over HTTP.
struct WebClient: Sendable {
    /// How the program names itself to services.
    static let userAgent = "chirp/1"

    /// Sends a request and reads the whole answer, whatever its status. Redirections are followed, five at most.
    ///
    /// - Parameters:
    ///   - timeout: how long all of it may take, to the answer's last byte.
    ///   - headTimeout: how long the answer's beginning is awaited; nil: as long.
    ///   - byteLimit: the longest body that is read.
    func send(
        _ method: HTTPRequest.Method, _ url: String, headers: [(String, String)] = [], body: [UInt8]? = nil,
        timeout: Duration, headTimeout: Duration? = nil, byteLimit: Int
    ) async throws(WebFailure) -> WebAnswer {
        let request = WebRequest(
            method: method, url: url, headers: headers, body: body, timeout: timeout,
            headTimeout: headTimeout ?? timeout, byteLimit: byteLimit)
        return try await CurlTransfers.shared().send(request)
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

    init(_ reason: Reason, _ message: String) {
        self.reason = reason
        self.message = singleLine(message)
    }
}
