public import Chirp

/// A chirp and the channel that it was heard on, counted from 0.
public struct HeardChirp: Sendable, Hashable {
    public let channel: Int
    public let chirp: DetectedChirp
}

/// Listens to every channel of a sound at once and gives back what was heard in order of time.
public final class SoundDecoder {
    /// One receiver in a box, as arrays cannot hold it by itself.
    private final class Channel {
        var receiver: Receiver
        init(_ receiver: consuming Receiver) { self.receiver = receiver }
    }

    /// A chirp is known this long after its start at the latest, in seconds: until then an earlier one may still turn up.
    private static let decisionSeconds = 8.0

    private let channels: [Channel]
    private let sampleRateHertz: Double
    private var pending: [HeardChirp] = []
    private var frameCount = 0

    /// - Throws: ``Chirp/ReceptionError`` when chirps cannot be heard at this sample rate.
    public init(sampleRateHertz: Double, channelCount: Int) throws(ReceptionError) {
        self.sampleRateHertz = sampleRateHertz
        var channels: [Channel] = []
        for _ in 0..<channelCount { channels.append(Channel(try Receiver(sampleRateHertz: sampleRateHertz))) }
        self.channels = channels
    }

    /// Takes the next frames and gives back, in order of their start, the chirps that nothing earlier can precede.
    public func process(_ block: AudioBlock) -> [HeardChirp] {
        precondition(block.channelCount == channels.count, "the block has another number of channels")
        for (index, channel) in channels.enumerated() {
            pending += channel.receiver.process(block[index]).map { HeardChirp(channel: index, chirp: $0) }
        }
        frameCount += block.frameCount
        return takePending(before: Double(frameCount) / sampleRateHertz - Self.decisionSeconds)
    }

    /// Ends the sound and gives back the chirps still held. The decoder then begins anew at time zero.
    public func finish() -> [HeardChirp] {
        for (index, channel) in channels.enumerated() {
            pending += channel.receiver.finish().map { HeardChirp(channel: index, chirp: $0) }
        }
        frameCount = 0
        return takePending(before: .infinity)
    }

    private func takePending(before seconds: Double) -> [HeardChirp] {
        guard !pending.isEmpty else { return [] }
        pending.sort { ($0.chirp.startSeconds, $0.channel) < ($1.chirp.startSeconds, $1.channel) }
        let ready = pending.prefix { $0.chirp.startSeconds < seconds }
        pending.removeFirst(ready.count)
        return Array(ready)
    }
}
