import Chirp
import RealModule
import Testing

/// Sounds that earlier receivers failed on.
@Suite struct ReceiverDefectTests {
    private static let rate = 44_100.0

    private static func noise(_ count: Int, seed: UInt64, level: Float) -> [Float] {
        var random = SplitMix64(seed: seed)
        return (0..<count).map { _ in Float.random(in: -level...level, using: &random) }
    }

    private static func chirp(_ code: String) throws -> [Float] {
        try Synthesiser(sampleRateHertz: rate).samples(of: try Shortcode(parsing: code).codeword)
    }

    private static func received(_ sound: [Float]) throws -> [String] {
        var receiver = try Receiver(sampleRateHertz: rate)
        return (receiver.process(sound) + receiver.finish()).map(\.shortcode.description)
    }

    /// Uniform noise that gives a chirp so many decibels over the whole band.
    private static func level(of chirp: [Float], decibels: Double) -> Float {
        let power = chirp.reduce(0) { $0 + $1 * $1 } / Float(chirp.count)
        return (3 * power).squareRoot() * Float(Double.pow(10, -decibels / 20))
    }

    @Test(arguments: [30.0, 10, 0, -5, -10], [0, 1, 2, 3])
    func `the code of ten zeros, one tone throughout, is received once`(decibels: Double, shift: Int) throws {
        let chirp = try Self.chirp("0000000000")
        let start = 60_000 + 481 * shift
        var sound = Self.noise(
            200_000, seed: UInt64(1 + shift), level: Self.level(of: chirp, decibels: decibels))
        for index in chirp.indices { sound[start + index] += chirp[index] }
        #expect(try Self.received(sound) == ["0000000000"])
    }

    @Test(arguments: [0.3, 1.5, 1.57, 1.6, 20]) func `a held note of its pitch is no code`(seconds: Double) throws {
        var sound = Self.noise(Int(30 * Self.rate), seed: 9, level: 0.01)
        let turn = 2 * Double.pi * 1_760 / Self.rate
        let length = Int(seconds * Self.rate)
        var start = 50_000
        while start + length < sound.count {
            for index in start..<start + length { sound[index] += 0.3 * Float(Double.sin(turn * Double(index))) }
            start += length + 30_000
        }
        #expect(try Self.received(sound).isEmpty)
    }

    @Test(arguments: [Float(1e25), 1e17, 1e11, 1e6], [1, 44_100])
    func `what is received after a sample beyond all sound is not lost`(value: Float, length: Int) throws {
        let chirp = try Self.chirp("gsm2h88c7u")
        let first = 44_100 * 2 + length
        var sound = Self.noise(first + 44_100 * 7, seed: 3, level: 0.001)
        for index in 44_100..<44_100 + length { sound[index] = value }
        for start in [first, first + 44_100 * 3] {
            for index in chirp.indices { sound[start + index] += 0.3 * chirp[index] }
        }
        #expect(try Self.received(sound) == ["gsm2h88c7u", "gsm2h88c7u"])
    }

    @Test(arguments: [Float(1e-42), 0.5])
    func `steps and numbers that are hardly any do not hide a chirp`(value: Float) throws {
        let chirp = try Self.chirp("gsm2h88c7u")
        var sound = [Float](repeating: value, count: 250_000)
        for index in 0..<40_000 { sound[index] = 0 }
        for index in chirp.indices { sound[100_000 + index] += 0.3 * chirp[index] }
        #expect(try Self.received(sound) == ["gsm2h88c7u"])
    }

    @Test(arguments: [0.975, 1, 1.025]) func `duration and speed agree`(speed: Double) throws {
        var random = SplitMix64(seed: 4)
        let sound = try NoisyChirp(
            Shortcode.random(using: &random).codeword, decibels: 0, speed: speed, start: 90_000, tail: 60_000,
            using: &random)
        var receiver = try Receiver(sampleRateHertz: Self.rate)
        let found = try #require((receiver.process(sound.samples) + receiver.finish()).first)
        #expect(abs(found.durationSeconds * found.speed - WireFormat.original.frameSeconds) < 1e-9)
    }

    /// What cancellation has left of the louder one must not be taken for the fainter one, nor the other way round.
    @Test func `a chirp 12 dB fainter than one whose time it shares is received`() throws {
        var random = SplitMix64(seed: 21)
        var missed: [String] = []
        for trial in 0..<80 {
            let words = (0..<2).map { _ in Shortcode.random(using: &random) }
            let chirps = try words.map { try Self.chirp($0.description) }
            let distance = Int(Double.random(in: 0.4...1.3, using: &random) * Self.rate)
            let starts = Bool.random(using: &random) ? [0, distance] : [distance, 0]
            let level = Self.level(of: chirps[0], decibels: 22)
            var sound = Self.noise(Int(9 * Self.rate), seed: UInt64(100 + trial), level: level)
            let first = Int(4 * Self.rate) + Int.random(in: 0..<5_000, using: &random)
            for (chirp, (start, gain)) in zip(chirps, zip(starts, [Float(1), 0.25])) {
                for index in chirp.indices { sound[first + start + index] += gain * chirp[index] }
            }
            let received = try Self.received(sound)
            #expect(received.allSatisfy { code in words.contains { $0.description == code } }, "\(trial): \(received)")
            missed += words.map(\.description).filter { !received.contains($0) }
        }
        #expect(missed.isEmpty, "\(missed)")
    }

    /// Recordings that were cut, and calls, in which nothing is sent while nobody speaks.
    @Test(arguments: [(3.0, 2.0), (5, 1), (5, 15), (60, 30)])
    func `faint chirps are received after digital silence`(seconds: Double, later: Double) throws {
        let chirp = try Self.chirp("gsm2h88c7u")
        var recovered = 0
        for trial in 0..<10 {
            let gap = (first: Int(10 * Self.rate), end: Int((10 + seconds) * Self.rate))
            let start = gap.end + Int(later * Self.rate) + 997 * trial
            var sound = Self.noise(
                start + chirp.count + 44_100, seed: UInt64(300 + trial), level: Self.level(of: chirp, decibels: -24.5))
            for index in gap.first..<gap.end { sound[index] = 0 }
            for index in chirp.indices { sound[start + index] += chirp[index] }
            recovered += try Self.received(sound) == ["gsm2h88c7u"] ? 1 : 0
        }
        #expect(recovered >= 9, "\(recovered)")
    }
}
