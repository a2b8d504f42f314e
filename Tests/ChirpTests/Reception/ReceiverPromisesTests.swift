import Chirp
import RealModule
import Testing

/// What the receiver promises beyond clean chirps. How often it keeps it is measured by the laboratory.
@Suite struct ReceiverPromisesTests {
    private static let rate = 44_100.0

    private static func noise(_ count: Int, seed: UInt64, level: Float = 0.01) -> [Float] {
        var random = SplitMix64(seed: seed)
        return (0..<count).map { _ in Float.random(in: -level...level, using: &random) }
    }

    private static func chirp(_ code: String) throws -> [Float] {
        try Synthesiser(sampleRateHertz: rate).samples(of: try Shortcode(parsing: code).codeword)
    }

    private static func mix(_ sound: inout [Float], _ chirp: [Float], at start: Int, gain: Float = 0.3) {
        for (index, value) in chirp.enumerated() { sound[start + index] += gain * value }
    }

    private static func heard(_ sound: [Float]) throws -> [DetectedChirp] {
        var receiver = try Receiver(sampleRateHertz: rate)
        return receiver.process(sound) + receiver.finish()
    }

    @Test(arguments: 0..<8)
    func `a code is given back within 100 ms of its last tone, and its time is right`(shift: Int) throws {
        let start = 60_000 + 481 * shift
        var sound = Self.noise(200_000, seed: UInt64(shift))
        let chirp = try Self.chirp("gsm2h88c7u")
        Self.mix(&sound, chirp, at: start)
        var receiver = try Receiver(sampleRateHertz: Self.rate)
        var fed = 0
        var heard: [DetectedChirp] = []
        while heard.isEmpty, fed < sound.count {
            heard = receiver.process(sound[fed..<fed + 100])
            fed += 100
        }
        let found = try #require(heard.first)
        #expect(found.shortcode.description == "gsm2h88c7u")
        #expect(abs(found.startSeconds - Double(start) / Self.rate) < 0.01)
        #expect(Double(fed - start - chirp.count) / Self.rate <= 0.1)
        #expect(found.confidence > 0.999)
    }

    @Test(arguments: [22_050.0, 44_100, 48_000, 96_000, 192_000])
    func `the time and tempo of a clean chirp are told as they are`(sampleRateHertz: Double) throws {
        var random = SplitMix64(seed: UInt64(sampleRateHertz))
        for trial in 0..<16 {
            let code = Shortcode.random(using: &random)
            let silence = [Float](repeating: 0, count: trial % 2 == 0 ? 0 : Int(0.5 * sampleRateHertz))
            let chirp = try Synthesiser(sampleRateHertz: sampleRateHertz).samples(of: code.codeword)
            var receiver = try Receiver(sampleRateHertz: sampleRateHertz)
            let heard = receiver.process(silence + chirp + silence) + receiver.finish()
            let found = try #require(heard.first)
            #expect(heard.map(\.shortcode) == [code])
            #expect(abs(found.startSeconds - Double(silence.count) / sampleRateHertz) < 0.002)
            #expect(found.startSeconds >= 0)
            #expect(abs(found.durationSeconds - WireFormat.original.frameSeconds) < 0.002)
            #expect(abs(found.speed - 1) < 0.002)
            #expect(found.snrDecibels > 15)
        }
    }

    @Test(arguments: [24_000.0, 44_100, 176_400], [0.975, 1, 1.025])
    func `the time, tempo and level of a chirp in noise are told as they are`(
        sampleRateHertz: Double, speed: Double
    ) throws {
        var random = SplitMix64(seed: UInt64(sampleRateHertz + 1_000 * speed))
        for decibels in [-5.0, 0, 12] {
            let code = Shortcode.random(using: &random)
            let second = Int(sampleRateHertz)
            let sound = try NoisyChirp(
                code.codeword, decibels: decibels, sampleRateHertz: sampleRateHertz, speed: speed,
                start: second * 5 / 2, tail: second * 5 / 2, using: &random)
            var receiver = try Receiver(sampleRateHertz: sampleRateHertz)
            let heard = receiver.process(sound.samples) + receiver.finish()
            let found = try #require(heard.first)
            #expect(heard.map(\.shortcode) == [code])
            #expect(abs(found.startSeconds - 2.5) < 0.005)
            #expect(abs(found.speed - speed) < 0.002)
            #expect(abs(found.durationSeconds * speed - WireFormat.original.frameSeconds) < 0.01)
            #expect(abs(found.snrDecibels - decibels) < 1, "\(found.snrDecibels)")
        }
    }

