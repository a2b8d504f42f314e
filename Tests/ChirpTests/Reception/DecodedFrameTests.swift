import Testing

@testable import Chirp

/// Which readings of a sound are one chirp, and which of them is the better one.
@Suite struct DecodedFrameTests {
    private static let symbolSamples = 1_000.0

    private static func frame(
        _ code: String, start: Double = 0, evidence: Float = 20, frameLLR: Float = 100
    ) throws -> DecodedFrame {
        let format = WireFormat.original
        let end = start + symbolSamples * Double(format.frameSymbolCount)
        return DecodedFrame(
            format: format, timing: FrameTiming(startSample: start),
            codeword: try Shortcode(parsing: code).codeword, logOdds: 10,
            features: AcceptanceFeatures(
                codewordEvidence: evidence, frameLLR: frameLLR, preambleLLR: 10, margin: 20, noiseLogDeviation: 1.28,
                toneLevelSpread: 0.05, falseStartCount: 0),
            toneEnergy: 1, endSample: end, earliestEnd: end)
    }

    @Test(arguments: [0.0, 900, 15_000])
    func `the same word is a repetition wherever the two share more than a symbol`(shift: Double) throws {
        let (first, second) = (try Self.frame("gsm2h88c7u"), try Self.frame("gsm2h88c7u", start: shift))
        #expect(second.isRepetition(of: first, symbolSamples: Self.symbolSamples))
        #expect(first.isRepetition(of: second, symbolSamples: Self.symbolSamples))
    }

    @Test func `what begins when another one has ended is none`() throws {
        let (first, second) = (try Self.frame("gsm2h88c7u"), try Self.frame("gsm2h88c7u", start: 19_100))
        #expect(!second.isRepetition(of: first, symbolSamples: Self.symbolSamples))
    }

    @Test(arguments: 0..<40)
    func `another word at the same time shares few tones`(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        var other = try Self.frame("gsm2h88c7u", start: 7_000)
        other.codeword = Shortcode.random(using: &random).codeword
        #expect(!other.isRepetition(of: try Self.frame("gsm2h88c7u"), symbolSamples: Self.symbolSamples))
    }

    @Test func `the ranking weighs the evidence of the word and how clear the tones are`() throws {
        let likely = try Self.frame("gsm2h88c7u", evidence: 12, frameLLR: 100)
        #expect(likely.rankingScore > (try Self.frame("gsm2h88c7u", evidence: 11, frameLLR: 100)).rankingScore)
        #expect(likely.rankingScore > (try Self.frame("gsm2h88c7u", evidence: 12, frameLLR: 90)).rankingScore)
        // A reading that has lost a tone loses more by that than it gains by a nat of evidence.
        #expect(likely.rankingScore > (try Self.frame("gsm2h88c7u", evidence: 13, frameLLR: 91)).rankingScore)
    }
}
