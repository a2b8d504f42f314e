import Chirp
import RealModule
import Testing

/// That a code is given back within 100 ms of its last tone however faint or clear it is, and however fast it is played.
@Suite struct PromptnessTests {
    private static let rate = 44_100.0

    private struct Report {
        var chirp: DetectedChirp
        /// After the end of the chirp that was played, in seconds.
        var delay: Double
    }

    /// Plays a chirp in noise of so many decibels less power, by 2 ms; gives what is heard.
    private static func reports(
        of code: Shortcode, decibels: Double, speed: Double, using random: inout SplitMix64
    ) throws -> [Report] {
        let start = Int.random(in: 26_000..<70_000, using: &random)
        let sound = try NoisyChirp(
            code.codeword, decibels: decibels, speed: speed, start: start, tail: 90_000, using: &random)
        var receiver = try Receiver(sampleRateHertz: rate)
        var reports: [Report] = []
        var fed = 0
        while fed < sound.samples.count {
            let next = min(sound.samples.count, fed + 88)
            let delay = Double(next - sound.end) / rate
            reports += receiver.process(sound.samples[fed..<next]).map { Report(chirp: $0, delay: delay) }
            fed = next
        }
        return reports + receiver.finish().map { Report(chirp: $0, delay: 2) }
    }

    @Test func `chirps at the edge of hearing are reported at once`() throws {
        var random = SplitMix64(seed: 25)
        var (recovered, wrong) = (0, 0)
        for _ in 0..<50 {
            let code = Shortcode.random(using: &random)
            let reports = try Self.reports(of: code, decibels: -25.3, speed: 1, using: &random)
            let right = reports.filter { $0.chirp.shortcode == code }
            recovered += right.count
            wrong += reports.count - right.count
            #expect(right.count <= 1)
            for report in right { #expect(report.delay <= 0.1) }
        }
        // Of 300 at −25.5 dB 272 were recovered, and three wrong codes told.
        #expect(recovered >= 38)
        #expect(wrong <= 3)
    }

    @Test(arguments: [0.975, 0.98, 0.99, 1.01, 1.025])
    func `clear chirps that are fast or slow are heard, and at once`(speed: Double) throws {
        var random = SplitMix64(seed: UInt64(1_000 * speed))
        for trial in 0..<24 {
            let code = Shortcode.random(using: &random)
            let decibels = trial % 2 == 0 ? 10.0 : 20
            let reports = try Self.reports(of: code, decibels: decibels, speed: speed, using: &random)
            #expect(reports.map(\.chirp.shortcode) == [code])
            for report in reports { #expect(report.delay <= 0.1) }
        }
    }

    @Test(arguments: [3.0, 6, 10], [(1.0, 1.0), (1.02, 0.985), (0.98, 1.01)])
    func `a chirp is heard while a louder one goes on`(
        decibels: Double, speeds: (first: Double, second: Double)
    ) throws {
        var random = SplitMix64(seed: UInt64(decibels))
        let gain = Float(Double.pow(10, decibels / 20))
        var prompt = 0
        for trial in 0..<10 {
            let codes = [Shortcode.random(using: &random), Shortcode.random(using: &random)]
            var sound = try NoisyChirp(
                codes[0].codeword, decibels: 15, speed: speeds.first, start: 40_000, tail: 150_000, using: &random)
            let second = try Synthesiser(sampleRateHertz: Self.rate / speeds.second).samples(
                of: codes[1].codeword)
            let place = sound.start + Int(0.4 * Self.rate) + 4_000 * trial
            for (index, value) in second.enumerated() { sound.samples[place + index] += gain * value }
            var receiver = try Receiver(sampleRateHertz: Self.rate)
            let latest = sound.end + Int(0.1 * Self.rate)
            let early = receiver.process(sound.samples[..<latest]).map(\.shortcode)
            let late = (receiver.process(sound.samples[latest...]) + receiver.finish()).map(\.shortcode)
            #expect(Set(early + late) == Set(codes) && early.count + late.count == 2)
            if early == [codes[0]] { prompt += 1 }
        }
        // Of 500 pairs at different tempi, the second one from 6 dB weaker to 10 dB louder, seven chirps come later.
        #expect(prompt >= (speeds == (1, 1) ? 10 : 9))
    }
}