    @Test(arguments: 0..<4)
    func `weak chirps in a row are each heard once`(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        let codes = (0..<5).map { _ in Shortcode.random(using: &random) }
        let chirps = try codes.flatMap { try Self.chirp($0.description) }
        let power = chirps.reduce(0) { $0 + $1 * $1 } / Float(chirps.count)
        // 25 dB below the noise.
        let level = (3 * power).squareRoot() * Float(Double.pow(10, 25.0 / 20))
        var sound = Self.noise(100_000 + chirps.count, seed: UInt64(100 + seed), level: level)
        Self.mix(&sound, chirps, at: 50_000, gain: 1)
        let heard = try Self.heard(sound).map(\.shortcode)
        #expect(heard.count >= 3)
        #expect(Set(heard).count == heard.count)
    }

    @Test(arguments: [17_640, 30_000, 57_000])
    func `two chirps at once are both heard, and each once`(distance: Int) throws {
        var sound = Self.noise(260_000, seed: 2)
        Self.mix(&sound, try Self.chirp("gsm2h88c7u"), at: 50_000)
        Self.mix(&sound, try Self.chirp("kingfisher"), at: 50_000 + distance, gain: 0.15)
        #expect(try Self.heard(sound).map(\.shortcode.description).sorted() == ["gsm2h88c7u", "kingfisher"])
    }

    @Test(arguments: 0..<4)
    func `a loud chirp does not hide a weak one that follows it`(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        let codes = (0..<2).map { _ in Shortcode.random(using: &random) }
        // 38 dB apart; the noise is in between.
        var sound = Self.noise(400_000, seed: UInt64(seed), level: 0.1)
        let power: Float = 0.1 * 0.1 / 3
        let chirps = try codes.map { try Self.chirp($0.description) }
        for (chirp, (start, decibels)) in zip(chirps, [(10_000, 15.0), (100_000 + 40_000 * seed, -23)]) {
            let gain = (power / (chirp.reduce(0) { $0 + $1 * $1 } / Float(chirp.count))).squareRoot()
            Self.mix(&sound, chirp, at: start, gain: gain * Float(Double.pow(10, decibels / 20)))
        }
        #expect(try Self.heard(sound).map(\.shortcode) == codes)
    }

    @Test(arguments: 0..<6)
    func `a chirp of which six symbols are silent is heard`(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        var chirp = try Self.chirp("parrotbill")
        for symbol in (2..<20).shuffled(using: &random).prefix(6) {
            let edges = [symbol, symbol + 1].map { Int(Double($0) * 3845.52) }
            for index in edges[0]..<min(edges[1], chirp.count) { chirp[index] = 0 }
        }
        var sound = Self.noise(200_000, seed: UInt64(seed))
        Self.mix(&sound, chirp, at: 70_000)
        #expect(try Self.heard(sound).map(\.shortcode.description) == ["parrotbill"])
    }

    @Test func `a whistle on one of its tones, ten times as strong, does not hide a chirp`() throws {
        var sound = Self.noise(250_000, seed: 5)
        let turn = 2 * Double.pi * WireFormat.original.pitchHertz(of: 12) / Self.rate
        for index in sound.indices { sound[index] += 0.9 * Float(Double.sin(turn * Double(index))) }
        Self.mix(&sound, try Self.chirp("gsm2h88c7u"), at: 100_000)
        #expect(try Self.heard(sound).map(\.shortcode.description) == ["gsm2h88c7u"])
    }

    @Test func `samples that are no numbers count as silence`() throws {
        var sound = Self.noise(200_000, seed: 7)
        Self.mix(&sound, try Self.chirp("gsm2h88c7u"), at: 60_000)
        for index in 70_000..<71_000 { sound[index] = index % 2 == 0 ? .nan : .infinity }
        #expect(try Self.heard(sound).map(\.shortcode.description) == ["gsm2h88c7u"])
    }

    @Test func `nothing is heard in two minutes of noise`() throws {
        #expect(try Self.heard(Self.noise(120 * 44_100, seed: 11, level: 0.5)).isEmpty)
    }
}
