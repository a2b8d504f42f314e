import Chirp
import NIOCore
import Testing

@testable import ChirpService

@Suite struct ChirpShelfTests {
    @Test func `a sound is made once however many ask for it at once`() async throws {
        let shelf = ChirpShelf(try Synthesiser(sampleRateHertz: Double(ChirpShelf.sampleRateHertz)))
        let code = try Shortcode(parsing: "gsm2h88c7u")
        let sizes = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<500 { group.addTask { await shelf.file(of: code).readableBytes } }
            return await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(sizes == [44 + 2 * 76_910])
        #expect(await shelf.madeCount == 1)
    }

    @Test func `the latest sounds are kept, and memory is bounded`() async throws {
        let shelf = ChirpShelf(try Synthesiser(sampleRateHertz: Double(ChirpShelf.sampleRateHertz)))
        var generator = SystemRandomNumberGenerator()
        let codes = (0..<200).map { _ in Shortcode.random(using: &generator) }
        for code in codes { _ = await shelf.file(of: code) }
        #expect(await shelf.madeCount == 200)
        for code in codes.suffix(100) { _ = await shelf.file(of: code) }
        #expect(await shelf.madeCount == 200)
        _ = await shelf.file(of: codes[0])
        #expect(await shelf.madeCount == 201)
    }
}
