internal import Foundation
internal import SoundServer
internal import Synchronization

/// Hears what is played on a sound server, by the server's own tools, and knows to the sample when it was.
final class PlaybackMonitor: Sendable {
    static let sampleRateHertz = 48_000.0
    /// Below this there is no sound: the last bit of 16.
    private static let silence: Float = 1 / 32_768
    /// What is kept of the latest sound, in samples.
    private static let memory = Int(2 * sampleRateHertz)

    private struct State {
        var lastSound: ContinuousClock.Instant?
        var silentSamples = 0
        var latest: [Float] = []
    }

    private let process: Process
    private let state = Mutex(State())

    /// - Parameter latencyMilliseconds: what is asked of the server; as `chirp listen` does it, so that the server runs
    ///   as it would without this.
    init(_ server: PulseServer, latencyMilliseconds: Int = 10) throws {
        process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "parec", "--device=loop.monitor", "--raw", "--format=float32le", "--rate=\(Int(Self.sampleRateHertz))",
            "--channels=1", "--latency-msec=\(latencyMilliseconds)",
        ]
        process.environment = server.environment
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        Thread { [self] in
            var rest = Data()
            while case let data = pipe.fileHandleForReading.availableData, !data.isEmpty {
                let arrival = ContinuousClock.now
                rest += data
                let count = rest.count / 4
                let samples = [Float](unsafeUninitializedCapacity: count) { buffer, filled in
                    rest.copyBytes(to: buffer, from: rest.startIndex..<rest.startIndex + 4 * count)
                    filled = count
                }
                rest = Data(rest.dropFirst(4 * count))
                take(samples, at: arrival)
            }
        }.start()
    }

    private func take(_ samples: [Float], at arrival: ContinuousClock.Instant) {
        state.withLock { state in
            state.latest.append(contentsOf: samples)
            if state.latest.count > Self.memory { state.latest.removeFirst(state.latest.count - Self.memory) }
            guard let last = samples.lastIndex(where: { abs($0) > Self.silence }) else {
                state.silentSamples += samples.count
                return
            }
            state.silentSamples = samples.count - 1 - last
            state.lastSound = arrival - .seconds(Double(state.silentSamples) / Self.sampleRateHertz)
        }
    }

    /// Whether there is sound now.
    var hearsSound: Bool {
        state.withLock { $0.lastSound != nil && $0.silentSamples < Int(0.02 * Self.sampleRateHertz) }
    }

    /// When the last sound ended; waits until it has been silent for a while.
    func endOfSound() async throws -> ContinuousClock.Instant {
        try await waitUntil("silence") {
            state.withLock { $0.lastSound != nil && $0.silentSamples > Int(0.3 * Self.sampleRateHertz) }
        }
        return state.withLock { $0.lastSound } ?? .now
    }

    /// The largest step between two samples in the last 20 ms of sound, and in the second before them.
    func steps() -> (atEnd: Float, before: Float) {
        let samples = state.withLock { $0.latest }
        guard let end = samples.lastIndex(where: { abs($0) > Self.silence }) else { return (0, 0) }
        let steps = zip(samples, samples.dropFirst()).map { abs($1 - $0) }
        let edge = max(0, end - Int(0.02 * Self.sampleRateHertz))
        let start = max(0, edge - Int(Self.sampleRateHertz))
        return (steps[edge..<min(end + 1, steps.count)].max() ?? 0, steps[start..<edge].max() ?? 0)
    }

    func stop() { process.terminate() }
}
