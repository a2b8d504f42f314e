import Chirp
import ChirpSound
import Hummingbird
import NIOCore
import Synchronization
import Testing

@testable import ChirpService

@Suite struct DecodePoolTests {
    /// A chirp as a WAV file that a client has sent.
    private func upload(format: WireFormat = .original) async throws -> UploadedSound {
        let code = try Shortcode(parsing: "gsm2h88c7u")
        return try await upload(await (try WAVCache()).file(of: code, format: format))
    }

    private func upload(_ wave: ByteBuffer) async throws -> UploadedSound {
        let request = Request(
            head: .init(method: .post, scheme: "http", authority: "a", path: "/decode"), body: .init(buffer: wave))
        return try await UploadedSound(request, limit: 10_000_000, budget: ByteBudget(10_000_000))
    }

    /// A chirp six times, four seconds apart, in noise that has 28.5 dB more power than it in the whole band.
    private func repeated(_ code: Shortcode) throws -> [Float] {
        let rate = 44_100.0
        let chirp = try Synthesiser(sampleRateHertz: rate).samples(of: code.codeword)
        let power = chirp.reduce(0) { $0 + $1 * $1 } / Float(chirp.count)
        let level = (3 * power * 708).squareRoot()
        // Knuth's generator for MMIX, whose upper bits are as random as noise has to be.
        var state: UInt64 = 41
        var sound = (0..<Int(28 * rate)).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return level * (Float(state >> 40) / 8_388_608 - 1)
        }
        for copy in 0..<6 {
            let start = Int((4.3 + 4 * Double(copy)) * rate)
            for (index, sample) in chirp.enumerated() { sound[start + index] += sample }
        }
        return sound.map { $0 * 0.9 / (1.1 * level) }
    }

    @Test func `a sound that takes more than its budget is cut off, and still costs its client`() async throws {
        var limits = ServiceLimits()
        limits.soundProcessorSeconds = 0
        limits.soundProcessorShare = 0
        limits.furtherFormatProcessorShare = 0
        let pool = DecodePool(limits: limits, metrics: ServiceMetrics())
        let charged = Mutex(0.0)
        let error = await #expect(throws: ServiceError.self) {
            _ = try await pool.chirps(in: upload(), client: "192.0.2.1") { cost in charged.withLock { $0 += cost } }
        }
        #expect(error?.status == .contentTooLarge)
        #expect(error?.message.contains("cut off at") == true)
        #expect(charged.withLock { $0 } > 0)
    }

    @Test func `the budget of a sound is enough for a chirp`() async throws {
        let metrics = ServiceMetrics()
        let pool = DecodePool(limits: ServiceLimits(), metrics: metrics)
        let heard = try await pool.chirps(in: upload(), client: "192.0.2.1") { _ in }
        #expect(heard.map { "\($0.chirp.shortcode)" } == ["gsm2h88c7u"])
        #expect(metrics.text.contains("chirp_chirps_heard_total 1\n"))
        #expect(metrics.text.contains("chirp_decodes_in_flight 0.0\n"))
    }

    @Test(arguments: WireFormat.all)
    func `a chirp is heard in its format unless another is named`(format: WireFormat) async throws {
        let pool = DecodePool(limits: ServiceLimits(), metrics: ServiceMetrics())
        let other = WireFormat.all.filter { $0 != format }
        for (named, expected) in [(nil, [format]), ([format], [format]), (WireFormat.all, [format]), (other, [])] {
            let heard = try await pool.chirps(in: upload(format: format), formats: named, client: "192.0.2.1") { _ in }
            #expect(heard.map(\.chirp.format) == expected, "\(named?.map(\.name) ?? [])")
        }
    }

    @Test func `copies of a chirp that none can be heard of by itself are combined`() async throws {
        let code = try Shortcode(parsing: "gsm2h88c7u")
        let wave = WAVCache.wave(try repeated(code))
        let pool = DecodePool(limits: ServiceLimits(), metrics: ServiceMetrics())
        let heard = try await pool.chirps(in: upload(wave), formats: [.original], client: "192.0.2.1") { _ in }
        #expect(heard.map(\.chirp.shortcode) == [code])
        #expect(heard.allSatisfy { $0.chirp.repeats > 1 })
    }

    @Test func `no more is held than the budget, and what is given back can be taken again`() throws {
        let budget = ByteBudget(100)
        let first = budget.share()
        try first.take(80)
        #expect(throws: ServiceError.self) { try budget.share().take(21) }
        try budget.share().take(20)
        first.giveBack()
        try budget.share().take(100)
    }
}
