internal import HTTPTypes
internal import NIOCore
internal import NIOHTTPTypes

/// Closes a connection whose request takes too long to arrive, however steadily it trickles.
///
/// Unchecked, as a handler belongs to one channel and runs on its event loop alone.
final class RequestDeadlineHandler: ChannelInboundHandler, RemovableChannelHandler, @unchecked Sendable {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart

    private let limit: TimeAmount
    private var alarm: Scheduled<Void>?
    private var isArriving = false
    /// Parts of requests came with what was read last; without any, it was a part of a head.
    private var hadParts = false
    private var isAtEnd = false

    init(limit: TimeAmount) { self.limit = limit }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        hadParts = true
        switch unwrapInboundIn(data) {
        case .head: isArriving = true
        case .body: break
        case .end:
            isArriving = false
            alarm?.cancel()
            alarm = nil
        }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // Most requests come whole at once and need no alarm.
        if isArriving || !hadParts && !isAtEnd, alarm == nil {
            let channel = context.channel
            alarm = context.eventLoop.scheduleTask(in: limit) { channel.close(promise: nil) }
        }
        hadParts = false
        context.fireChannelReadComplete()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed {
            isAtEnd = true
            // The end itself was taken for the beginning of a head.
            if !isArriving {
                alarm?.cancel()
                alarm = nil
            }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        alarm?.cancel()
        alarm = nil
        context.fireChannelInactive()
    }
}
