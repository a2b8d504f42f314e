import Testing

@testable import Chirp

@Suite struct WorkBudgetTests {
    private static func work(frames: Int) -> ReceptionWork {
        var work = ReceptionWork()
        work.transformedFrames = frames
        return work
    }

    @Test func `searches are left out before looks, and both come back with time`() {
        var (budget, work) = (WorkBudget(), ReceptionWork())
        func allowed() -> [Bool] {
            [budget.allows(.search, counting: &work), budget.allows(.look, counting: &work)]
        }
        #expect(allowed() == [true, true])
        budget.follow(seconds: 0, work: Self.work(frames: 550))
        #expect(allowed() == [false, true])
        budget.follow(seconds: 0, work: Self.work(frames: 700))
        #expect(allowed() == [false, false])
        #expect(work.leftOutLooks == 3)
        budget.follow(seconds: 5, work: Self.work(frames: 700))
        #expect(allowed() == [false, true])
        budget.follow(seconds: 5, work: Self.work(frames: 700))
        #expect(allowed() == [true, true])
    }

    @Test func `what lacks a preamble is left out first`() {
        var (budget, work) = (WorkBudget(), ReceptionWork())
        func allowed() -> [Bool] {
            [budget.allows(.withoutPreamble, counting: &work), budget.allows(.search, counting: &work)]
        }
        #expect(allowed() == [true, true])
        budget.follow(seconds: 0, work: Self.work(frames: 400))
        #expect(allowed() == [false, true])
    }

    @Test func `no more is saved up than a burst needs`() {
        var (budget, work) = (WorkBudget(), ReceptionWork())
        budget.follow(seconds: 1_000_000, work: Self.work(frames: 0))
        budget.follow(seconds: 0, work: Self.work(frames: Int(WorkBudget.greatestSaving)))
        let isAllowed = budget.allows(.look, counting: &work)
        #expect(!isAllowed)
    }

    @Test func `what was spent before does not count`() {
        var (budget, work) = (WorkBudget(spent: Self.work(frames: 10_000)), ReceptionWork())
        budget.follow(seconds: 0, work: Self.work(frames: 10_000))
        let isAllowed = budget.allows(.search, counting: &work)
        #expect(isAllowed)
    }

    /// What looks like a chirp before its end is not to use up what its end needs.
    @Test(arguments: [0.0015, 0.002, 0.003]) func `chirps in a row that are a little fast are all heard`(speed: Double)
        throws
    {
        var random = SplitMix64(seed: 8)
        var receiver = try Receiver(sampleRateHertz: 44_100)
        var (sent, heard) = (0, 0)
        for _ in 0..<16 {
            let code = Shortcode.random(using: &random)
            let chirp = try NoisyChirp(
                code.codeword, decibels: -16, speed: 1 + speed, start: 28_000, tail: 28_000, using: &random)
            sent += 1
            heard += receiver.process(chirp.samples).count { $0.shortcode == code }
        }
        #expect(heard >= sent - 1)
        #expect(receiver.work.leftOutLooks > 0)
    }

    /// Two minutes of random tones with start codes among them, the worst sound that is known, and clear chirps after them: at nominal pitch,
    /// and 1.5 % fast. What is spent is bounded, and the chirps are received.
    @Test func `a sound that wears the budget out does not hide the chirps after it`() throws {
        var random = SplitMix64(seed: 5)
        let rate = 44_100.0
        let format = WireFormat.original
        var symbols = (0..<1_380).map { _ in UInt8.random(in: 0..<32, using: &random) }
        for place in stride(from: 0, to: symbols.count - 1, by: 20) {
            (symbols[place], symbols[place + 1]) = (format.startCode[0], format.startCode[1])
        }
        var (sound, phase): ([Float], Double) = ([], 0)
        for symbol in symbols {
            for _ in 0..<Int(format.symbolSeconds * rate) {
                sound.append(0.5 * Float(sine(phase)))
                phase += format.pitchHertz(of: symbol) / rate
                phase -= phase.rounded(.down)
            }
        }
        var receiver = try Receiver(sampleRateHertz: rate)
        // By what is earned as a rule it would do with nothing left out.
        let earnedPerSecond = WorkBudget.earnedPerSecond / 10
        receiver.budget = WorkBudget(earnedPerSecond: earnedPerSecond)
        #expect(receiver.process(sound).isEmpty)
        #expect(receiver.work.leftOutLooks > 0)
        let seconds = Double(sound.count) / rate
        let most = WorkBudget.greatestSaving + earnedPerSecond * seconds
        #expect(Double(receiver.work.transformedFrames) < most)
        for speed in [1, 1.015] {
            let code = Shortcode.random(using: &random)
            let chirp = try NoisyChirp(
                code.codeword, decibels: 10, speed: speed, start: 44_100, tail: 44_100, using: &random)
            #expect(receiver.process(chirp.samples).map(\.shortcode) == [code], "\(speed)")
        }
    }

    /// sin 2πx for 0 ≤ x < 1, within 10⁻³ (Bhaskara's formula on each half).
    private func sine(_ turn: Double) -> Double {
        let half = turn < 0.5 ? turn : turn - 0.5
        let product = 2 * half * (1 - 2 * half)
        let value = 16 * product / (5 - 4 * product)
        return turn < 0.5 ? value : -value
    }
}
