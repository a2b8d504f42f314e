import RealModule
import Testing

@testable import Chirp

@Suite struct CopyCombinerTests {
    private static let rate = 44_100.0

    /// Copies of codes in white noise, each at its own start in seconds, which has so many times their power in the whole band.
    private static func sound(
        of codes: [(code: String, start: Double)], noisePower: Float, seconds: Double, seed: UInt64
    ) throws -> [Float] {
        var random = SplitMix64(seed: seed)
        let synthesiser = try Synthesiser(sampleRateHertz: rate)
        let chirps = try codes.map { synthesiser.samples(of: try Shortcode(parsing: $0.code).codeword) }
        let power = chirps[0].reduce(0) { $0 + $1 * $1 } / Float(chirps[0].count)
        // Uniform noise has a third of the power of its greatest sample; over a block it is as Gaussian as any.
        let level = (3 * power * noisePower).squareRoot()
        var sound = (0..<Int(seconds * rate)).map { _ in Float.random(in: -level...level, using: &random) }
        for (chirp, place) in zip(chirps, codes) {
            let start = Int(place.start * rate)
            for (index, sample) in chirp.enumerated() { sound[start + index] += sample }
        }
        return sound
    }

    private static func heard(_ sound: [Float], combines: Bool, blockLength: Int = 4_096) throws -> [DetectedChirp] {
        var receiver = try Receiver(sampleRateHertz: rate, combinesCopies: combines)
        var found: [DetectedChirp] = []
        for start in stride(from: 0, to: sound.count, by: blockLength) {
            found += receiver.process(sound[start..<min(start + blockLength, sound.count)])
        }
        return found + receiver.finish()
    }

    private static let spacings = [1.9, 2.71, 4.0, 6.63, 9.17, 14.9]

    @Test func `six copies that none can be heard of by itself are heard together, once, from the first on`() throws {
        var (together, alone) = (0, 0)
        for (trial, spacing) in Self.spacings.enumerated() {
            let copies = (0..<6).map { (code: "gsm2h88c7u", start: 4.3 + spacing * Double($0)) }
            let sound = try Self.sound(
                of: copies, noisePower: 708, seconds: 5 * spacing + 8, seed: UInt64(40 + trial))
            alone += try Self.heard(sound, combines: false).count
            let heard = try Self.heard(sound, combines: true)
            #expect(heard.count < 2, "\(spacing)")
            guard let chirp = heard.first else { continue }
            together += 1
            #expect(chirp.shortcode.description == "gsm2h88c7u")
            #expect(chirp.repeats > 1)
            let first = copies[0].start
            let copy = ((chirp.startSeconds - first) / spacing).rounded()
            #expect(copy >= 0 && copy < 5 && abs(chirp.startSeconds - first - copy * spacing) < 0.05, "\(spacing)")
        }
        #expect(alone == 0)
        #expect(together >= 5)
    }

    @Test func `a copy that was lost is not counted, and the first one starts where one was sent`() throws {
        var together = 0
        for (trial, spacing) in Self.spacings.enumerated() {
            let sent = [0, 1, 3, 4].map { 4.3 + spacing * $0 }
            let sound = try Self.sound(
                of: sent.map { (code: "gsm2h88c7u", start: $0) }, noisePower: 660, seconds: 4 * spacing + 8,
                seed: UInt64(80 + trial))
            for chirp in try Self.heard(sound, combines: true) where chirp.repeats > 1 {
                together += 1
                let first = try #require(sent.firstIndex { abs($0 - chirp.startSeconds) < 0.05 }, "\(spacing)")
                #expect(chirp.repeats <= sent.count - first, "\(spacing)")
            }
        }
        #expect(together >= 4)
    }

    @Test func `two copies of one sound are heard where their energies say too little`() throws {
        var (heard, unlike) = (0, 0)
        for trial in 0..<12 {
            let spacing = Self.spacings[trial % Self.spacings.count] + 0.0037 * Double(trial)
            let copies = (0..<2).map { (code: "parrotbill", start: 4.3 + spacing * Double($0)) }
            func sound(of copies: [(code: String, start: Double)]) throws -> [Float] {
                try Self.sound(of: copies, noisePower: 661, seconds: spacing + 8, seed: UInt64(300 + trial))
            }
            let both = try sound(of: copies)
            let found = try Self.heard(both, combines: true)
            #expect(found.allSatisfy { $0.shortcode.description == "parrotbill" })
            heard += found.count { $0.repeats == 2 }
            // Every other symbol of the second copy is inverted in the same noise: the energies are as they were.
            let first = try sound(of: [copies[0]])
            let start = Int(copies[1].start * Self.rate)
            let length = Int(WireFormat.original.symbolSeconds * Self.rate)
            let other = both.indices.map { index in
                let isInverted = index >= start && (index - start) / length % 2 == 1
                return isInverted ? 2 * first[index] - both[index] : both[index]
            }
            unlike += try Self.heard(other, combines: true).count { $0.repeats == 2 }
        }
        #expect(heard >= 6)
        #expect(unlike <= heard - 3)
    }

