internal import Chirp
internal import SoundServer

/// From the end of a chirp's sound in the server's monitor to its line on standard output.
enum Latency {
    static func measure(on server: PulseServer, count: Int) async throws {
        let monitor = try PlaybackMonitor(server)
        defer { monitor.stop() }
        let listener = try await server.listener("--json")
        var latencies: [Double] = []
        var generator = SystemRandomNumberGenerator()
        for index in 1...count {
            try await server.send(Shortcode.random(using: &generator).description)
            try await listener.waitForOutput("a line") { $0.split(separator: "\n").count >= index }
            let end = try await monitor.endOfSound()
            if let line = listener.lastOutput { latencies.append((line - end) / .seconds(1)) }
        }
        listener.kill(15)
        let heard = try await listener.result().lines.count
        LiveBenchmark.print("End of sound to line on standard output", LiveBenchmark.summary(latencies))
        LiveBenchmark.print("Random codes that arrived", "\(heard) of \(count)")
    }
}
