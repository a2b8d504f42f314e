import Testing

@testable import ChirpSound

@Suite struct CaptureBacklogTests {
    /// A reader with room for so many events.
    private struct Reader {
        var room: Int
        var events: [CaptureEvent] = []

        mutating func take(_ event: CaptureEvent) -> Bool {
            guard room > 0 else { return false }
            room -= 1
            events.append(event)
            return true
        }
    }

    private static let block = CaptureEvent.samples([Float](repeating: 0.5, count: 480))

    private func deliver(_ event: CaptureEvent, to reader: inout Reader, _ backlog: inout CaptureBacklog) {
        backlog.deliver(event, samplesPerSecond: 48_000) { reader.take($0) }
    }

    @Test func `a reader who keeps up gets everything`() {
        var (reader, backlog) = (Reader(room: 100), CaptureBacklog())
        for _ in 0..<100 { deliver(Self.block, to: &reader, &backlog) }
        #expect(reader.events == [CaptureEvent](repeating: Self.block, count: 100))
    }

    @Test func `a slow reader is reported how much he missed, where he missed it`() {
        var (reader, backlog) = (Reader(room: 2), CaptureBacklog())
        for _ in 0..<10 { deliver(Self.block, to: &reader, &backlog) }
        reader.room = 10
        deliver(Self.block, to: &reader, &backlog)
        #expect(reader.events.count == 4)
        #expect(reader.events[0...1] == [Self.block, Self.block])
        guard case .lost(let seconds, .consumer) = reader.events[2] else {
            Issue.record("\(reader.events[2])")
            return
        }
        #expect(abs(seconds - 0.08) < 1e-9)
        #expect(reader.events[3] == Self.block)
    }

    @Test func `what is not sound is kept in its place`() {
        var (reader, backlog) = (Reader(room: 1), CaptureBacklog())
        let opened = CaptureEvent.opened(device: "x", sampleRateHertz: 44_100, channelCount: 1)
        for event in [Self.block, Self.block, opened, Self.block, Self.block] {
            deliver(event, to: &reader, &backlog)
        }
        reader.room = 10
        deliver(Self.block, to: &reader, &backlog)
        #expect(reader.events.count == 5)
        #expect(reader.events[1] == .lost(seconds: 0.01, .consumer))
        #expect(reader.events[2] == opened)
        #expect(reader.events[3] == .lost(seconds: 0.02, .consumer))
        #expect(reader.events[4] == Self.block)
    }
}
