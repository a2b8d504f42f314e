internal import Chirp
internal import ChirpSound
internal import Foundation
internal import Synchronization

/// Plays codes through the speakers for a command: with a progress line on a terminal, until the end or a signal.
struct LivePlayback {
    var device: String
    var preferredRateHertz = 48_000.0
    var codewords: [Codeword]
    var repetitions = 1
    var gapSeconds = 0.5
    var volume: Float = 0.8

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
        let progress = PlaybackProgress(chirpCount: codewords.count * repetitions)
        let signals = SignalWatch(SignalWatch.ending)
        let (endings, continuation) = AsyncStream.makeStream(of: Ending.self)
        Task.detached {
            do {
                continuation.yield(
                    .played(
                        try await player.play(
                            on: device, preferredRateHertz: preferredRateHertz, schedule: schedule,
                            progress: progress.show)))
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

    private func schedule(sampleRateHertz: Double) throws -> PlaybackSchedule {
        PlaybackSchedule(
            codewords, synthesiser: try Synthesiser(sampleRateHertz: sampleRateHertz), repetitions: repetitions,
            gapSeconds: gapSeconds, volume: volume)
    }
}

/// The line that shows the code being sung, symbol by symbol; nothing where standard error is no terminal.
final class PlaybackProgress: Sendable {
    private let chirpCount: Int
    private let isShown = isatty(STDERR_FILENO) == 1
    private let last = Mutex<PlaybackSchedule.Position?>(nil)

    init(chirpCount: Int) { self.chirpCount = chirpCount }

    /// Shows where the playing is, when that has changed.
    func show(_ position: PlaybackSchedule.Position?) {
        guard isShown, let position else { return }
        let isNew = last.withLock { last in
            defer { last = position }
            return last != position
        }
        if isNew { write("\r\u{1B}[K" + Self.line(position, chirpCount: chirpCount)) }
    }

    /// Leaves the last line as it is, complete.
    func finish() {
        if isShown, last.withLock({ $0 }) != nil { write("\n") }
    }

    /// Takes the line away.
    func clear() {
        if isShown { write("\r\u{1B}[K") }
    }

    /// `♪ 1/2  hjgsm2h88c7·········  gsm2h88c7u`: what has been sung, what is to come, and the code.
    static func line(_ position: PlaybackSchedule.Position, chirpCount: Int) -> String {
        let frame = Array(WireFormat.original.text(of: position.codeword.frame))
        let sung = String(frame.prefix(position.symbolIndex + 1))
        let left = String(repeating: "·", count: frame.count - position.symbolIndex - 1)
        let count = chirpCount > 1 ? " \(position.chirpIndex + 1)/\(chirpCount)" : ""
        return "♪\(count)  \(sung)\(left)  \(position.codeword.shortcode)"
    }

    private func write(_ text: String) { try? FileHandle.standardError.write(contentsOf: Data(text.utf8)) }
}
