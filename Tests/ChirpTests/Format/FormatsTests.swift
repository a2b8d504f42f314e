import Chirp
import Testing

/// The formats beside the original.
@Suite struct FormatsTests {
    private static let code = "gsm2h88c7u"

    private static func sound(_ format: WireFormat, rate: Double) throws -> [Float] {
        let chirp = try Synthesiser(sampleRateHertz: rate, format: format)
            .samples(of: try Shortcode(parsing: code).codeword)
        let silence = [Float](repeating: 0, count: Int(0.5 * rate))
        return silence + chirp + silence + silence
    }

    @Test(arguments: WireFormat.all) func `a receiver of all formats hears each by its own and by no other`(
        format: WireFormat
    ) throws {
        for rate in [44_100.0, 48_000] {
            var receiver = try MultiFormatReceiver(sampleRateHertz: rate, formats: WireFormat.all)
            let heard = receiver.process(try Self.sound(format, rate: rate)) + receiver.finish()
            #expect(heard.map(\.shortcode.description) == [Self.code])
            #expect(heard.map(\.format) == [format])
            #expect(heard.allSatisfy { abs($0.startSeconds - 0.5) < 0.002 && abs($0.speed - 1) < 0.0005 })
        }
    }

    @Test func `the harmonics of a clipped telephone chirp are no chirp of the original`() throws {
        let clipped = try Self.sound(.telephone, rate: 44_100).map { min(max($0, -0.1), 0.1) + 0.05 * $0 * $0 }
        var receiver = try Receiver(sampleRateHertz: 44_100)
        #expect(receiver.process(clipped) + receiver.finish() == [])
    }

    @Test func `a telephone chirp is sent and received at 8 kHz`() throws {
        var receiver = try Receiver(sampleRateHertz: 8_000, format: .telephone)
        let heard = receiver.process(try Self.sound(.telephone, rate: 8_000)) + receiver.finish()
        #expect(heard.map(\.shortcode.description) == [Self.code])
    }

    @Test func `the formats are known by their names, and no two have the same start code`() throws {
        for format in WireFormat.all { #expect(WireFormat(named: format.name.uppercased()) == format) }
        #expect(WireFormat(named: "loud") == nil)
        #expect(try WireFormat.formats(named: " fast , original") == [.fast, .original])
        #expect(try WireFormat.formats(named: "fast, all") == WireFormat.all)
        for names in ["original x", "original fast", "fast,", "", " "] {
            #expect(throws: UnknownFormatError.self) { try WireFormat.formats(named: names) }
        }
        #expect(Set(WireFormat.all.map(\.startCode)).count == WireFormat.all.count)
    }

    @Test func `an ultrasonic chirp is neither sent nor received at a rate that has not all of its tones`() {
        #expect(throws: SynthesisError.sampleRate(32_000, supported: 44_100...192_000)) {
            try Synthesiser(sampleRateHertz: 32_000, format: .ultrasonic)
        }
        let fitting = WireFormat.all.filter { $0.receptionRatesHertz.contains(32_000) }
        #expect(fitting == [.original, .telephone, .fast])
    }
}
