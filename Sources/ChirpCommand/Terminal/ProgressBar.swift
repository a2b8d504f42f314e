internal import Foundation
internal import Synchronization

/// A progress bar on standard error, when that is a terminal.
final class ProgressBar: Sendable {
    private struct State {
        var done = 0.0
        var shownPercent = -1
    }

    private let total: Double
    private let isEnabled: Bool
    /// Nothing is shown before this instant: work that is short needs no bar.
    private let firstShown: ContinuousClock.Instant
    private let now: @Sendable () -> ContinuousClock.Instant
    private let write: @Sendable (String) -> Void
    private let state = Mutex(State())
    private static let width = 40

    /// - Parameters:
    ///   - total: the amount of work, in any unit.
    ///   - delay: how long the work takes before the bar appears.
    init(
        total: Double, delay: Duration = .zero, isEnabled: Bool = Terminal.showsProgress,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        write: @escaping @Sendable (String) -> Void = StandardError.write
    ) {
        self.total = total
        self.isEnabled = isEnabled
        self.now = now
        self.write = write
        firstShown = now() + delay
    }

    /// Adds work that is done; may be called from any thread.
    func advance(by amount: Double) {
        guard isEnabled else { return }
        state.withLock { state in
            state.done += amount
            guard now() >= firstShown, let percent = Self.percent(state.done, of: total), percent != state.shownPercent
            else { return }
            state.shownPercent = percent
            write("\r" + Self.text(percent: percent))
        }
    }

    /// Removes the bar, until the next advance, so that a line can be printed.
    func clear() {
        guard isEnabled else { return }
        state.withLock { state in
            guard state.shownPercent >= 0 else { return }
            state.shownPercent = -1
            write("\r\u{1B}[K")
        }
    }

    private static func percent(_ done: Double, of total: Double) -> Int? {
        total > 0 ? Int(100 * min(max(done / total, 0), 1)) : nil
    }

    static func text(percent: Int) -> String {
        let filled = width * percent / 100
        return String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled) + " \(percent) %"
    }
}
