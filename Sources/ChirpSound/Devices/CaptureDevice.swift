/// A microphone, or whatever else a capture device listens to.
///
/// Is used by one thread at a time, and closes the device when it is let go of.
public final class CaptureDevice {
    /// Sound arrives in pieces of about this length: 30 ms. What a wake-up costs is most of what listening costs.
    public static let periodSeconds = 0.03
    /// Capture buffer of the system: 500 ms.
    static let bufferSeconds = 0.5

    /// What a read brought.
    public enum Reading: Sendable, Hashable {
        /// Sound, frame by frame, a sample of each channel in each.
        case samples([Float])
        /// Sound was lost by an over-run or a suspend.
        case lost(seconds: Double)
        /// There was nothing to read within the time allowed.
        case nothing
    }

    private let pcm: PCM
    private let clock = ContinuousClock()
    private var buffer: [UInt8]
    private var lastReading: ContinuousClock.Instant
    private var unreadSecondsThen = 0.0

    public var device: String { pcm.name }
    /// The rate that the device runs at, whatever was asked for.
    public var sampleRateHertz: Double { pcm.configuration.sampleRateHertz }
    public var channelCount: Int { pcm.configuration.channelCount }

    /// Opens a device and starts it.
    ///
    /// - Parameters:
    ///   - device: a name as ``SoundDevices/list()`` gives them, or any that the ALSA library understands.
    ///   - preferredRateHertz: the nearest rate that the device offers is the one it runs at.
    ///   - preferredChannelCount: at least one; the nearest number that the device offers is captured.
    public init(
        device: String, preferredRateHertz: Double = 48_000, preferredChannelCount: Int = 1
    ) throws(SoundDeviceError) {
        let pcm = try PCM(
            name: device, direction: .capture,
            request: PCMRequest(
                sampleRateHertz: preferredRateHertz, channelCount: preferredChannelCount,
                periodSeconds: Self.periodSeconds, bufferSeconds: Self.bufferSeconds))
        try pcm.start()
        self.pcm = pcm
        buffer = [UInt8](repeating: 0, count: 4 * pcm.configuration.periodFrames * pcm.configuration.bytesPerFrame)
        lastReading = clock.now
    }

    /// Reads what is there, waiting for it up to `milliseconds`.
    public func read(waiting milliseconds: Int = 100) throws(SoundDeviceError) -> Reading {
        switch try pcm.read(into: &buffer, waiting: Int32(milliseconds)) {
        case .nothing: return .nothing
        case .recovered:
            // What was captured and not read then is lost, and everything since.
            let lost = unreadSecondsThen + (clock.now - lastReading) / .seconds(1)
            noteReading()
            return .lost(seconds: lost)
        case .frames(let count):
            let samples = pcm.configuration.format.decode(buffer.prefix(count * pcm.configuration.bytesPerFrame))
            noteReading()
            return .samples(samples)
        }
    }

    private func noteReading() {
        lastReading = clock.now
        unreadSecondsThen = Double(pcm.delayFrames) / sampleRateHertz
    }
}
