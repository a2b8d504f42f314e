import Testing

@testable import Chirp

@Suite struct AcceptanceModelTests {
    private static func features(
        evidence: Float = 10, frameLLR: Float = 40, deviation: Float = 1.28, spread: Float? = nil, margin: Float = 20,
        falseStarts: Int = 0, isSearched: Bool = false, isMarginal: Bool = false
    ) -> AcceptanceFeatures {
        AcceptanceFeatures(
            codewordEvidence: evidence, frameLLR: frameLLR, preambleLLR: 6, margin: margin,
            noiseLogDeviation: deviation,
            toneLevelSpread: spread, falseStartCount: falseStarts, isSearched: isSearched, isMarginal: isMarginal)
    }

    private static func logOdds(_ features: AcceptanceFeatures) -> Float { AcceptanceModel.fitted.logOdds(features) }

    @Test(arguments: [Float(1.28), 1.5, 2], [0, 1, 30])
    func `odds rise with the evidence and with the margin`(deviation: Float, falseStarts: Int) {
        let evidences = (-5...30).map {
            Self.logOdds(Self.features(evidence: Float($0), deviation: deviation, falseStarts: falseStarts))
        }
        #expect(zip(evidences, evidences.dropFirst()).allSatisfy { $0 < $1 })
        let margins = (0...19).map {
            Self.logOdds(Self.features(deviation: deviation, margin: Float($0), falseStarts: falseStarts))
        }
        #expect(zip(margins, margins.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test func `a word that has little of both or of either is not believed, and one that has much of both is`() {
        for (evidence, margin) in [(Float(-5), Float(20)), (0, 0)] {
            let logOdds = Self.logOdds(Self.features(evidence: evidence, frameLLR: 25, margin: margin))
            #expect(logOdds < Receiver.minimumLogOdds)
        }
        // It is the lead that makes it certain.
        #expect(Self.logOdds(Self.features(evidence: 20, frameLLR: 25, margin: 0)) < 2.2)
        #expect(Self.logOdds(Self.features(evidence: 20, frameLLR: 25)) > DecodedFrame.certainLogOdds)
        #expect(Self.logOdds(Self.features(evidence: 30, frameLLR: 100, spread: 0.05)) > DecodedFrame.certainLogOdds)
    }

    @Test func `music, false starts and searches ask for more evidence, even tones for less`() {
        let plain = Self.logOdds(Self.features())
        #expect(plain > Self.logOdds(Self.features(deviation: 1.6)))
        #expect(plain > Self.logOdds(Self.features(falseStarts: 1)))
        #expect(Self.logOdds(Self.features(falseStarts: 2)) > Self.logOdds(Self.features(falseStarts: 20)))
        #expect(plain > Self.logOdds(Self.features(isSearched: true)))
        #expect(plain < Self.logOdds(Self.features(spread: 0.05)))
        #expect(plain < Self.logOdds(Self.features(frameLLR: 150)))
    }

    @Test func `no feature, however extreme, gives odds that are no number`() {
        for extreme in [-Float.greatestFiniteMagnitude, -Float.infinity, .infinity, .greatestFiniteMagnitude] {
            #expect(Self.logOdds(Self.features(evidence: extreme, frameLLR: extreme, margin: extreme)).isFinite)
            #expect(Self.logOdds(Self.features(deviation: extreme, spread: abs(extreme))).isFinite)
            #expect(
                Self.logOdds(
                    Self.features(evidence: extreme, frameLLR: extreme, margin: abs(extreme), isMarginal: true)
                )
                .isFinite)
        }
        #expect(Self.logOdds(Self.features(falseStarts: .max)).isFinite)
    }

    @Test func `in steady noise the odds are those against other words, the next best, no chirp and one elsewhere`() {
        func odds(word: Float, preamble: Float = 6, margin: Float = 19, frameLLR: Float = 60) -> Float {
            AcceptanceFeatures(
                codewordEvidence: word + preamble, frameLLR: frameLLR, preambleLLR: preamble, margin: margin,
                noiseLogDeviation: 1.28, toneLevelSpread: nil, falseStartCount: 0, isMarginal: true
            ).logOddsInSteadyNoise()
        }
        // One of the four decides where the others are far.
        #expect(abs(odds(word: 3) - 3) < 0.03)
        #expect(abs(odds(word: 15, margin: 2) - 2) < 0.03)
        #expect(abs(odds(word: 12, frameLLR: 6) - odds(word: 12, frameLLR: 8) + 2) < 0.03)
        #expect(abs(odds(word: 10, frameLLR: 8) - odds(word: 12, frameLLR: 8) + 2) < 0.03)
        #expect(abs(odds(word: 12, preamble: -6) - odds(word: 12, preamble: -8) - 2) < 0.03)
        // Equal ones add up.
        #expect(abs(odds(word: 3, margin: 3) - (3 - 0.6931)) < 0.03)
        // What there is of noise in an hour's places is not believed, however well its word fits by chance.
        #expect(odds(word: 2, frameLLR: 13) < 0)
    }

    @Test(arguments: [Float(-3), 0, 5], [0, 10])
    func `below the least evidence no margin and no evenness makes a word as likely`(logOdds: Float, falseStarts: Int) {
        let features = Self.features(falseStarts: falseStarts)
        let least = AcceptanceModel.fitted.minimumEvidence(features, logOdds: logOdds)
        var best = features
        best.margin = 1_000
        best.toneLevelSpread = 0
        best.codewordEvidence = least
        #expect(Self.logOdds(best) <= logOdds)
        best.codewordEvidence = least + 0.3
        #expect(Self.logOdds(best) > logOdds)
    }
}
