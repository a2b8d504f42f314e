import RealModule
import Testing

@testable import Chirp
@testable import ChirpLab

@Suite struct AcceptanceFitTests {
    /// Readings whose features are drawn at random, right as often as a model says.
    private static func readings(_ count: Int, by model: AcceptanceModel, seed: UInt64) -> [LabelledReading] {
        var random = RandomSource(seed: seed, name: "readings", index: 0)
        return (0..<count).map { index in
            let features = AcceptanceFeatures(
                codewordEvidence: .random(in: -5...15, using: &random), frameLLR: .random(in: 15...130, using: &random),
                preambleLLR: .random(in: -5...7, using: &random), margin: .random(in: 0...15, using: &random),
                noiseLogDeviation: .random(in: 1.25...1.8, using: &random),
                toneLevelSpread: .random(in: 0...0.5, using: &random),
                falseStartCount: .random(in: 0...20, using: &random),
                isSearched: .random(using: &random))
            let probability = 1 / (1 + Double.exp(-Double(model.logOdds(features))))
            return LabelledReading(
                features: features, isRight: .random(in: 0..<1, using: &random) < probability, isOfTrial: index % 2 == 0
            )
        }
    }

    @Test func `the model that made the labels is found again`() {
        let truth = AcceptanceModel(
            weights: SIMD16(-1, 0.3, 0.2, 0.1, 0.2, 0.2, 1, -2, -1, -0.5, -1, 0, 0, 0, 0, 0))
        let fitted = AcceptanceFit.fit(Self.readings(40_000, by: truth, seed: 1))
        let others = Self.readings(10_000, by: truth, seed: 2)
        // As good as the truth on others, and far better than the odds alone.
        #expect(AcceptanceFit.loss(others, fitted) < AcceptanceFit.loss(others, truth) + 0.002)
        let constant = AcceptanceModel(weights: SIMD16(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        #expect(AcceptanceFit.loss(others, fitted) < 0.8 * AcceptanceFit.loss(others, constant))
        for place in 5..<11 { #expect(abs(fitted.weights[place] - truth.weights[place]) < 0.4, "\(place)") }
    }

    @Test func `labels that a line separates give finite weights`() {
        var readings = Self.readings(500, by: .fitted, seed: 3)
        for index in readings.indices { readings[index].isRight = readings[index].features.codewordEvidence > 5 }
        let fitted = AcceptanceFit.fit(readings)
        for place in 0..<16 { #expect(fitted.weights[place].isFinite) }
        #expect(AcceptanceFit.loss(readings, fitted) < 0.3)
    }

    @Test func `readings whose odds are known in steady noise are not fitted to`() {
        let readings = Self.readings(2_000, by: .fitted, seed: 5)
        var known = readings
        for index in known.indices {
            known[index].features.isMarginal = true
            known[index].isRight.toggle()
        }
        #expect(AcceptanceFit.fit(readings + known).weights == AcceptanceFit.fit(readings).weights)
    }

    @Test func `every reading is in one bin, and a true model is calibrated in each`() {
        let readings = Self.readings(20_000, by: .fitted, seed: 4)
        let bins = AcceptanceFit.calibration(readings, .fitted)
        #expect(bins.reduce(0) { $0 + $1.count } == readings.count)
        for bin in bins {
            let deviation = (bin.predicted * (1 - bin.predicted) / Double(bin.count)).squareRoot()
            #expect(abs(bin.right - bin.predicted) < 4 * deviation + 0.002, "\(bin)")
        }
    }

    @Test func `readings of trials are right or wrong, the same on every run, and the model in use tells them apart`()
        throws
    {
        func collect() throws -> [LabelledReading] {
            try LabelledReading.collect(
                recordings: .init(), trials: 3, hours: 0.1, seed: 99, in: ["white-25", "silenced-6", "wrong-4"])
        }
        let (readings, again) = (try collect(), try collect())
        #expect(readings.map(\.isRight) == again.map(\.isRight))
        #expect(readings.map(\.features.codewordEvidence) == again.map(\.features.codewordEvidence))
        #expect(readings.contains { $0.isRight } && readings.contains { !$0.isRight })
        #expect(readings.allSatisfy { $0.isOfTrial || !$0.isRight })
        #expect(AcceptanceFit.loss(readings, .fitted) < 0.05)
    }
}
