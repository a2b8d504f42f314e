internal import ChirpReport
internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTPTypes
internal import NIOHTTPTypesHTTP1

/// Puts ``MessageFramingHandler`` where messages are still those of HTTP/1, and ``AnswerDeliveryHandler`` where they are
/// bytes.
final class FramingInstaller: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart

    private let makeFraming: @Sendable () -> MessageFramingHandler
    private let makeDelivery: @Sendable () -> AnswerDeliveryHandler

    init(
        framing: @escaping @Sendable () -> MessageFramingHandler,
        delivery: @escaping @Sendable () -> AnswerDeliveryHandler
    ) {
        makeFraming = framing
        makeDelivery = delivery
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let pipeline = context.pipeline.syncOperations
        do {
            let codec = try pipeline.handler(type: HTTP1ToHTTPServerCodec.self)
            try pipeline.addHandler(makeFraming(), position: .before(codec))
            try pipeline.addHandler(makeDelivery(), position: .first)
        } catch {
            // Without it, a connection would be read less strictly than promised.
            context.close(promise: nil)
        }
    }
}

/// Answers what is not a request of HTTP/1 (RFC 9112) as every other error is answered, after the answers to the requests
/// before it, and closes the connection: nothing that follows on it is read.
///
/// Beside what the parser refuses, these are refused, as another server could read them differently: a request of HTTP/1.1
/// without exactly one `Host` (section 3.2), one of HTTP/1.0 with `Transfer-Encoding` (6.1), and any
/// `Transfer-Encoding` but `chunked` (6.1, 7). Connections of HTTP/1.0 end after an answer (9.3).
///
/// Unchecked, as a handler belongs to one channel and runs on its event loop alone.
final class MessageFramingHandler: ChannelDuplexHandler, RemovableChannelHandler, @unchecked Sendable {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let metrics: ServiceMetrics
    private let logger: Logger
    /// The most bytes that any route takes.
    private let largestBody: Int
    /// Requests handed on whose answers have not ended.
    private var unanswered = 0
    private var isReadingRequest = false
    private var isAnswering = false
    private var refusal: ServiceError?
    /// Nothing more is read or written but what is on its way.
    private var isEnding = false
    /// The last request that the connection is used for was handed on.
    private var isLast = false

    /// How long after the last answer was sent a client has to close: to close at once could lose the answer.
    private static let lingering = TimeAmount.seconds(2)

