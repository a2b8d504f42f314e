import Chirp
import ChirpSound
import Testing

@Suite struct LiveSymbolTrackerTests {
    @Test(arguments: ["gsm2h88c7u", "parrotbill", "hjhjhjhjhj", "0000000000", "vvvvvvvvvv"], [0, 700, 2_000, 3_100])
    func `a chirp is spelled while it arrives, wherever it begins`(code: String, offset: Int) throws {
        let rate = 44_100.0
        let codeword = try Codeword(parsing: code)
        let sound =
            [Float](repeating: 0, count: 10_000 + offset)
            + (try Synthesiser(sampleRateHertz: rate).samples(of: codeword)) + [Float](repeating: 0, count: 20_000)
        var (meter, arriving) = (ToneMeter(sampleRateHertz: rate), LiveSymbolTracker())
        var longest: [UInt8] = []
        for column in meter.process(sound) {
            arriving.process(column)
            if !arriving.symbols.isEmpty, arriving.symbols.count < longest.count { break }
            if arriving.symbols.count > longest.count {
                #expect(Array(arriving.symbols.prefix(longest.count)) == longest)
                longest = arriving.symbols
            }
        }
        #expect(WireFormat.original.text(of: longest) == WireFormat.original.text(of: codeword.frame))
    }

    @Test(arguments: WireFormat.all, ["gsm2h88c7u", "parrotbill", "v0v0v0v0v0"])
    func `a chirp of each format is spelled while it arrives`(format: WireFormat, code: String) throws {
        let codeword = try Codeword(parsing: code)
        let sound =
            [Float](repeating: 0, count: 11_000)
            + (try Synthesiser(sampleRateHertz: 48_000, format: format).samples(of: codeword))
            + [Float](repeating: 0, count: 20_000)
        var (meter, arriving) = (
            ToneMeter(sampleRateHertz: 48_000, format: format), LiveSymbolTracker(format: format)
        )
        var longest: [UInt8] = []
        for column in meter.process(sound) {
            arriving.process(column)
            if arriving.symbols.count > longest.count { longest = arriving.symbols }
        }
        #expect(format.text(of: longest) == format.text(of: format.frame(of: codeword)))
    }

    @Test func `noise is hardly ever taken for the beginning of a chirp`() {
        var state: UInt64 = 7
        func random() -> Float {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Float(Int64(bitPattern: state) >> 40) / Float(1 << 23)
        }
        var (meter, arriving) = (ToneMeter(sampleRateHertz: 44_100), LiveSymbolTracker())
        var beginnings = 0
        for _ in 0..<60 {
            for column in meter.process((0..<44_100).map { _ in random() }) {
                let before = arriving.symbols.isEmpty
                arriving.process(column)
                if before, !arriving.symbols.isEmpty { beginnings += 1 }
            }
        }
        #expect(beginnings <= 1)
    }
}