    @Test func `different codes at equal distances are not combined`() throws {
        let codes = ["gsm2h88c7u", "parrotbill", "0s61k2vb9m", "e0rgk4ncos", "7u5m30d1qa", "l2c9tvh4ib"]
        for (trial, spacing) in Self.spacings.enumerated() {
            let copies = codes.enumerated().map { (code: $0.element, start: 4.3 + spacing * Double($0.offset)) }
            let sound = try Self.sound(
                of: copies, noisePower: 708, seconds: 5 * spacing + 8, seed: UInt64(60 + trial))
            #expect(try Self.heard(sound, combines: true).isEmpty, "\(spacing)")
        }
    }

    @Test func `copies that are heard by themselves are reported as they are without combining`() throws {
        let copies = (0..<4).map { (code: "parrotbill", start: 4.3 + 3.3 * Double($0)) }
        let sound = try Self.sound(of: copies, noisePower: 31.6, seconds: 20, seed: 7)
        let (without, with) = (try Self.heard(sound, combines: false), try Self.heard(sound, combines: true))
        #expect(without.count == 4)
        #expect(with == without)
    }

    /// Of 600 such seeds those with which one was once told as the sum of several.
    @Test(arguments: [50, 52, 74, 121, 150, 189, 327, 421, 445, 528, 557, 580])
    func `clear chirps of different codes are told by themselves, and not as copies`(trial: Int) throws {
        var random = SplitMix64(seed: UInt64(trial))
        let places = [1 + 0.0137 * Double(trial % 40), 5.5, 9.705 + 0.005 * Double(trial % 3)]
        let chirps = places.map { (code: Shortcode.random(using: &random).description, start: $0) }
        let sound = try Self.sound(of: chirps, noisePower: 0.00316, seconds: 13, seed: UInt64(600 + trial))
        let heard = try Self.heard(sound, combines: true)
        #expect(heard.map(\.shortcode.description) == chirps.map(\.code))
        for (chirp, place) in zip(heard, places) {
            #expect(chirp.repeats == 1 && abs(chirp.startSeconds - place) < 0.01 && chirp.snrDecibels > 20)
        }
    }

    @Test(arguments: [0.2, 0.9, 1.7]) func `a first copy within two seconds of the beginning counts`(first: Double)
        throws
    {
        var heard = 0
        for trial in 0..<6 {
            let copies = (0..<2).map { (code: "gsm2h88c7u", start: first + 4.3 * Double($0)) }
            let sound = try Self.sound(of: copies, noisePower: 501, seconds: 9, seed: UInt64(200 + trial))
            for chirp in try Self.heard(sound, combines: true) where chirp.repeats == 2 {
                #expect(chirp.shortcode.description == "gsm2h88c7u")
                #expect(abs(chirp.startSeconds - first) < 0.05)
                heard += 1
            }
        }
        #expect(heard >= 3)
    }

    @Test(arguments: [1, 441, 70_001]) func `a sum does not depend on how the sound was cut`(blockLength: Int) throws {
        let copies = (0..<5).map { (code: "gsm2h88c7u", start: 4.3 + 2.2 * Double($0)) }
        let sound = try Self.sound(of: copies, noisePower: 631, seconds: 16, seed: 11)
        let whole = try Self.heard(sound, combines: true)
        #expect(whole.contains { $0.repeats > 1 })
        #expect(try Self.heard(sound, combines: true, blockLength: blockLength) == whole)
    }

    @Test func `a copy that is missing does not spoil the others`() throws {
        let copies = [0, 1, 2, 4, 5, 6].map { (code: "gsm2h88c7u", start: 4.3 + 3.7 * Double($0)) }
        let sound = try Self.sound(of: copies, noisePower: 562, seconds: 32, seed: 12)
        #expect(try Self.heard(sound, combines: true).map(\.shortcode.description) == ["gsm2h88c7u"])
    }

    @Test func `what is spent on noise is bounded`() throws {
        var receiver = try Receiver(sampleRateHertz: Self.rate, combinesCopies: true)
        var random = SplitMix64(seed: 3)
        let seconds = 120
        for _ in 0..<seconds {
            let second = (0..<44_100).map { _ in Float.random(in: -1...1, using: &random) }
            #expect(receiver.process(second).isEmpty)
        }
        let spent = receiver.combinerWork
        let work = try #require(spent)
        #expect(work.peaks > 5 * seconds)
        #expect(work.pairs < 600 * seconds)
        #expect(work.weighed < 12 * seconds)
        #expect(work.decoded < seconds / 10)
    }

