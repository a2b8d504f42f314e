import Chirp
import Foundation
import Testing

@testable import ChirpLab

@Suite struct BoundsTests {
    /// 3,000 frames a row, so that their own error (0.9 % at one half) is a third of the table's (300 frames: 2.9 %).
    static let frames = 3_000

    /// The format's document: Es/N0 in decibels, then the four columns, 300 frames a row.
    static let published: [(energyRatioDecibels: Double, columns: [Double])] = [
        (8.5, [0.84, 0.96, 0.98, 1.00]), (8.0, [0.68, 0.83, 0.95, 1.00]), (7.5, [0.44, 0.67, 0.85, 0.98]),
        (7.0, [0.30, 0.57, 0.73, 0.98]), (6.5, [0.16, 0.29, 0.49, 0.90]), (6.0, [0.08, 0.16, 0.36, 0.81]),
        (5.5, [0.01, 0.06, 0.19, 0.60]),
    ]

    @Test(arguments: published)
    func `the bounds are those of the format's document`(row: (energyRatioDecibels: Double, columns: [Double])) {
        let offset = 10 * log10(SymbolErrorRate.energyRatio(snrDecibels: 0))
        let bounds = Bounds(snrDecibels: row.energyRatioDecibels - offset, frames: Self.frames, seed: 7)
        let columns = [
            bounds.hard, bounds.generalisedMinimumDistance, bounds.orderedStatistics, bounds.maximumLikelihood,
        ]
        for (ours, theirs) in zip(columns, row.columns) {
            // Both are samples of one share: three and a half standard errors of their difference, and half a unit of
            // the table's last place.
            let share = min(max(ours.share, 0.003), 0.997)
            let error = (share * (1 - share) * (1.0 / 300 + 1 / Double(Self.frames))).squareRoot()
            #expect(abs(ours.share - theirs) < 3.5 * error + 0.005)
        }
    }

    @Test(arguments: [-24.0, -25, -26, -27])
    func `hard decisions recover what the binomial of the closed form says`(snr: Double) {
        let simulated = Bounds(snrDecibels: snr, frames: Self.frames, seed: 3).hard
        let rate = SymbolErrorRate.noncoherent(energyRatio: SymbolErrorRate.energyRatio(snrDecibels: snr))
        let exact = SymbolErrorRate.atMost(errors: 4, of: 18, symbolErrorRate: rate)
        let error = (exact * (1 - exact) / Double(Self.frames)).squareRoot()
        #expect(abs(simulated.share - exact) < 3.5 * error)
    }

    @Test func `stronger decoders recover more`() {
        for snr in stride(from: -28.0, through: -23, by: 0.5) {
            let bounds = Bounds(snrDecibels: snr, frames: 500, seed: 1)
            #expect(bounds.hard.successes <= bounds.generalisedMinimumDistance.successes)
            #expect(bounds.generalisedMinimumDistance.successes <= bounds.orderedStatistics.successes + 15)
            #expect(bounds.orderedStatistics.successes <= bounds.maximumLikelihood.successes)
        }
    }
}

@Suite struct OrderedStatisticsTests {
    @Test func `without noise the word itself is found`() {
        var random = RandomSource(seed: 2)
        let search = OrderedStatisticsDecoder()
        for _ in 0..<50 {
            let word = Shortcode.random(using: &random).codeword.symbols
            let soft = SoftWord(hearing: word, energyRatio: 1_000, gaussian: Gaussian(), using: &random)
            #expect(search.decode(soft).word == word)
        }
    }

    @Test func `1761 codewords are met`() {
        var random = RandomSource(seed: 4)
        let word = Shortcode.random(using: &random).codeword.symbols
        let soft = SoftWord(hearing: word, energyRatio: 4, gaussian: Gaussian(), using: &random)
        var count = 0
        let best = OrderedStatisticsDecoder().decode(soft) { _ in count += 1 }
        #expect(count == 1_761)
        #expect(ReedSolomon().isCodeword(best.word))
    }

    @Test(arguments: [0.01 as Float, 0.5, 1, 3.7, 3.8, 10, 60])
    func `the logarithm of the Bessel function is its power series`(x: Float) {
        // Σ (x/2)^2k / k!², in double precision.
        var (sum, term) = (1.0, 1.0)
        for k in 1..<200 {
            term *= Double(x) * Double(x) / 4 / Double(k * k)
            sum += term
        }
        #expect(abs(Double(SoftWord.logBessel(x)) - log(sum)) < 2e-6 * max(1, log(sum)))
    }
}
