import Testing

@testable import Chirp

@Suite struct AcceptanceModelTests {
    private static func logOdds(
        evidence: Float = 10, frameLLR: Float = 40, deviation: Float = 1.28, spread: Float? = nil, margin: Float = 30,
        falseStarts: Int = 0, hasFreeTones: Bool = false
    ) -> Float {
        AcceptanceModel.logOdds(
            codewordEvidence: evidence, frameLLR: frameLLR, noiseLogDeviation: deviation, toneLevelSpread: spread,
            margin: margin, falseStartCount: falseStarts, hasFreeTones: hasFreeTones)
    }

    @Test(arguments: [Float(1.28), 1.5, 2], [0, 1, 30])
    func `odds rise with the evidence and with the margin`(deviation: Float, falseStarts: Int) {
        let evidences = (-5...30).map {
            Self.logOdds(evidence: Float($0), deviation: deviation, falseStarts: falseStarts)
        }
        #expect(zip(evidences, evidences.dropFirst()).allSatisfy { $0 <= $1 } && evidences[0] < evidences[20])
        let margins = (0...30).map { Self.logOdds(deviation: deviation, margin: Float($0), falseStarts: falseStarts) }
        #expect(zip(margins, margins.dropFirst()).allSatisfy { $0 <= $1 } && margins[0] < margins[9])
    }

    @Test func `the odds are below either of the two ways of being wrong`() {
        for evidence in stride(from: Float(-3), to: 20, by: 1) {
            for margin in stride(from: Float(0), to: 20, by: 1) {
                #expect(Self.logOdds(evidence: evidence, margin: margin) <= min(evidence - 4, margin - 2.5))
            }
        }
    }

    @Test func `music and false starts ask for more evidence, clear tones for less`() {
        #expect(Self.logOdds(deviation: 1.28) > Self.logOdds(deviation: 1.6))
        #expect(Self.logOdds(falseStarts: 0) > Self.logOdds(falseStarts: 1))
        #expect(Self.logOdds(falseStarts: 2) > Self.logOdds(falseStarts: 20))
        #expect(Self.logOdds(deviation: 2, spread: 0.05) > Self.logOdds(deviation: 2, spread: 0.6))
        #expect(Self.logOdds(frameLLR: 150, deviation: 2) > Self.logOdds(frameLLR: 40, deviation: 2))
        // Tones that are each off by their own may be any machine's, however clear.
        #expect(
            Self.logOdds(deviation: 2, spread: 0.05, hasFreeTones: true)
                == Self.logOdds(deviation: 2, hasFreeTones: true))
    }

    @Test func `what hardly looks like a frame needs as much more evidence`() {
        #expect(abs(Self.logOdds(frameLLR: 20) - Self.logOdds(frameLLR: 15) - 5) < 0.1)
        #expect(Self.logOdds(frameLLR: 20) == Self.logOdds(frameLLR: 40))
    }
}
