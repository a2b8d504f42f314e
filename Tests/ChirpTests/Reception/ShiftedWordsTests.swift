import RealModule
import Testing

@testable import Chirp

/// Words that are other codewords when they are read a symbol too early or too late: one in 32 each.
@Suite struct ShiftedWordsTests {
    private static let rate = 44_100.0

    enum Kind: CaseIterable, Sendable {
        /// The tenth character is 0: with its last symbol in front it is another codeword.
        case alsoEarlier
        /// The other one of such a pair.
        case alsoLater
    }

    private static func word(_ kind: Kind, using random: inout SplitMix64) throws -> Codeword {
        let code = Shortcode.random(using: &random).description.dropLast() + "0"
        let word = try Shortcode(parsing: String(code)).codeword
        switch kind {
        case .alsoEarlier: return word
        case .alsoLater: return try #require(word.codeword(symbolsLater: -1))
        }
    }

    /// A word at another tempo, its pitches changed with it or not, or each tone off by its own cents, with continuous phase,
    /// in noise.
    private static func sound(
        _ word: Codeword, speed: Double = 1, keepsPitch: Bool = false, toneCents: [Double]? = nil,
        decibels: Double = -10, start: Int, using random: inout SplitMix64
    ) -> (samples: [Float], end: Int) {
        let format = WireFormat.original
        let symbolSamples = format.symbolSeconds * rate / speed
        let count = Int((symbolSamples * Double(format.frameSymbolCount)).rounded())
        var phase = 0.0
        // A sine has a half of the square of its greatest value as its power, uniform noise a third.
        let level = Float((1.5 * Double.pow(10, -decibels / 10)).squareRoot())
        var samples = (0..<start + count + 30_000).map { _ in Float.random(in: -level...level, using: &random) }
        for index in 0..<count {
            let symbol = min(format.frameSymbolCount - 1, Int(Double(index) / symbolSamples))
            let tone = word.frame[symbol]
            let error = toneCents.map { Double.exp2($0[Int(tone)] / 1200) } ?? 1
            let pitch = format.pitchHertz(of: tone) * (keepsPitch ? 1 : speed) * error
            phase += 2 * Double.pi * pitch / rate
            samples[start + index] += Float(Double.sin(phase))
        }
        return (samples, start + count)
    }

    /// These have a preamble for the later word, too; what it lacks is its last tone.
    @Test func `tones that go on, like those of the preamble, do not make another word of one`() throws {
        let preamble = WireFormat.original.startCode
        // Of 600 such seeds the first once made the later word.
        for seed in 160..<180 {
            var random = SplitMix64(seed: UInt64(seed))
            let word = try Self.word(.alsoEarlier, using: &random)
            guard let later = word.codeword(symbolsLater: 1), !preamble.contains(word.symbols[0]) else { continue }
            let start = Int.random(in: 60_000..<110_000, using: &random)
            var (samples, _) = Self.sound(word, decibels: 20, start: start, using: &random)
            for tone in preamble {
                let step = 2 * Double.pi * WireFormat.original.pitchHertz(of: tone) / Self.rate
                for index in samples.indices { samples[index] += 0.89 * Float(Double.sin(step * Double(index))) }
            }
            var receiver = try Receiver(sampleRateHertz: Self.rate)
            let heard = (receiver.process(samples) + receiver.finish()).map(\.codeword)
            #expect(!heard.contains(later))
        }
    }

    @Test(arguments: Kind.allCases)
    func `the other word has the same symbols a place further`(kind: Kind) throws {
        var random = SplitMix64(seed: 1)
        let shift = kind == .alsoEarlier ? -1 : 1
        for _ in 0..<50 {
            let word = try Self.word(kind, using: &random)
            let other = try #require(word.codeword(symbolsLater: shift))
            #expect(Codeword(symbols: other.symbols) == other)
            if shift > 0 {
                #expect(word.symbols.dropFirst() == other.symbols.dropLast())
            } else {
                #expect(word.symbols.dropLast() == other.symbols.dropFirst())
            }
            #expect(other.codeword(symbolsLater: -shift) == word)
        }
        #expect(try Shortcode(parsing: "gsm2h88c7u").codeword.codeword(symbolsLater: shift) == nil)
    }

