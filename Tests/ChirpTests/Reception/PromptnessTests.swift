import RealModule
import Testing

@testable import Chirp

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
        let chirp = try Synthesiser(sampleRateHertz: rate / speed).samples(of: code.codeword)
        let start = Int.random(in: 26_000..<70_000, using: &random)
        let power = chirp.reduce(0) { $0 + $1 * $1 } / Float(chirp.count)
        // Uniform noise has a third of the square of its greatest value as its power.
        let level = (3 * power * Float(Double.pow(10, -decibels / 10))).squareRoot()
        var sound = (0..<start + chirp.count + 90_000).map { _ in Float.random(in: -level...level, using: &random) }
        for (index, value) in chirp.enumerated() { sound[start + index] += value }
        var receiver = try Receiver(sampleRateHertz: rate)
        var reports: [Report] = []
        var fed = 0
        while fed < sound.count {
            let next = min(sound.count, fed + 88)
            let delay = Double(next - start - chirp.count) / rate
            reports += receiver.process(sound[fed..<next]).map { Report(chirp: $0, delay: delay) }
            fed = next
        }
        return reports + receiver.finish().map { Report(chirp: $0, delay: 2) }
    }

    @Test func `chirps at the edge of hearing are reported at once`() throws {
        var random = SplitMix64(seed: 25)
        var recovered = 0
        for _ in 0..<50 {
            let code = Shortcode.random(using: &random)
            for report in try Self.reports(of: code, decibels: -25.3, speed: 1, using: &random)
            where report.chirp.shortcode == code {
                recovered += 1
                #expect(report.delay <= 0.1)
            }
        }
        // Nine in ten; with a tenth less it would be one in 10,000.
        #expect(recovered >= 36)
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

    @Test func `a part of a chirp is far less likely than the whole`() throws {
        var random = SplitMix64(seed: 3)
        var decoder = FrameDecoder(format: .original, sampleRateHertz: Self.rate)
        let symbol = WireFormat.original.symbolSeconds * Self.rate
        for decibels in [-24.0, -10, 10] {
            let word = Shortcode.random(using: &random).codeword
            let chirp = try Synthesiser(sampleRateHertz: Self.rate).samples(of: word)
            let power = chirp.reduce(0) { $0 + $1 * $1 } / Float(chirp.count)
            let level = (3 * power * Float(Double.pow(10, -decibels / 10))).squareRoot()
            var sound = (0..<200_000).map { _ in Float.random(in: -level...level, using: &random) }
            for (index, value) in chirp.enumerated() { sound[80_000 + index] += value }
            let decoded = decoder.decodeExact(sound.span, origin: 0, start: 80_000)
            let whole = try #require(decoded)
            let lead = decoder.leadOverLater(whole, sound.span, origin: 0)
            #expect(whole.codeword == word)
            #expect(lead > 10)
            for shift in [1, 3, 8] {
                // What was heard a few symbols too early, had it fitted some word as well as chance may let it.
                var part = whole
                part.hypothesis.startSample -= Double(shift) * symbol
                part.parityEvidence = 5
                let lead = decoder.leadOverLater(part, sound.span, origin: 0)
                #expect(lead < 0, "\(shift) symbols at \(decibels) dB")
            }
        }
    }
}
