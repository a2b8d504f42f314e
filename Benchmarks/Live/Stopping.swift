internal import Foundation
internal import SoundServer

/// From Ctrl-C to silence, and whether it clicks.
enum Stopping {
    static func measure(on server: PulseServer, count: Int) async throws {
        let monitor = try PlaybackMonitor(server)
        defer { monitor.stop() }
        var times: [Double] = []
        var worst: Float = 0
        for index in 0..<count {
            let sender = try server.chirp("send", "gsm2h88c7u", "--repeat", "100")
            try await waitUntil("sound") { monitor.hearsSound }
            try await Task.sleep(for: .milliseconds(300 + 37 * index))
            let stop = ContinuousClock.now
            sender.kill(SIGINT)
            _ = try await sender.result()
            times.append((try await monitor.endOfSound() - stop) / .seconds(1))
            let steps = monitor.steps()
            worst = max(worst, steps.atEnd / max(steps.before, 1e-6))
        }
        LiveBenchmark.print("Ctrl-C to silence", LiveBenchmark.summary(times))
        let share = String(format: "%.2f", worst)
        LiveBenchmark.print("Steepest step of the last 20 ms", "\(share) of the steepest before (a click exceeds 1)")
    }
}
