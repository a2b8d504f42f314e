public import Chirp

/// Decodes several channels of a sound and returns their detections in order of time.
public final class SoundDecoder {

    /// How long ago a chirp that can still turn up has begun, at most: a receiver searches the last three frames, and puts a chirp
    /// as much as five symbols before the place where it was found.
    private static let undecidedSeconds = 3.5 * WireFormat.original.frameSeconds

    /// How long ago the first copy of a sum has begun, at most: fifteen times fifteen seconds, and the frame.
    private static let longestSumSeconds = 15 * 15 + 3.5 * WireFormat.original.frameSeconds

    /// What a receiver takes at most at 44.1 kHz and above, in bytes for each hertz of sample rate: 22 are room for the sound that it keeps, and
    /// about 20 its tables.
    private static let receiverBytesPerHertz = 50.0
    /// What each further format takes at most: the sound is kept once for all.
    private static let furtherFormatBytesPerHertz = 35.0
    /// What combining copies takes for each channel, in bytes.
    private static let combinerBytes = 4e6

    /// How many channels are listened to at once, at most, in so much memory; one at least.
    public static func maximumChannelCount(
        sampleRateHertz: Double, memoryBytes: Double, formatCount: Int = 1, combinesCopies: Bool = false
    ) -> Int {
        let bytesPerHertz = receiverBytesPerHertz + furtherFormatBytesPerHertz * Double(formatCount - 1)
        let bytes = bytesPerHertz * sampleRateHertz + (combinesCopies ? combinerBytes : 0)
        return max(1, Int(memoryBytes / bytes))
    }

    /// The formats that a recording of this rate may have: the original, and those of which all tones exist at the rate.
    public static func formats(fitting sampleRateHertz: Double) -> [WireFormat] {
        WireFormat.all.filter { $0 == .original || $0.synthesisRatesHertz.contains(sampleRateHertz) }
    }

    private let undecidedSeconds: Double
    private let channels: Range<Int>
    private var receiver: MultiChannelReceiver
    private let sampleRateHertz: Double
    private var pending: [ChannelDetection] = []
    private var frameCount = 0

    /// - Parameters:
    ///   - channels: those of the sound's that are listened to.
    ///   - formats: those that are listened for, where they are received at this rate.
    ///   - combinesCopies: whether copies of a chirp, and what several channels heard of one, are combined where none can be heard by itself.
    ///   - waitsForCopies: whether what is found is held back until no sum of copies can begin before it, for up to four minutes.
    /// - Throws: ``Chirp/ReceptionError`` when chirps cannot be heard at this sample rate.
    public init(
        sampleRateHertz: Double, channels: Range<Int>, formats: [WireFormat] = [.original],
        combinesCopies: Bool = false, waitsForCopies: Bool = false
    ) throws(ReceptionError) {
        undecidedSeconds = combinesCopies && waitsForCopies ? Self.longestSumSeconds : Self.undecidedSeconds
        self.sampleRateHertz = sampleRateHertz
        self.channels = channels
        receiver = try MultiChannelReceiver(
            sampleRateHertz: sampleRateHertz, channelCount: channels.count, formats: formats, combines: combinesCopies)
    }

    /// Takes the next frames and gives back, in order of their start, the chirps that nothing earlier can precede.
    public func process(_ block: AudioBlock) -> [ChannelDetection] {
        let heard = block.withSamples(of: channels) { samples, stride in
            receiver.process(samples, stride: stride, count: block.frameCount)
        }
        pending += heard.map(numbered)
        frameCount += block.frameCount
        return takePending(before: decidedSeconds)
    }

    /// Every chirp that starts before this time has been given back.
    public var decidedSeconds: Double { Double(frameCount) / sampleRateHertz - undecidedSeconds }

    /// Ends the sound and gives back the chirps still held. The decoder then begins anew at time zero.
    public func finish() -> [ChannelDetection] {
        pending += receiver.finish().map(numbered)
        frameCount = 0
        return takePending(before: .infinity)
    }

    /// A detection by the numbers of the sound's channels.
    private func numbered(_ heard: ChannelDetection) -> ChannelDetection {
        ChannelDetection(
            channel: channels.lowerBound + heard.channel, channels: heard.channels.map { channels.lowerBound + $0 },
            chirp: heard.chirp)
    }

    private func takePending(before seconds: Double) -> [ChannelDetection] {
        guard !pending.isEmpty else { return [] }
        pending.sort { ($0.chirp.startSeconds, $0.channel) < ($1.chirp.startSeconds, $1.channel) }
        let ready = pending.prefix { $0.chirp.startSeconds < seconds }
        pending.removeFirst(ready.count)
        return Array(ready)
    }
}
