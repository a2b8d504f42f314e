import Chirp
import Testing

/// The receiver's promise to its callers: however the samples are cut, the same is heard.
@Suite struct ReceiverChunkingTests {
    /// Two chirps with noise before, between and after them.
    private static let sound: [Float] = {
        var random = SplitMix64(seed: 6)
        func noise(_ count: Int) -> [Float] { (0..<count).map { _ in Float.random(in: -0.05...0.05, using: &random) } }
        guard let synthesiser = try? Synthesiser(sampleRateHertz: 44_100) else { return [] }
        let chirps = ["gsm2h88c7u", "kingfisher"].compactMap { try? Shortcode(parsing: $0) }
            .map { synthesiser.samples(of: $0.codeword) }
        let rows = chirps.map { chirp in zip(chirp, noise(chirp.count)).map { $0 * 0.3 + $1 } }
        return noise(12_345) + rows[0] + noise(54_321) + rows[1] + noise(20_000)
    }()

    private static func heard(_ sound: [Float], blockSize: Int) throws -> [DetectedChirp] {
        var receiver = try Receiver(sampleRateHertz: 44_100)
        var heard: [DetectedChirp] = []
        for start in stride(from: 0, to: sound.count, by: blockSize) {
            heard += receiver.process(sound[start..<min(start + blockSize, sound.count)])
        }
        return heard + receiver.finish()
    }

    @Test(arguments: [1, 7, 480, 4096])
    func `blocks of any size give what all samples at once give`(blockSize: Int) throws {
        let whole = try Self.heard(Self.sound, blockSize: Self.sound.count)
        #expect(whole.map(\.shortcode.description) == ["gsm2h88c7u", "kingfisher"])
        #expect(try Self.heard(Self.sound, blockSize: blockSize) == whole)
    }

    /// What follows a chirp at once must not count while it is decoded: in small blocks it has not been heard by then.
    @Test(arguments: [0.975, 0.99, 1, 1.01, 1.025], [100, 480, 8_192])
    func `what comes after a chirp changes nothing of it, however it is cut`(stretch: Double, blockSize: Int) throws {
        var random = SplitMix64(seed: UInt64(1_000 * stretch))
        // Made for another rate, it plays slower, and lower.
        let synthesiser = try Synthesiser(sampleRateHertz: 44_100 * stretch)
        var sound = [Float](repeating: 0, count: 60_000)
        for _ in 0..<6 {
            sound += synthesiser.samples(of: Shortcode.random(using: &random).codeword).map { 0.1 * $0 }
            let period = Int.random(in: 8...40, using: &random)
            sound += (0..<Int.random(in: 0...40_000, using: &random)).map { $0 % period < period / 2 ? 0.5 : -0.5 }
        }
        for index in sound.indices { sound[index] += Float.random(in: -0.02...0.02, using: &random) }
        let whole = try Self.heard(sound, blockSize: sound.count)
        #expect(whole.count >= 5)
        #expect(try Self.heard(sound, blockSize: blockSize) == whole)
    }

    /// What is barely certain is doubted once its end has been heard.
    @Test(arguments: 0..<6, [100, 4_096])
    func `faint chirps are the same, however they are cut`(seed: Int, blockSize: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        var sound: [Float] = []
        for _ in 0..<3 {
            let word = Shortcode.random(using: &random).codeword
            let start = Int.random(in: 10_000..<40_000, using: &random)
            sound += try NoisyChirp(word, decibels: -25.3, start: start, tail: 2_000, using: &random).samples
        }
        let whole = try Self.heard(sound, blockSize: sound.count)
        #expect(whole.count >= 1)
        #expect(try Self.heard(sound, blockSize: blockSize) == whole)
    }

    @Test func `a receiver that has finished begins anew`() throws {
        var receiver = try Receiver(sampleRateHertz: 44_100)
        func listen() -> [DetectedChirp] { receiver.process(Self.sound) + receiver.finish() }
        let first = listen()
        #expect(first.count == 2)
        #expect(listen() == first)
        _ = receiver.process(Self.sound.prefix(40_000))
        receiver.reset()
        #expect(listen() == first)
    }

    @Test(arguments: [0, 1, 100, 4_000])
    func `nothing, or next to nothing, is heard without a chirp`(count: Int) throws {
        var receiver = try Receiver(sampleRateHertz: 44_100)
        let heard = receiver.process([Float](repeating: 1, count: count)) + receiver.finish()
        #expect(heard.isEmpty)
    }

    @Test(arguments: [0, 7_999, 192_001, .nan, .infinity])
    func `sample rates outside 8–192 kHz are refused`(rate: Double) {
        #expect(throws: ReceptionError.self) { _ = try Receiver(sampleRateHertz: rate) }
    }
}
