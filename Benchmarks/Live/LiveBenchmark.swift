internal import Foundation
internal import SoundServer

/// Measures what people feel of live sound, on a sound server of its own: how long after a chirp its line is printed, how
/// soon sending is silent after Ctrl-C, and what listening takes of a processor and of memory.
///
/// `make bench-live` runs it all; of latency, stopping, load and memory only those are measured that are named. Figures
/// depend on the machine, and on what else it does.
@main struct LiveBenchmark {
    static func main() async throws {
        let parts = CommandLine.arguments.dropFirst()
        func isWanted(_ part: String) -> Bool { parts.isEmpty || parts.contains(part) }
        let server = try await PulseServer()
        if isWanted("latency") { try await Latency.measure(on: server, count: 20) }
        if isWanted("stopping") { try await Stopping.measure(on: server, count: 10) }
        if isWanted("load") { try await Load.measure(on: server, seconds: 30) }
        if isWanted("memory") { try await Memory.measure(hours: 1) }
    }

    /// Prints a line of figures at once.
    static func print(_ name: String, _ figures: String) {
        let line = name.padding(toLength: 46, withPad: " ", startingAt: 0) + figures + "\n"
        FileHandle.standardOutput.write(Data(line.utf8))
    }

    /// Median, 95 % and largest of some times, as text.
    static func summary(_ seconds: [Double]) -> String {
        let sorted = seconds.sorted()
        guard let largest = sorted.last else { return "nothing measured" }
        func milliseconds(_ seconds: Double) -> String { String(format: "%.0f ms", seconds * 1_000) }
        let (median, high) = (sorted[sorted.count / 2], sorted[min(sorted.count - 1, sorted.count * 95 / 100)])
        return "median \(milliseconds(median)), 95 % \(milliseconds(high)), largest \(milliseconds(largest)), "
            + "\(sorted.count) measured"
    }
}