    /// At some of these rates the eight bins around the highest tone reach beyond half of the rate; tones beyond it are silence.
    @Test(arguments: [11_025.0, 12_000, 16_000, 18_000, 20_000, 22_050, 24_000])
    func `a chirp is received at any rate with copies combined`(sampleRateHertz: Double) throws {
        let code = try Shortcode(parsing: "0123456789")
        let symbolLength = WireFormat.original.symbolSeconds * sampleRateHertz
        var chirp: [Float] = []
        for (index, symbol) in code.codeword.frame.enumerated() {
            let pitchHertz = WireFormat.original.pitchHertz(of: symbol)
            for _ in chirp.count..<Int((Double(index + 1) * symbolLength).rounded()) {
                let phase = 2 * Double.pi * pitchHertz * Double(chirp.count) / sampleRateHertz
                chirp.append(2 * pitchHertz < sampleRateHertz ? Float(0.5 * Double.sin(phase)) : 0)
            }
        }
        var receiver = try Receiver(sampleRateHertz: sampleRateHertz, combinesCopies: true)
        #expect((receiver.process(chirp) + receiver.finish()).map(\.shortcode) == [code])
    }

    @Test func `energies are looked up by the whole steps below them`() {
        let steps = (0...255).map { Float($0) / ToneHistory.energySteps }
        for first in stride(from: 0, to: 256, by: 8) {
            let own = SIMD8<Float>(steps[first..<first + 8])
            for share in [0, 0.3, 0.9] as [Float] {
                let places = ToneHistory.steps(of: own + share / ToneHistory.energySteps)
                for lane in 0..<8 { #expect(Int(places[lane]) == first + lane, "\(share)") }
            }
        }
        let others = ToneHistory.steps(of: SIMD8(.nan, -1, -.infinity, .infinity, 1e9, 10.7, 0, -0.0))
        #expect((0..<8).map { others[$0] } == [0, 0, 0, 255, 255, 255, 0, 0])
    }

    @Test func `copies of a word are heard again after four minutes`() throws {
        let starts = (0..<6).map { 5 + 3.3 * Double($0) }
        let codes = (starts + starts.map { $0 + 300 }).map { (code: "gsm2h88c7u", start: $0) }
        let sound = try Self.sound(of: codes, noisePower: 708, seconds: 330, seed: 3)
        let heard = try Self.heard(sound, combines: true).filter { $0.shortcode.description == "gsm2h88c7u" }
        #expect(heard.contains { $0.startSeconds < 25 })
        #expect(heard.contains { $0.startSeconds > 300 })
    }

    @Test func `copies are heard soon after digital silence`() throws {
        var together = 0
        for trial in 0..<10 {
            let copies = (0..<4).map { (code: "gsm2h88c7u", start: 73 + 6.1 * Double($0)) }
            var sound = try Self.sound(of: copies, noisePower: 1_000, seconds: 100, seed: UInt64(200 + trial))
            for index in Int(10 * Self.rate)..<Int(70 * Self.rate) { sound[index] = 0 }
            let heard = try Self.heard(sound, combines: true)
            together += heard.count { $0.shortcode.description == "gsm2h88c7u" }
        }
        #expect(together >= 5, "\(together)")
    }

    /// Of these the noise before says little.
    @Test(arguments: [1.5, 3.0]) func `copies are heard soon after the noise has become louder`(decibels: Double) throws
    {
        var together = 0
        let before = Float(Double.pow(10, -decibels / 20))
        for trial in 0..<10 {
            let copies = (0..<4).map { (code: "gsm2h88c7u", start: 45 + (2.2 + 0.16 * Double(trial)) * Double($0)) }
            var sound = try Self.sound(of: copies, noisePower: 900, seconds: 62, seed: UInt64(400 + trial))
            for index in 0..<Int(30 * Self.rate) { sound[index] *= before }
            let heard = try Self.heard(sound, combines: true)
            together += heard.count { $0.shortcode.description == "gsm2h88c7u" }
        }
        #expect(together >= 5, "\(together)")
    }

    @Test func `what is kept until the noise is known does not grow in digital silence`() throws {
        var receiver = try Receiver(sampleRateHertz: Self.rate, combinesCopies: true)
        _ = receiver.process(try Self.sound(of: [("gsm2h88c7u", 0.1)], noisePower: 100, seconds: 3, seed: 5))
        let silence = [Float](repeating: 0, count: Int(10 * Self.rate))
        for _ in 0..<6 {
            _ = receiver.process(silence)
            #expect(try #require(receiver.scan.coherent.recorder).earlyBlockCount < 300)
        }
    }
}
