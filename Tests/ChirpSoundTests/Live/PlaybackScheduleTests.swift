import Chirp
import Testing

@testable import ChirpSound

@Suite struct PlaybackScheduleTests {
    private static let rate = 48_000.0
    private static let codewords = ["gsm2h88c7u", "parrotbill"].compactMap { try? Codeword(parsing: $0) }

    private func schedule(repetitions: Int = 1, gapSeconds: Double = 0.25) throws -> PlaybackSchedule {
        try PlaybackSchedule(
            ChirpSequence(Self.codewords, repetitions: repetitions, gapSeconds: gapSeconds, volume: 0.5),
            sampleRateHertz: Self.rate)
    }

    @Test func `each code is played in every format, one after the other`() throws {
        let formats = [WireFormat.fast, .original]
        var schedule = try PlaybackSchedule(
            ChirpSequence(Self.codewords, formats: formats, repetitions: 2), sampleRateHertz: Self.rate)
        var played: [(Int, Codeword, WireFormat)] = []
        while let block = schedule.next() {
            guard let position = block.position, position.chirpIndex >= played.count else { continue }
            played.append((position.chirpIndex, position.codeword, position.format))
        }
        let expected = (0..<2).flatMap { _ in Self.codewords.flatMap { code in formats.map { (code, $0) } } }
        #expect(schedule.sequence.count == 8 && played.map(\.0) == Array(0..<8))
        #expect(played.map(\.1) == expected.map(\.0) && played.map(\.2) == expected.map(\.1))
    }

    @Test(arguments: [1, 3], [0, 0.25])
    func `codes are played in turn, with gaps between them and silence around`(
        repetitions: Int, gapSeconds: Double
    ) throws {
        var schedule = try schedule(repetitions: repetitions, gapSeconds: gapSeconds)
        let synthesiser = try Synthesiser(sampleRateHertz: Self.rate)
        let gap = [Float](repeating: 0, count: Int(gapSeconds * Self.rate))
        var expected = [Float](repeating: 0, count: Int(PlaybackSchedule.leadInSeconds * Self.rate))
        for index in 0..<2 * repetitions {
            if index > 0 { expected += gap }
            expected += synthesiser.samples(of: Self.codewords[index % 2], volume: 0.5)
        }
        expected += [Float](repeating: 0, count: Int(PlaybackSchedule.leadOutSeconds * Self.rate))
        var played: [Float] = []
        while let block = schedule.next() {
            #expect(block.samples.count <= Int(PlaybackSchedule.blockSeconds * Self.rate))
            played += block.samples
        }
        #expect(played == expected)
        #expect(schedule.next() == nil)
        #expect(schedule.sequence.count == 2 * repetitions)
    }

    @Test func `every block says which symbol of which code it belongs to`() throws {
        var schedule = try schedule()
        var positions: [PlaybackSchedule.Position] = []
        while let block = schedule.next() {
            if let position = block.position, position != positions.last { positions.append(position) }
        }
        #expect(positions.map(\.chirpIndex) == [Int](repeating: 0, count: 20) + [Int](repeating: 1, count: 20))
        #expect(positions.map(\.symbolIndex) == Array(0..<20) + Array(0..<20))
        #expect(positions.first?.codeword == Self.codewords[0])
        #expect(positions.last?.codeword == Self.codewords[1])
    }

    @Test(arguments: [11, 40, 57, 100, 183])
    func `a stop fades out within a block, without a click`(blocksBefore: Int) throws {
        var schedule = try schedule()
        var played: [Float] = []
        for _ in 0..<blocksBefore { played += schedule.next()?.samples ?? [] }
        schedule.stop()
        let last = schedule.next()?.samples ?? []
        #expect(!last.isEmpty)
        #expect(schedule.next() == nil)
        // A click is a step: no two samples differ by more than the highest tone at this volume makes them.
        let steepest = Float(2 * 0.5 * 10_548.1 * 3.141593 / Self.rate)
        let all: [Float] = Array(played.suffix(1)) + last + [0]
        for (sample, next) in zip(all, all.dropFirst()) { #expect(abs(next - sample) <= steepest) }
        #expect(abs(last.last ?? 1) < 0.001)
    }

    @Test func `a stop in a gap ends at once`() throws {
        var schedule = try schedule()
        _ = schedule.next()
        schedule.stop()
        #expect(schedule.next() == nil)
    }
}
