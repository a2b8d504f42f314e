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

    private static func heard(blockSize: Int) throws -> [DetectedChirp] {
        var receiver = try Receiver(sampleRateHertz: 44_100)
        var heard: [DetectedChirp] = []
        for start in stride(from: 0, to: sound.count, by: blockSize) {
            heard += receiver.process(sound[start..<min(start + blockSize, sound.count)])
        }
        return heard + receiver.finish()
    }

    @Test(arguments: [1, 7, 480, 4096])
    func `blocks of any size give what all samples at once give`(blockSize: Int) throws {
        let whole = try Self.heard(blockSize: Self.sound.count)
        #expect(whole.map(\.shortcode.description) == ["gsm2h88c7u", "kingfisher"])
        #expect(try Self.heard(blockSize: blockSize) == whole)
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
