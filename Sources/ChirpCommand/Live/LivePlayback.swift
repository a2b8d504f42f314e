internal import Chirp
internal import ChirpSound
internal import Foundation
internal import Synchronization

/// Plays codes through the speakers for a command: with its tones shown on a terminal, until the end or a signal.
struct LivePlayback {
    var device: String
    var preferredRateHertz = 48_000.0
    let sequence: ChirpSequence

    private enum Ending {
        case played(Player.Outcome)
        case failed(any Error)
        case signalled(Int32)
    }

    /// A device that has not fallen silent this long after a signal is left behind, in seconds.
    private static let stopDeadlineSeconds = 0.25

    /// Returns when everything has been heard; ends the process when a signal stops it.
    func run() async throws {
        let player = Player()
        let progress = PlaybackView(chirpCount: sequence.count)
        let signals = SignalWatch(SignalWatch.ending)
        let (endings, continuation) = AsyncStream.makeStream(of: Ending.self)
        Task.detached {
            do {
                continuation.yield(
                    .played(
                        try await player.play(
                            sequence, on: device, preferredRateHertz: preferredRateHertz, progress: progress.show)))
            } catch { continuation.yield(.failed(error)) }
        }
        Task.detached { for await number in signals.signals { continuation.yield(.signalled(number)) } }

        var signal: Int32?
        for await ending in endings {
            switch ending {
            case .signalled(let number):
                guard signal == nil else { break }
                signal = number
                player.stop()
                Task.detached {
                    try await Task.sleep(for: .seconds(Self.stopDeadlineSeconds))
                    continuation.yield(.failed(CancellationError()))
                }
                continue
            case .played(let outcome):
                if signal == nil {
                    progress.finish()
                    if outcome.underrunCount > 0 { StandardError.warn(PlaybackGaps(count: outcome.underrunCount)) }
                    return
                }
            case .failed(let error):
                if signal == nil {
                    progress.clear()
                    throw error
                }
            }
            break
        }
        progress.clear()
        let number = signal ?? SIGTERM
        StandardError.say("stopped by \(SignalWatch.name(of: number))")
        SignalWatch.endProcess(by: number)
    }
}
