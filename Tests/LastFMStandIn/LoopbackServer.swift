internal import Foundation
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// A small HTTP server on a loopback port, which can also misbehave. It runs until the process ends.
public struct LoopbackServer: Sendable {
    public struct Request: Sendable {
        public let path: String
        /// The decoded parameters of the query.
        public let query: [String: String]
        public let userAgent: String?
        public let time: ContinuousClock.Instant
    }

    public enum Answer: Sendable {
        case respond(status: Int, headers: [(String, String)] = [], body: [UInt8])
        /// Keeps the connection open and says nothing.
        case hang
        /// Closes the connection in the middle of the answer.
        case breakOff
        /// Sends so many spaces, twenty a second.
        case drip(count: Int)
    }

    public let port: Int

    /// Starts to serve; the answer to a request is made by the body.
    public init(_ answer: @escaping @Sendable (Request) -> Answer) throws {
        let channel = try ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Handler(answer))
                }
            }
            .bind(host: "127.0.0.1", port: 0).wait()
        guard let port = channel.localAddress?.port else { preconditionFailure("a bound channel has a port") }
        self.port = port
    }

    public var url: String { "http://127.0.0.1:\(port)/" }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let answer: @Sendable (Request) -> Answer
        private var head: HTTPRequestHead?

        init(_ answer: @escaping @Sendable (Request) -> Answer) { self.answer = answer }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head): self.head = head
            case .body: break
            case .end:
                guard let head else { return }
                send(answer(Self.request(head)), context)
            }
        }

        private func send(_ answer: Answer, _ context: ChannelHandlerContext) {
            switch answer {
            case .hang: break
            case .breakOff:
                let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: ["Content-Length": "1000"])
                context.write(wrapOutboundOut(.head(head)), promise: nil)
                context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: "{\"us")))), promise: nil)
                context.close(promise: nil)
            case .drip(let count):
                let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: ["Content-Length": "\(count)"])
                context.write(wrapOutboundOut(.head(head)), promise: nil)
                Self.drip(count, context.channel)
            case .respond(let status, let headers, let body):
                var fields = HTTPHeaders(headers)
                fields.replaceOrAdd(name: "Content-Length", value: "\(body.count)")
                let head = HTTPResponseHead(
                    version: .http1_1, status: HTTPResponseStatus(statusCode: status), headers: fields)
                context.write(wrapOutboundOut(.head(head)), promise: nil)
                context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil)
                context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            }
        }

        private static func drip(_ count: Int, _ channel: any Channel) {
            guard channel.isActive, count > 0 else {
                return channel.writeAndFlush(HTTPServerResponsePart.end(nil), promise: nil)
            }
            channel.writeAndFlush(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: " "))), promise: nil)
            channel.eventLoop.scheduleTask(in: .milliseconds(50)) { drip(count - 1, channel) }
        }

        private static func request(_ head: HTTPRequestHead) -> Request {
            let items = URLComponents(string: head.uri)?.queryItems ?? []
            return Request(
                path: String(head.uri.prefix { $0 != "?" }),
                query: Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first },
                userAgent: head.headers.first(name: "User-Agent"), time: .now)
        }
    }
}
