internal import Synchronization

/// Plays a schedule on a thread of its own.
public final class Player: Sendable {
    /// How a playing ended.
    public struct Outcome: Sendable, Hashable {
        /// Whether it was stopped before the end.
        public let wasStopped: Bool
        /// How often the device ran dry, so that a gap was heard.
        public let underrunCount: Int
    }

    /// A device that takes nothing for this long, in seconds, has failed.
    static let stallSeconds = 5.0

    private let isStopped: Atomic<Bool> = Atomic(false)

    public init() {}

    /// Fades out and ends the playing: silence within 100 ms.
    public func stop() { isStopped.store(true, ordering: .relaxed) }

    /// Plays until the last sample has been heard, or until it is stopped; stops when its task is cancelled.
    ///
    /// - Parameters:
    ///   - device: a name as ``SoundDevices/list()`` gives them.
    ///   - preferredRateHertz: the nearest rate that the device offers is the one it runs at.
    ///   - progress: called on the playing thread for every block when it begins to be written; not to block.
    /// - Throws: ``SoundDeviceError``, and ``Chirp/SynthesisError`` where the device runs at no rate for the formats.
    public func play(
        _ sequence: ChirpSequence, on device: String, preferredRateHertz: Double = 48_000,
        progress: @escaping @Sendable (PlaybackSchedule.Position?) -> Void = { _ in }
    ) async throws -> Outcome {
        let (outcomes, continuation) = AsyncThrowingStream.makeStream(of: Outcome.self)
        let watch = StallWatchdog()
        BlockingThread.start(name: "playback", isUrgent: true) { [self] in
            let result = Result {
                let opened = try PlaybackDevice(device: device, preferredRateHertz: preferredRateHertz)
                let schedule = try PlaybackSchedule(sequence, sampleRateHertz: opened.sampleRateHertz)
                return try self.run(schedule, on: opened, watch: watch, progress: progress)
            }
            watch.end()
            continuation.yield(with: result)
        }
        Task.detached {
            guard await watch.hangs(for: Self.stallSeconds) else { return }
            continuation.finish(
                throwing: SoundDeviceError.stalled(device: device, direction: .playback, seconds: Self.stallSeconds))
        }
        return try await withTaskCancellationHandler {
            for try await outcome in outcomes { return outcome }
            throw CancellationError()
        } onCancel: {
            stop()
        }
    }

    private func run(
        _ schedule: PlaybackSchedule, on device: PlaybackDevice, watch: StallWatchdog,
        progress: (PlaybackSchedule.Position?) -> Void
    ) throws(SoundDeviceError) -> Outcome {
        var schedule = schedule
        var wasStopped = false
        while true {
            watch.note()
            if isStopped.load(ordering: .relaxed), !wasStopped {
                wasStopped = true
                schedule.stop()
            }
            guard let block = schedule.next() else { break }
            progress(block.position)
            try device.write(block.samples)
        }
        try device.finish()
        return Outcome(wasStopped: wasStopped, underrunCount: device.underrunCount)
    }
}
