internal import Foundation
internal import Synchronization

/// Captures on a thread of its own, which nothing that is done with the sound can hold up.
///
/// The stream holds half a minute of sound; what a slower reader misses is reported to it as lost. It ends with an error
/// when the device fails, unless the device is waited for.
public final class Capture: Sendable {
    /// Sound kept for a reader that does not keep up, in seconds.
    public static let bufferSeconds = 30.0
    /// A device that delivers nothing for this long, in seconds, has failed.
    static let stallSeconds = 5.0
    /// How often a device that is waited for is tried, in seconds.
    static let retrySeconds = 0.5
    /// A device that does not come back from a call this long after the capture was stopped is left behind, in seconds.
    static let stopSeconds = 0.3

    /// What was captured, for one reader.
    public let events: AsyncThrowingStream<CaptureEvent, any Error>

    private let isStopped: Atomic<Bool> = Atomic(false)
    private let progress = StallWatchdog()
    private let device: String
    private let preferredRateHertz: Double
    private let preferredChannelCount: Int
    private let waitsForDevice: Bool
    private let continuation: AsyncThrowingStream<CaptureEvent, any Error>.Continuation

    /// Begins to capture, until it is stopped or the task that reads ``events`` is cancelled.
    ///
    /// - Parameters:
    ///   - preferredChannelCount: at least one; the nearest number that the device offers is captured. A sound server mixes the
    ///     channels of a microphone down to fewer.
    ///   - waitsForDevice: whether a device that is not there, or goes away, is waited for.
    public init(
        device: String, preferredRateHertz: Double = 48_000, preferredChannelCount: Int = 1,
        waitsForDevice: Bool = false
    ) {
        self.device = device
        self.preferredRateHertz = preferredRateHertz
        self.preferredChannelCount = preferredChannelCount
        self.waitsForDevice = waitsForDevice
        let capacity = Int(Self.bufferSeconds / CaptureDevice.periodSeconds)
        (events, continuation) = AsyncThrowingStream.makeStream(bufferingPolicy: .bufferingOldest(capacity))
        // Nobody reads on: the reader was cancelled, or has let go of the stream.
        continuation.onTermination = { [weak self] _ in self?.stop() }
        BlockingThread.start(name: "capture", isUrgent: true) { [self] in
            run()
            progress.end()
        }
        Task.detached { [self] in await watch() }
    }

    /// Ends the capture and the stream, within about 100 ms.
    public func stop() { isStopped.store(true, ordering: .relaxed) }

    /// Ends the stream when the device hangs in a call, as those of a sound server do that is frozen itself.
    private func watch() async {
        var idleness = StallWatchdog.Idleness()
        while let idle = idleness.idleSeconds(of: progress) {
            if shouldStop, idle > Self.stopSeconds { return continuation.finish() }
            if !waitsForDevice, idle > Self.stallSeconds {
                return continuation.finish(
                    throwing: SoundDeviceError.stalled(
                        device: device, direction: .capture, seconds: Self.stallSeconds))
            }
            try? await Task.sleep(for: .seconds(StallWatchdog.intervalSeconds))
        }
    }

    private var shouldStop: Bool { isStopped.load(ordering: .relaxed) }

    private func run() {
        var backlog = CaptureBacklog()
        var absence: SoundDeviceError?
        while !shouldStop {
            progress.note()
            do throws(SoundDeviceError) {
                let source = try CaptureDevice(
                    device: device, preferredRateHertz: preferredRateHertz,
                    preferredChannelCount: preferredChannelCount)
                absence = nil
                try pump(source, into: &backlog)
            } catch {
                guard waitsForDevice, error.isAbsence else {
                    continuation.finish(throwing: error)
                    return
                }
                // Once for every way in which it is absent, not twice a second.
                if absence != error { deliver(.absent(error), samplesPerSecond: 1, &backlog) }
                absence = error
                Thread.sleep(forTimeInterval: Self.retrySeconds)
            }
        }
        continuation.finish()
    }

    private func pump(_ source: CaptureDevice, into backlog: inout CaptureBacklog) throws(SoundDeviceError) {
        let rate = source.sampleRateHertz * Double(source.channelCount)
        deliver(
            .opened(device: device, sampleRateHertz: source.sampleRateHertz, channelCount: source.channelCount),
            samplesPerSecond: rate, &backlog)
        var lastReading = ContinuousClock.now
        var idleSeconds = 0.0
        while !shouldStop {
            progress.note()
            let reading = try source.read()
            let passed = StallWatchdog.seconds(since: &lastReading)
            switch reading {
            case .samples(let samples):
                idleSeconds = 0
                deliver(.samples(samples), samplesPerSecond: rate, &backlog)
            case .lost(let seconds):
                idleSeconds = 0
                deliver(.lost(seconds: seconds, .device), samplesPerSecond: rate, &backlog)
            case .nothing:
                idleSeconds += passed
                guard idleSeconds > Self.stallSeconds else { continue }
                throw .stalled(device: device, direction: .capture, seconds: Self.stallSeconds)
            }
        }
    }

    private func deliver(_ event: CaptureEvent, samplesPerSecond: Double, _ backlog: inout CaptureBacklog) {
        backlog.deliver(event, samplesPerSecond: samplesPerSecond) { event in
            if case .dropped = continuation.yield(event) { false } else { true }
        }
    }
}
