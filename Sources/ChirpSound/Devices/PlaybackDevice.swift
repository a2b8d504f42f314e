/// Loudspeakers: samples are played as they are written.
///
/// Is used by one thread at a time, and closes the device when it is let go of.
public final class PlaybackDevice: AudioSink {
    /// Sound that is written and not yet heard is at most this long, so that it can be stopped soon: 60 ms.
    public static let bufferSeconds = 0.06
    static let periodSeconds = 0.015

    private let pcm: PCM
    private var bytes: [UInt8] = []
    /// How often the device ran dry, and so played a gap.
    public private(set) var underrunCount = 0

    public var device: String { pcm.name }
    public var sampleRateHertz: Double { pcm.configuration.sampleRateHertz }

    /// Opens a device.
    ///
    /// - Parameters:
    ///   - device: a name as ``SoundDevices/list()`` gives them, or any that the ALSA library understands.
    ///   - preferredRateHertz: the nearest rate that the device offers is the one it runs at.
    public init(device: String, preferredRateHertz: Double = 48_000) throws(SoundDeviceError) {
        pcm = try PCM(
            name: device, direction: .playback,
            request: PCMRequest(
                sampleRateHertz: preferredRateHertz, periodSeconds: Self.periodSeconds,
                bufferSeconds: Self.bufferSeconds))
    }

    public func write(_ samples: [Float]) throws(SoundDeviceError) {
        bytes.removeAll(keepingCapacity: true)
        pcm.configuration.format.encode(samples, copies: pcm.configuration.channelCount, to: &bytes)
        var done = 0
        while done < bytes.count {
            switch try pcm.write(bytes[done...]) {
            case .frames(let count): done += count * pcm.configuration.bytesPerFrame
            case .nothing: continue
            case .recovered: underrunCount += 1
            }
        }
    }

    public func finish() throws(SoundDeviceError) { try pcm.drain() }

    /// Seconds of sound that were written and are not heard yet.
    public var delaySeconds: Double { Double(pcm.delayFrames) / sampleRateHertz }
}
