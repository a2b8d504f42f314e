internal import NIOCore

/// Closes a connection only when its client has been sent what was written to it, however slowly it reads, and cuts it
/// where a client takes nothing at all for as long as a connection may be idle.
///
/// The clocks of the handlers behind this one start when an answer is handed on, not when it has been sent. This one is
/// nearest to the socket, and holds back what they close. A close of the input says that there is no time left.
///
/// Unchecked, as a handler belongs to one channel and runs on its event loop alone.
final class AnswerDeliveryHandler: ChannelOutboundHandler, RemovableChannelHandler, @unchecked Sendable {
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    /// Bytes after which progress is seen: a client that takes fewer in ``patience`` takes nothing.
    private static let pieceBytes = 65_536

    private let patience: TimeAmount
    /// Pieces handed to the socket that it has not taken.
    private var unsent = 0
    /// Pieces that it has taken.
    private var sent = 0
    /// What waits for the last piece.
    private var heldClose: (mode: CloseMode, promise: EventLoopPromise<Void>?)?
    private var isOutOfTime = false
    private var alarm: Scheduled<Void>?

    /// - Parameter patience: how long a client may take nothing of what waits for it.
    init(patience: TimeAmount) { self.patience = patience }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .byteBuffer(var buffer) = unwrapOutboundIn(data) else {
            return context.write(data, promise: promise)
        }
        while buffer.readableBytes > Self.pieceBytes, let piece = buffer.readSlice(length: Self.pieceBytes) {
            writePiece(piece, context, promise: nil)
        }
        writePiece(buffer, context, promise: promise)
    }

    private func writePiece(_ piece: ByteBuffer, _ context: ChannelHandlerContext, promise: EventLoopPromise<Void>?) {
        let promise = promise ?? context.eventLoop.makePromise()
        unsent += 1
        if alarm == nil { watch(context) }
        promise.futureResult.assumeIsolated().whenComplete { _ in
            self.unsent -= 1
            self.sent += 1
            if self.unsent == 0 { self.finish(context) }
        }
        context.write(wrapOutboundOut(.byteBuffer(piece)), promise: promise)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if mode == .input { isOutOfTime = true }
        guard mode != .input, unsent > 0, !isOutOfTime else {
            context.close(mode: mode, promise: promise)
            if mode == .input { finish(context) }
            return
        }
        var together = promise
        if let held = heldClose {
            together.setOrCascade(to: held.promise)
            heldClose = (held.mode == .all ? .all : mode, together)
        } else {
            heldClose = (mode, together)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        alarm?.cancel()
        heldClose?.promise?.fail(ChannelError.ioOnClosedChannel)
        heldClose = nil
    }

    /// Closes what was to be closed.
    private func finish(_ context: ChannelHandlerContext) {
        alarm?.cancel()
        alarm = nil
        guard let held = heldClose else { return }
        heldClose = nil
        context.close(mode: held.mode, promise: held.promise)
    }

    /// Cuts the connection if the client takes no piece from now on.
    private func watch(_ context: ChannelHandlerContext) {
        let before = sent
        alarm = context.eventLoop.assumeIsolated().scheduleTask(in: patience) {
            self.alarm = nil
            if self.sent > before { return self.watch(context) }
            self.isOutOfTime = true
            context.close(mode: .all, promise: nil)
        }
    }
}
