import Chirp
import Testing

@Suite struct DetectedChirpsTests {
    private let codes = ["gsm2h88c7u", "kingfisher"]

    private var sound: [Float] {
        get throws {
            let synthesiser = try Synthesiser(sampleRateHertz: 44_100)
            return try codes.flatMap { code in
                synthesiser.samples(of: Codeword(try Shortcode(parsing: code))) + [Float](repeating: 0, count: 22_050)
            }
        }
    }

    @Test(arguments: [100, 4_096, 1_000_000])
    func `blocks of any size that come one after another give the chirps in them`(size: Int) async throws {
        let sound = try sound
        let blocks = AsyncStream<ArraySlice<Float>> { continuation in
            for start in stride(from: 0, to: sound.count, by: size) {
                continuation.yield(sound[start..<min(start + size, sound.count)])
            }
            continuation.finish()
        }
        let receiver = try Receiver(sampleRateHertz: 44_100)
        var heard: [String] = []
        for await chirp in receiver.chirps(in: blocks) { heard.append(chirp.shortcode.description) }
        #expect(heard == codes)
    }

    @Test func `a source that fails fails after the chirps before it`() async throws {
        struct Failure: Error {}
        let sound = try sound
        let blocks = AsyncThrowingStream<[Float], any Error> { continuation in
            continuation.yield(sound)
            continuation.finish(throwing: Failure())
        }
        let receiver = try Receiver(sampleRateHertz: 44_100)
        var heard: [String] = []
        do {
            for try await chirp in receiver.chirps(in: blocks) { heard.append(chirp.shortcode.description) }
            Issue.record("the sequence ended without the failure")
        } catch {
            #expect(error is Failure)
        }
        #expect(heard == codes)
    }
}
