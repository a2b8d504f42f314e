internal import FuzzSupport
internal import HTTPTypes
internal import Logging
internal import NIOCore
internal import NIOEmbedded
internal import NIOHTTP1
internal import NIOHTTPTypes
internal import NIOHTTPTypesHTTP1

@testable internal import ChirpService

extension FuzzTarget {
    /// Bytes on a connection, through the parser and the service's rules for messages: cut into pieces they are read as the same
    /// requests, and each has one answer.
    static let connections = FuzzTarget("connections") { source in
        var source = source
        let step = 1 + Int(source.byte())
        let bytes = Array(source.rest)
        guard let atOnce = Connection(bytes, step: bytes.count), let inPieces = Connection(bytes, step: step) else {
            return require(false, "a connection can be made")
        }
        require(atOnce.requests == inPieces.requests, "\(atOnce.requests) are \(inPieces.requests), cut")
        require(atOnce.statuses == inPieces.statuses, "\(atOnce.statuses) are \(inPieces.statuses), cut")
        let answers = atOnce.statuses.filter { $0 >= 200 }
        require(
            answers.count - atOnce.requests.count <= 1, "\(atOnce.requests) have \(answers), and at most one refusal")
        require(answers.dropLast().allSatisfy { $0 == 200 }, "nothing is answered after a refusal: \(answers)")
    }
}

/// What a connection reads of bytes, and what it answers.
private struct Connection {
    /// Methods, addresses and lengths of bodies.
    let requests: [String]
    let statuses: [Int]

    init?(_ bytes: [UInt8], step: Int) {
        let channel = EmbeddedChannel()
        let answering = Answering()
        do {
            let pipeline = channel.pipeline.syncOperations
            var limits = NIOHTTPDecoderLimitConfiguration()
            limits.maxHeaderFieldSize = ServiceLimits().headerBytes
            limits.maxHeaderListSize = ServiceLimits().headerBytes
            limits.maxHeaderFieldCount = 100
            // As the server does it.
            try pipeline.configureHTTPServerPipeline(
                withPipeliningAssistance: false, withErrorHandling: false, withOutboundHeaderValidation: false,
                withEncoderConfiguration: .init(), withDecoderLimitConfiguration: limits)
            try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
            try pipeline.addHandler(
                FramingInstaller(
                    framing: {
                        MessageFramingHandler(
                            metrics: ServiceMetrics(), logger: Logger(label: "fuzz") { _ in SwiftLogNoOpLogHandler() },
                            largestBody: ServiceLimits().soundBytes)
                    }, delivery: { AnswerDeliveryHandler(patience: .seconds(30)) }))
            try pipeline.addHandler(answering)
            channel.pipeline.fireChannelActive()
            for start in stride(from: 0, to: bytes.count, by: max(step, 1)) where channel.isActive {
                let piece = bytes[start..<min(start + max(step, 1), bytes.count)]
                // Errors are answered, not thrown.
                _ = try? channel.writeInbound(ByteBuffer(bytes: piece))
            }
            var statuses: [Int] = []
            var rest = ""
            while let piece = try channel.readOutbound(as: ByteBuffer.self) { rest += String(buffer: piece) }
            for part in rest.split(separator: "HTTP/1.1 ").dropFirst(rest.hasPrefix("HTTP/1.1 ") ? 0 : 1) {
                statuses.append(Int(part.prefix(3)) ?? 0)
            }
            _ = try? channel.finish(acceptAlreadyClosed: true)
            self.statuses = statuses
            requests = answering.requests
        } catch { return nil }
    }
}

/// Answers each request when it has ended. Unchecked, as it belongs to one channel.
private final class Answering: ChannelInboundHandler, @unchecked Sendable {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart

    private(set) var requests: [String] = []
    private var current = ""
    private var length = 0

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            current = "\(head.method) \(head.path ?? "")"
            length = 0
        case .body(let piece): length += piece.readableBytes
        case .end:
            requests.append("\(current) \(length)")
            context.write(
                wrapOutboundOut(.head(HTTPResponse(status: .ok, headerFields: [.contentLength: "0"]))), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