    init(metrics: ServiceMetrics, logger: Logger, largestBody: Int) {
        self.metrics = metrics
        self.logger = logger
        self.largestBody = largestBody
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard refusal == nil, !isEnding, !isLast || isReadingRequest else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            if let error = Self.flaw(of: head) { return refuse(error, context) }
            isReadingRequest = true
            unanswered += 1
            isLast = !head.isKeepAlive
            // What is too large for every route is refused before it is sent.
            let length = head.headers["content-length"].first.flatMap { Int($0) } ?? 0
            if head.headers[canonicalForm: "expect"].contains(where: { $0.lowercased() == "100-continue" }),
                head.version == .http1_1, unanswered == 1, length <= largestBody
            {
                context.writeAndFlush(wrapOutboundOut(.head(.init(version: .http1_1, status: .continue))), promise: nil)
            }
        case .body: break
        case .end: isReadingRequest = false
        }
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard refusal == nil, !isEnding else { return }
        guard let error = error as? HTTPParserError else { return context.fireErrorCaught(error) }
        // What follows the last request of a connection is not read.
        if isLast, !isReadingRequest { return }
        // A connection that ends between requests is not an error.
        if case .invalidEOFState = error, !isReadingRequest, unanswered == 0 { return context.fireErrorCaught(error) }
        refuse(.malformed(error), context)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        // What was refused half-way has its answer.
        guard !isEnding else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        switch unwrapOutboundIn(data) {
        case .head(var head):
            isAnswering = head.status.code >= 200
            if isLast, unanswered == 1, refusal == nil { head.headers.replaceOrAdd(name: "Connection", value: "close") }
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .body: context.write(data, promise: promise)
        case .end:
            isAnswering = false
            unanswered -= 1
            context.write(data, promise: promise)
            if refusal != nil {
                answerRefusal(context)
            } else if isLast, unanswered == 0, !isReadingRequest {
                context.flush()
                end(context)
            }
        }
    }

    private func refuse(_ error: ServiceError, _ context: ChannelHandlerContext) {
        refusal = error
        answerRefusal(context)
    }

    /// Answers when it is the refused request's turn.
    private func answerRefusal(_ context: ChannelHandlerContext) {
        guard let refusal, !isEnding else { return }
        guard unanswered <= (isReadingRequest ? 1 : 0) else { return }
        // Of an answer that has begun before the request was read, the rest cannot be told from another answer.
        if !isAnswering {
            let identifier = "\(RequestID())"
            let body = ByteBuffer(string: refusal.json(requestID: identifier).text + "\n")
            var headers: HTTPHeaders = [
                "Connection": "close", "Content-Length": "\(body.readableBytes)", "Content-Type": "application/json",
                "Cache-Control": "no-cache", "X-Request-Id": identifier,
                "Content-Security-Policy": SecurityHeadersMiddleware.policyOfData,
            ]
            // All but that of the API, which tells what a route has answered.
            for field in SecurityHeadersMiddleware.always where field.name != .chirpAPI {
                headers.add(name: field.name.rawName, value: field.value)
            }
            let status = HTTPResponseStatus(statusCode: refusal.status.code)
            let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
            // Who has the answer finds it counted and logged, as other answers are.
            metrics.malformed(status: refusal.status.code)
            logger.info(
                "malformed request",
                metadata: [
                    "hb.request.id": "\(identifier)", "status": .stringConvertible(refusal.status.code),
                    "cause": "\(refusal.message)", "client": "\(context.remoteAddress?.ipAddress ?? "local")",
                ])
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
        end(context)
    }

    private func end(_ context: ChannelHandlerContext) {
        isEnding = true
        let channel = context.channel
        let sent = context.eventLoop.makePromise(of: Void.self)
        sent.futureResult.whenComplete { _ in
            channel.eventLoop.scheduleTask(in: Self.lingering) { channel.close(promise: nil) }
        }
        context.close(mode: .output, promise: sent)
    }

    /// Why a request that the parser takes is refused.
    private static func flaw(of head: HTTPRequestHead) -> ServiceError? {
        let encodings = head.headers[canonicalForm: "transfer-encoding"]
        if !encodings.isEmpty {
            guard head.version == .http1_1 else {
                return ServiceError(.badRequest, "A request of HTTP/1.0 has no Transfer-Encoding.")
            }
            guard encodings.count == 1, encodings[0].lowercased() == "chunked" else {
                return ServiceError(.notImplemented, "The only Transfer-Encoding that is understood is “chunked”.")
            }
            guard !head.headers.contains(name: "content-length") else {
                return ServiceError(.badRequest, "A request has Content-Length or Transfer-Encoding, and not both.")
            }
        }
        let hosts = head.headers["host"]
        let isValid =
            hosts.count == 1
            && hosts[0].utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ",") }
        guard isValid || (hosts.isEmpty && head.version == .http1_0) else {
            return ServiceError(.badRequest, "A request of HTTP/1.1 has one field “Host”, with a host alone.")
        }
        return nil
    }
}

extension ServiceError {
    /// What the parser of HTTP refuses.
    static func malformed(_ error: HTTPParserError) -> ServiceError {
        switch error {
        case .headerOverflow:
            ServiceError(
                .requestHeaderFieldsTooLarge, "A request has at most 100 header fields and 16 KB of them.")
        case .invalidVersion:
            ServiceError(.badRequest, "The versions of HTTP that are understood are 1.0 and 1.1.")
        case .invalidContentLength, .unexpectedContentLength:
            ServiceError(.badRequest, "Content-Length is not one whole number, or not the only framing.")
        case .invalidChunkSize: ServiceError(.badRequest, "A chunk of the body has no valid size.")
        case .invalidMethod: ServiceError(.badRequest, "The request's method is unknown.")
        case .invalidHeaderToken: ServiceError(.badRequest, "A header field has a character that it cannot have.")
        case .invalidEOFState: ServiceError(.badRequest, "The request ends before it is complete.")
        default: ServiceError(.badRequest, "This is not a request of HTTP/1.1.")
        }
    }
}
