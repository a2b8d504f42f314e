import Testing

@testable import ChirpSound

@Suite struct LossReporterTests {
    @Test func `the first loss is reported at once, later ones together every ten seconds`() {
        var tally = LossReporter()
        #expect(tally.due(at: 0) == [])
        tally.take(seconds: 0.5, .device)
        #expect(tally.due(at: 1) == [.init(cause: .device, seconds: 0.5, count: 1)])
        for second in 2...10 {
            tally.take(seconds: 0.25, .device)
            #expect(tally.due(at: Double(second)) == [])
        }
        #expect(tally.due(at: 11) == [.init(cause: .device, seconds: 2.25, count: 9)])
        #expect(tally.due(at: 30) == [])
    }

    @Test func `causes are counted apart, and the end reports the rest`() {
        var tally = LossReporter()
        tally.take(seconds: 1, .device)
        #expect(tally.due(at: 0).count == 1)
        tally.take(seconds: 2, .consumer)
        tally.take(seconds: 4, .device)
        #expect(tally.due(at: 1) == [.init(cause: .consumer, seconds: 2, count: 1)])
        #expect(tally.finish() == [.init(cause: .device, seconds: 4, count: 1)])
        #expect(tally.finish() == [])
    }
}
