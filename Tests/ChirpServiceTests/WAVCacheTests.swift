import Chirp
import NIOCore
import Testing

@testable import ChirpService

@Suite struct WAVCacheTests {
    @Test func `a sound is made once however many ask for it at once`() async throws {
        let waves = try WAVCache()
        let code = try Shortcode(parsing: "gsm2h88c7u")
        let sizes = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<500 { group.addTask { await waves.file(of: code).readableBytes } }
            return await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(sizes == [44 + 2 * 76_910])
        #expect(await waves.madeCount == 1)
    }

    @Test func `the latest sounds are kept, and memory is bounded`() async throws {
        let waves = try WAVCache()
        var generator = SystemRandomNumberGenerator()
        let codes = (0..<200).map { _ in Shortcode.random(using: &generator) }
        for code in codes { _ = await waves.file(of: code) }
        #expect(await waves.madeCount == 200)
        for code in codes.suffix(100) { _ = await waves.file(of: code) }
        #expect(await waves.madeCount == 200)
        _ = await waves.file(of: codes[0])
        #expect(await waves.madeCount == 201)
    }

    @Test func `each format of a code has a sound of its own, made once`() async throws {
        let waves = try WAVCache()
        let code = try Shortcode(parsing: "gsm2h88c7u")
        for _ in 0..<2 {
            for format in WireFormat.all {
                let synthesiser = try Synthesiser(
                    sampleRateHertz: Double(WAVCache.sampleRateHertz), format: format)
                let file = await waves.file(of: code, format: format)
                let samples = file.getSlice(at: 44, length: file.readableBytes - 44)
                let expected = synthesiser.samples(of: code.codeword).map { Int16(($0 * 32_767).rounded()) }
                #expect(samples == ByteBuffer(bytes: expected.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8 & 0xFF)] }))
            }
        }
        #expect(await waves.madeCount == WireFormat.all.count)
    }

    @Test func `a sound is that of its own code, when it is made, when it is kept and when it is made again`()
        async throws
    {
        let synthesiser = try Synthesiser(sampleRateHertz: Double(WAVCache.sampleRateHertz))
        let waves = try WAVCache()
        var generator = SplitMix(state: 23)
        let codes = (0..<140).map { _ in Shortcode.random(using: &generator) }
        for code in codes + codes.reversed() {
            let file = await waves.file(of: code)
            let samples = file.getSlice(at: 44, length: file.readableBytes - 44)
            let expected = synthesiser.samples(of: code.codeword).map { Int16(($0 * 32_767).rounded()) }
            #expect(samples == ByteBuffer(bytes: expected.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8 & 0xFF)] }))
        }
    }
}

/// Random numbers that are the same in every run.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
