internal import Chirp
internal import ChirpSound
internal import Foundation
internal import Synchronization

/// Everything that a microphone brings during a trial, and the chirps in it, on one axis of time.
final class LiveRecording: Sendable {
    private struct State {
        var samples: [Float] = []
        var heard: [DetectedChirp] = []
        var sampleRateHertz = 0.0
        /// Where each volume's playing began.
        var marks: [Int] = []
        var failure: (any Error)?
        var hasEnded = false
        var lostSeconds = 0.0
    }

    private let capture: Capture
    private let state = Mutex(State())

    /// Begins to listen.
    init(device: String) {
        capture = Capture(device: device)
        Task.detached { [self] in await listen() }
    }

    private func listen() async {
        do {
            var receiver: Receiver?
            var channelCount = 1
            for try await event in capture.events {
                switch event {
                case .opened(_, let rate, let count):
                    channelCount = count
                    receiver = try Receiver(sampleRateHertz: rate)
                    state.withLock { $0.sampleRateHertz = rate }
                case .samples(let interleaved):
                    let samples = Mixdown.mean(of: interleaved, channelCount: channelCount)
                    take(samples, receiver?.process(samples) ?? [])
                case .lost(let seconds, _):
                    // Silence of the same length keeps the axis.
                    let silence = [Float](
                        repeating: 0, count: Int(seconds * state.withLock { $0.sampleRateHertz }))
                    take(silence, receiver?.process(silence) ?? [])
                    state.withLock { $0.lostSeconds += seconds }
                case .absent: break
                }
            }
            take([], receiver?.finish() ?? [])
        } catch {
            state.withLock { $0.failure = error }
        }
        state.withLock { $0.hasEnded = true }
    }

    private func take(_ samples: [Float], _ chirps: [DetectedChirp]) {
        state.withLock { state in
            state.samples += samples
            state.heard += chirps
        }
    }

    /// Waits until so much has been recorded from now on.
    ///
    /// - Throws: why there is no more sound.
    func wait(forSeconds seconds: Double) async throws {
        let begin = state.withLock { $0.samples.count }
        while true {
            let isEnough = try state.withLock { state in
                if let failure = state.failure { throw failure }
                return state.sampleRateHertz > 0
                    && Double(state.samples.count - begin) >= seconds * state.sampleRateHertz
            }
            if isEnough { return }
            // A device that delivers nothing fails after five seconds by itself.
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// The next volume begins here.
    func mark() { state.withLock { $0.marks.append($0.samples.count) } }

    /// Ends the listening and gives back what there was.
    func finish() async throws -> Outcome {
        capture.stop()
        while !state.withLock({ $0.hasEnded }) { try await Task.sleep(for: .milliseconds(20)) }
        return try state.withLock { state in
            if let failure = state.failure { throw failure }
            let ends = state.marks.dropFirst() + [state.samples.count]
            let clipped = zip(state.marks, ends).map { begin, end in
                let stretch = state.samples[begin..<end]
                return Double(stretch.count { abs($0) >= 0.9999 }) / Double(max(stretch.count, 1))
            }
            return Outcome(
                samples: state.samples, heard: state.heard, sampleRateHertz: state.sampleRateHertz,
                clippedShares: clipped, lostSeconds: state.lostSeconds)
        }
    }

    struct Outcome: Sendable {
        let samples: [Float]
        let heard: [DetectedChirp]
        let sampleRateHertz: Double
        /// Share of the samples at full scale while each volume was played.
        let clippedShares: [Double]
        let lostSeconds: Double
    }
}
