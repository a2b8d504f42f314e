internal import Synchronization

/// Prints the messages of several files in the order of the files: those of the first unfinished file immediately, the
/// others when its turn comes.
final class OrderedWriter: Sendable {
    enum Outcome { case found, nothingFound, failed }

    private struct State {
        var waiting: [[FileDecoding.Message]]
        var isFinished: [Bool]
        var turn = 0
        var found = false
        var failed = false
        var isBroken = false
        var header: String?
    }

    private let state: Mutex<State>
    private let progress: ProgressBar?

    /// - Parameters:
    ///   - header: a line before the first result.
    ///   - progress: is cleared before a line is printed.
    init(count: Int, header: String? = nil, progress: ProgressBar? = nil) {
        self.progress = progress
        state = Mutex(
            State(
                waiting: Array(repeating: [], count: count), isFinished: Array(repeating: false, count: count),
                header: header))
    }

    /// Whether writing has failed, so that no further results are needed.
    var isBroken: Bool { state.withLock { $0.isBroken } }

    var outcome: Outcome { state.withLock { $0.failed ? .failed : $0.found ? .found : .nothingFound } }

    func emit(_ message: FileDecoding.Message, from index: Int) {
        state.withLock { state in
            if index == state.turn { print(message, &state) } else { state.waiting[index].append(message) }
        }
    }

    func finish(_ index: Int) {
        state.withLock { state in
            state.isFinished[index] = true
            while state.turn < state.isFinished.count, state.isFinished[state.turn] {
                state.turn += 1
                guard state.turn < state.waiting.count else { return }
                for message in state.waiting[state.turn] { print(message, &state) }
                state.waiting[state.turn] = []
            }
        }
    }

    /// Prints the header of a table that has no lines.
    func end() { state.withLock { write(nil, &$0) } }

    /// Prints a line, and before the first one the header; after a failure nothing more.
    private func write(_ line: String?, _ state: inout State) {
        guard !state.isBroken else { return }
        do {
            if let header = state.header { try StandardOutput.print(header) }
            state.header = nil
            if let line { try StandardOutput.print(line) }
        } catch {
            state.isBroken = true
            state.failed = true
            StandardError.report(error)
        }
    }

    private func print(_ message: FileDecoding.Message, _ state: inout State) {
        progress?.clear()
        switch message {
        case .result(let line):
            state.found = true
            write(line, &state)
        case .remark(let sentence): StandardError.say(sentence)
        case .warning(let sentence): StandardError.warn(sentence)
        case .failure(let sentence):
            state.failed = true
            StandardError.report(sentence)
        }
    }
}
