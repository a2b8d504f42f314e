internal import Chirp
internal import ChirpLinks
internal import ChirpReport
internal import HTTPTypes
internal import Hummingbird
internal import NIOHTTP1

/// Why a request fails: the status, a message, and the reason that clients of the registry API evaluate.
struct ServiceError: Error {
    var status: HTTPResponse.Status
    var message: String
    var reason: RegistryAPI.Refusal?
    var code: Shortcode?
    var headers: HTTPFields = [:]

    init(
        _ status: HTTPResponse.Status, _ message: String, reason: RegistryAPI.Refusal? = nil,
        code: Shortcode? = nil, headers: HTTPFields = [:]
    ) {
        self.status = status
        self.message = message
        self.reason = reason
        self.code = code
        self.headers = headers
    }

    /// `error` is what the contract says; `status` and `description` are what the original's Python client reads.
    ///
    /// - Parameter requestID: what the log calls the request.
    func json(requestID: String) -> JSONValue {
        var detail: [JSONValue.Member] = [
            .init("code", .integer(status.code)), .init("msg", .string(message)),
        ]
        if let reason { detail.append(.init("reason", .string(reason.rawValue))) }
        if let code { detail.append(.init("shortcode", .string(code.description))) }
        detail.append(.init("request_id", .string(requestID)))
        return .object([
            .init("error", .object(detail)), .init("status", .integer(status.code)),
            .init("description", .string(message)),
        ])
    }

    static func unknown(_ code: Shortcode) -> ServiceError {
        ServiceError(.notFound, "\(code) is not registered here.", reason: .unknownCode)
    }

    static func tooLarge(_ limit: Int) -> ServiceError {
        let size = limit >= 1_048_576 ? "\(limit / 1_048_576) MB" : "\(limit / 1_024) KB"
        return ServiceError(.contentTooLarge, "The request is too large: its body may have \(size).")
    }

    static let malformedJSON = ServiceError(.badRequest, "The body is not the JSON that is expected here.")
}

extension ServiceError {
    /// The response for any error.
    init(_ error: any Error) {
        switch error {
        case let error as ServiceError: self = error
        case let error as RegistryError:
            let refusal = RegistryAPI.refusal(for: error)
            self.init(
                .init(code: refusal.status), error.message, reason: refusal.reason, code: refusal.shortcode,
                // What passes by itself.
                headers: [.storeBusy, .storeUnreachable].contains(refusal.reason) ? [.retryAfter: "2"] : [:])
        case let error as LinkError: self.init(error.status, error.message, reason: .invalidLink)
        case let error as LinkSummaryError:
            self.init(
                .badRequest, "A link of kind \(error.kind.rawValue) needs “\(error.missing)”.", reason: .invalidLink)
        case let error as ShortcodeError: self.init(.badRequest, error.message)
        case let error as UnknownFormatError: self.init(.badRequest, error.message)
        case RegisterRequestError.deletionToken:
            self.init(.badRequest, "“deletion_token” is not 32 hexadecimal digits.", reason: .invalidLink)
        case RegisterRequestError.content:
            self.init(.badRequest, "A file needs its “content” in base 64.", reason: .invalidLink)
        case is DecodingError: self = .malformedJSON
        case let error as HTTPParserError: self = .malformed(error)
        case let error as HTTPError: self.init(error.status, error.body ?? error.status.reasonPhrase)
        default: self.init(.internalServerError, "Something went wrong on the server.")
        }
    }
}
