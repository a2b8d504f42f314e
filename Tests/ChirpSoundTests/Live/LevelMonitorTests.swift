import RealModule
import Testing

@testable import ChirpSound

@Suite struct LevelMonitorTests {
    private static let rate = 8_000

    /// What a sine of so many seconds makes the monitor say.
    private func notices(
        _ monitor: inout LevelMonitor, seconds: Double, amplitude: Float, limit: Float = 1
    ) -> [LevelMonitor.Notice] {
        var notices: [LevelMonitor.Notice] = []
        for block in 0..<Int(seconds * 100) {
            let samples = (0..<Self.rate / 100).map { index in
                let phase = 2 * Float.pi * 0.031 * Float(block * Self.rate / 100 + index)
                return min(max(amplitude * Float.sin(phase), -limit), limit)
            }
            notices += monitor.process(samples)
        }
        return notices
    }

    @Test func `a good level is not worth a word`() {
        var monitor = LevelMonitor(sampleRateHertz: Double(Self.rate))
        #expect(notices(&monitor, seconds: 30, amplitude: 0.9) == [])
        #expect(abs(monitor.peak - 0.9) < 0.01)
        #expect(notices(&monitor, seconds: 30, amplitude: 0.001) == [])
    }

    @Test func `clipping is said once, and again when it comes back`() {
        var monitor = LevelMonitor(sampleRateHertz: Double(Self.rate))
        #expect(notices(&monitor, seconds: 10, amplitude: 3).count == 1)
        #expect(notices(&monitor, seconds: 3, amplitude: 0.5) == [])
        let again = notices(&monitor, seconds: 3, amplitude: 3)
        guard case .clipped(let share)? = again.first, again.count == 1 else {
            Issue.record("\(again)")
            return
        }
        // A sine of three times full scale is beyond it for 1 − 2/π · asin(1/3) of the time: 78 %.
        #expect(abs(share - 0.78) < 0.03)
    }

    @Test func `what a server adds up beyond full scale is not clipped`() {
        var monitor = LevelMonitor(sampleRateHertz: Double(Self.rate))
        #expect(notices(&monitor, seconds: 10, amplitude: 1.3, limit: 2) == [])
    }

    @Test func `digital silence is reported from a microphone that hears hardly anything`() {
        var silent = LevelMonitor(sampleRateHertz: Double(Self.rate))
        #expect(notices(&silent, seconds: 20, amplitude: 0) == [.silent(seconds: 5)])
        var quiet = LevelMonitor(sampleRateHertz: Double(Self.rate))
        let said = notices(&quiet, seconds: 30, amplitude: 1e-4)
        guard case .quiet(let decibels)? = said.first, said.count == 1 else {
            Issue.record("\(said)")
            return
        }
        #expect(abs(decibels - -83) < 0.5)
    }

    @Test func `a short silence is no silence`() {
        var monitor = LevelMonitor(sampleRateHertz: Double(Self.rate))
        for _ in 0..<10 {
            #expect(notices(&monitor, seconds: 4, amplitude: 0) == [])
            #expect(notices(&monitor, seconds: 1, amplitude: 0.1) == [])
        }
    }
}