    @Test(arguments: Kind.allCases, [(0.975, false), (1.025, false), (0.97, true), (0.975, true), (1, true)])
    func `the right one is told, within 100 ms of its last tone`(
        kind: Kind, playing: (speed: Double, keepsPitch: Bool)
    ) throws {
        var random = SplitMix64(seed: UInt64(1_000 * playing.speed))
        for trial in 0..<6 {
            let word = try Self.word(kind, using: &random)
            let (sound, end) = Self.sound(
                word, speed: playing.speed, keepsPitch: playing.keepsPitch, start: 60_000 + 777 * trial,
                using: &random)
            var receiver = try Receiver(sampleRateHertz: Self.rate)
            var heard: [DetectedChirp] = []
            var fed = 0
            while heard.isEmpty, fed < sound.count {
                let next = min(sound.count, fed + 100)
                heard = receiver.process(sound[fed..<next])
                fed = next
            }
            #expect(heard.map(\.codeword) == [word])
            #expect(Double(fed - end) / Self.rate <= 0.1)
        }
    }

    @Test(arguments: Kind.allCases) func `of faint tones that are each off by their own the right one is told`(
        kind: Kind
    ) throws {
        var random = SplitMix64(seed: 45)
        var right = 0
        for trial in 0..<16 {
            let word = try Self.word(kind, using: &random)
            let cents = (0..<32).map { _ in Double.random(in: -45...45, using: &random) }
            let (sound, _) = Self.sound(
                word, toneCents: cents, decibels: -18.5, start: 60_000 + 777 * trial, using: &random)
            var receiver = try Receiver(sampleRateHertz: Self.rate)
            let heard = receiver.process(sound) + receiver.finish()
            #expect(heard.allSatisfy { $0.codeword == word })
            if !heard.isEmpty { right += 1 }
        }
        // Of 300 such chirps 295 are heard.
        #expect(right >= 14)
    }

    @Test(arguments: Kind.allCases)
    func `without its start code the right one is told, within 100 ms of its last tone`(kind: Kind) throws {
        var random = SplitMix64(seed: 20)
        for trial in 0..<16 {
            let word = try Self.word(kind, using: &random)
            let (sound, end) = Self.sound(word, start: 0, using: &random)
            let cut = Int((2 + 0.3 * Double(trial % 5)) * WireFormat.original.symbolSeconds * Self.rate)
            let prompt = end + Int(0.1 * Self.rate)
            var receiver = try Receiver(sampleRateHertz: Self.rate)
            #expect(receiver.process(sound[cut..<prompt]).map(\.codeword) == [word])
            #expect((receiver.process(sound[prompt...]) + receiver.finish()).isEmpty)
        }
    }

    /// Of chirps with another word a symbol later a third was told as that word once the start code and one to three symbols more were missing:
    /// the silence that is then in the place of its last tone counted for as little as what was not recorded.
    @Test(arguments: Kind.allCases, [Double.infinity, 10, -10])
    func `a chirp whose beginning was not recorded is told as itself or not at all`(
        kind: Kind, decibels: Double
    ) throws {
        var random = SplitMix64(seed: 95)
        for eighth in stride(from: 4, through: 44, by: 2) {
            let word = try Self.word(kind, using: &random)
            let (sound, _) = Self.sound(word, decibels: decibels, start: 0, using: &random)
            let cut = Int(Double(eighth) / 8 * WireFormat.original.symbolSeconds * Self.rate)
            var receiver = try Receiver(sampleRateHertz: Self.rate)
            let heard = receiver.process(sound[cut...]) + receiver.finish()
            #expect(heard.allSatisfy { $0.codeword == word })
            #expect(heard.count == 1 || eighth > 34 && heard.isEmpty, "\(eighth) eighths of a symbol are missing")
        }
    }

    /// At −15 dB one of 350 was certain most of two symbols too early, as the other word, and faint there: the right one was
    /// looked for a symbol later, where it is not either.
    @Test func `the right one is found from a reading beside its place`() throws {
        var random = SplitMix64(seed: 15)
        var decoder = FrameDecoder(format: .original, sampleRateHertz: Self.rate)
        let word = try Self.word(.alsoEarlier, using: &random)
        let (sound, _) = Self.sound(word, decibels: -15, start: 80_000, using: &random)
        let recording = SampleRing(sound)
        let decoded = decoder.decodeTuned(recording, start: 80_000, ReceptionContext())
        let right = try #require(decoded)
        #expect(right.codeword == word)
        var early = right
        early.codeword = try #require(word.codeword(symbolsLater: -1))
        early.timing.startSample -= 1.65 * WireFormat.original.symbolSeconds * Self.rate
        early.features.frameLLR = 36
        early.logOdds = 10
        let better = decoder.resolvingShiftAmbiguity(early, recording, ReceptionContext())
        #expect(better.codeword == word)
    }
}
