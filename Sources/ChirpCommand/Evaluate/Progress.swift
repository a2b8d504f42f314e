internal import Foundation
internal import Synchronization

/// A bar on standard error, when that is a terminal.
final class Progress: Sendable {
    private struct State {
        var done = 0
        var shownPercent = -1
    }

    private let total: Int
    private let isShown = isatty(STDERR_FILENO) == 1
    private let state = Mutex(State())
    private static let width = 40

    init(total: Int) { self.total = max(total, 1) }

    /// Counts further trials; may be called from any thread.
    func advance(by count: Int) {
        guard isShown else { return }
        state.withLock { state in
            state.done = min(state.done + count, total)
            let percent = 100 * state.done / total
            guard percent != state.shownPercent else { return }
            state.shownPercent = percent
            let filled = Self.width * state.done / total
            let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.width - filled)
            FileHandle.standardError.write(Data("\r\(bar) \(percent) %".utf8))
        }
    }

    /// Takes the bar away, until the next advance, so that a line can be printed.
    func clear() {
        guard isShown else { return }
        state.withLock { state in
            state.shownPercent = -1
            FileHandle.standardError.write(Data("\r\u{1B}[K".utf8))
        }
    }
}
