import Chirp
import ChirpSound
import Testing

@Suite struct LiveReceiverTests {
    private static let code = "gsm2h88c7u"

    private func chirp(rate: Double) throws -> [Float] {
        try Synthesiser(sampleRateHertz: rate).samples(of: Codeword(parsing: Self.code), volume: 0.3)
    }

    private func opened(_ rate: Double) -> CaptureEvent {
        .opened(device: "x", sampleRateHertz: rate, channelCount: 1)
    }

    /// Feeds sound in blocks of 10 ms, at the time at which each has come in.
    private func hear(
        _ samples: [Float], rate: Double, from seconds: inout Double, _ stage: inout LiveReceiver
    ) throws -> [DetectedChirp] {
        var chirps: [DetectedChirp] = []
        let length = Int(rate / 100)
        for start in stride(from: 0, to: samples.count, by: length) {
            let block = Array(samples[start..<min(start + length, samples.count)])
            seconds += Double(block.count) / rate
            chirps += try stage.take(.samples(block), at: seconds).chirps
        }
        return chirps
    }

    private func silence(_ seconds: Double, _ rate: Double) -> [Float] {
        [Float](repeating: 0, count: Int(seconds * rate))
    }

    @Test(arguments: [16_000.0, 44_100, 48_000, 96_000])
    func `the rate that the device runs at is the one decoded with`(rate: Double) throws {
        var stage = LiveReceiver()
        var time = 0.0
        _ = try stage.take(opened(rate), at: 0)
        let sound = silence(1, rate) + (try chirp(rate: max(rate, 22_050)).thinned(rate)) + silence(1, rate)
        let chirps = try hear(sound, rate: rate, from: &time, &stage) + stage.finish().chirps
        #expect(chirps.map(\.shortcode.description) == [Self.code])
        #expect(abs((chirps.first?.startSeconds ?? 0) - 1) < 0.02)
    }

    @Test func `a chirp with a hole in it is decoded, and what comes after it keeps its time`() throws {
        let rate = 48_000.0
        var stage = LiveReceiver()
        var time = 0.0
        _ = try stage.take(opened(rate), at: 0)
        let sound = try chirp(rate: rate)
        let hole = 40_000..<40_000 + Int(0.15 * rate)
        var chirps = try hear(
            silence(1, rate) + Array(sound[..<hole.lowerBound]), rate: rate, from: &time, &stage)
        time += 0.15
        chirps += try stage.take(.lost(seconds: 0.15, .device), at: time).chirps
        chirps += try hear(
            Array(sound[hole.upperBound...]) + silence(1, rate) + sound + silence(1, rate), rate: rate, from: &time,
            &stage)
        chirps += stage.finish().chirps
        #expect(chirps.map(\.shortcode.description) == [Self.code, Self.code])
        #expect(abs(chirps[0].startSeconds - 1) < 0.02)
        #expect(abs(chirps[1].startSeconds - 3.744) < 0.02)
    }

    @Test func `a device that comes back at another rate goes on in the same time`() throws {
        var stage = LiveReceiver()
        var time = 0.0
        _ = try stage.take(opened(48_000), at: 0)
        var chirps = try hear(silence(0.5, 48_000) + chirp(rate: 48_000), rate: 48_000, from: &time, &stage)
        chirps += try stage.take(
            .absent(.stalled(device: "x", direction: .capture, seconds: 5)), at: time
        ).chirps
        time += 20
        chirps += try stage.take(opened(44_100), at: time).chirps
        chirps += try hear(
            silence(0.5, 44_100) + chirp(rate: 44_100) + silence(1, 44_100), rate: 44_100, from: &time, &stage)
        #expect(chirps.map(\.shortcode.description) == [Self.code, Self.code])
        #expect(abs(chirps[0].startSeconds - 0.5) < 0.02)
        #expect(abs(chirps[1].startSeconds - (0.5 + 1.744 + 20 + 0.5)) < 0.02)
        #expect(stage.sampleRateHertz == 44_100)
    }

    @Test func `of a channel that is inverted on another the level is told, and both are listened to`() throws {
        let rate = 16_000.0
        var stage = LiveReceiver()
        _ = try stage.take(.opened(device: "x", sampleRateHertz: rate, channelCount: 2), at: 0)
        var (time, codes, notices) = (0.0, [String](), [LevelMonitor.Notice]())
        // Longer than what is called silent, and a square wave at full scale.
        for level in [[Float](repeating: 0.1, count: 112_000), [Float](repeating: 1, count: 32_000)] {
            let sound = zip(level, 0...).map { $1 % 2 == 0 ? $0 : -$0 } + (try chirp(rate: 48_000).thinned(rate))
            time += Double(sound.count) / rate
            let outcome = try stage.take(.samples(sound.flatMap { [$0, -$0] }), at: time)
            (codes, notices) = (codes + outcome.chirps.map(\.shortcode.description), notices + outcome.notices)
        }
        let last = stage.finish().chirps
        codes += last.map(\.shortcode.description)
        let isClipped = notices.map { if case .clipped = $0 { true } else { false } }
        #expect(isClipped == [true], "\(notices)")
        #expect(codes == [String](repeating: Self.code, count: 4))
    }

    @Test func `a long loss takes its time without samples for it`() throws {
        let rate = 48_000.0
        var stage = LiveReceiver()
        var time = 0.0
        _ = try stage.take(opened(rate), at: 0)
        _ = try hear(silence(1, rate), rate: rate, from: &time, &stage)
        time += 3_600
        let outcome = try stage.take(.lost(seconds: 3_600, .device), at: time)
        #expect(outcome.frames.isEmpty)
        let chirps = try hear(chirp(rate: rate) + silence(1, rate), rate: rate, from: &time, &stage)
        #expect(chirps.map(\.shortcode.description) == [Self.code])
        #expect(abs((chirps.first?.startSeconds ?? 0) - 3_601) < 0.02)
    }

    @Test func `a rate at which chirps cannot be heard is an error`() {
        var stage = LiveReceiver()
        #expect(throws: ReceptionError.self) { _ = try stage.take(opened(4_000), at: 0) }
    }
}

extension [Float] {
    /// The chirp at a rate below those that are synthesised at: every sample of a whole multiple.
    fileprivate func thinned(_ rate: Double) throws -> [Float] {
        guard rate < 22_050 else { return self }
        let sound = try Synthesiser(sampleRateHertz: 3 * rate).samples(of: Codeword(parsing: "gsm2h88c7u"), volume: 0.3)
        return stride(from: 0, to: sound.count, by: 3).map { sound[$0] }
    }
}
