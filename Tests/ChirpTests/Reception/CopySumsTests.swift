import RealModule
import Testing

@testable import Chirp

@Suite struct CopySumsTests {
    private typealias Lanes = SIMD8<Float>
    private static let format = WireFormat.original
    private static let word = format.frame(of: Shortcode(symbols: (0..<10).map { 3 * $0 })!.codeword)

    /// Exponential energies, as noise has, over so many starts, with frames whose tones have more.
    ///
    /// - Parameter level: of the noise at a start.
    private static func history(
        starts: Int, frames: [Int], energy: Float, seed: UInt64, length: Int = 1_024, level: (Int) -> Float = { _ in 1 }
    ) -> ToneHistory {
        var random = SplitMix64(seed: seed)
        var history = ToneHistory(length: length)
        for start in 0..<starts {
            var energies = (0..<32).map { _ in -level(start) * Float.log(Float.random(in: 1e-6...1, using: &random)) }
            for frame in frames {
                let symbol = (start - frame) / CoarseAcquisition.blocksPerSymbol
                guard start >= frame, symbol < word.count,
                    (start - frame) % CoarseAcquisition.blocksPerSymbol == 0
                else { continue }
                energies[Int(word[symbol])] += energy
            }
            history.setEnergies(
                start,
                (
                    Lanes(energies[0..<8]), Lanes(energies[8..<16]), Lanes(energies[16..<24]), Lanes(energies[24..<32])
                ))
        }
        return history
    }

    @Test func `older copies at the same distance are added, up to the oldest one`() {
        let frames = [200, 301, 400, 501, 600, 700]
        let history = Self.history(starts: 900, frames: frames, energy: 5, seed: 1)
        var sums = CopySums(format: Self.format)
        sums.set([700, 600], ToneHistories(history))
        let pair = sums.llrOfBestTones(at: sums.places, ToneHistories(history))
        let all = sums.extend(from: pair, ToneHistories(history))
        #expect(sums.places == frames.reversed())
        #expect(all > pair + 10)
    }

    /// In exponentially distributed energies the mean square of what counts for four at most is 1.88 times the square of the mean.
    @Test func `roughness tells noise, with a chirp in it or not, from what comes and goes`() {
        func roughness(frames: [Int], energy: Float, seed: UInt64, level: (Int) -> Float = { _ in 1 }) -> Float {
            Self.history(starts: 300, frames: frames, energy: energy, seed: seed, level: level)
                .roughness(of: 120, symbolCount: Self.format.frameSymbolCount)
        }
        for seed in 1...40 as ClosedRange<UInt64> {
            #expect(abs(roughness(frames: [], energy: 0, seed: seed) - 1.88) < 0.15)
            for energy in [5, 1_000] as [Float] {
                #expect(abs(roughness(frames: [120], energy: energy, seed: seed) - 1.92) < 0.15)
            }
            // Two symbols in four are nearly silent.
            #expect(roughness(frames: [], energy: 0, seed: seed) { $0 / 8 % 2 == 0 ? 1.5 : 0.1 } > 2.2)
        }
    }

    @Test func `what was tried and not taken leaves nothing behind`() {
        for seed in 1...20 as ClosedRange<UInt64> {
            let history = Self.history(starts: 900, frames: [700, 600, 500], energy: 2.5, seed: seed)
            var sums = CopySums(format: Self.format)
            sums.set([700, 600], ToneHistories(history))
            let llr = sums.extend(
                from: sums.llrOfBestTones(at: sums.places, ToneHistories(history)), ToneHistories(history))
            var anew = CopySums(format: Self.format)
            anew.set(sums.places, ToneHistories(history))
            #expect(sums.llr() == anew.llr())
            #expect(
                sums.llrOfBestTones(at: sums.places, ToneHistories(history))
                    == anew.llrOfBestTones(at: anew.places, ToneHistories(history)))
            // Each of those added was one of three places.
            #expect(llr <= anew.llrOfBestTones(at: anew.places, ToneHistories(history)))
        }
    }

    @Test func `the likelihood ratio is that of the sums of the tones' energies, symbol by symbol`() {
        let history = Self.history(starts: 300, frames: [100, 200], energy: 4, seed: 7)
        var sums = CopySums(format: Self.format)
        sums.set([200, 100], ToneHistories(history))
        var expected: Float = 0
        for symbol in 0..<Self.format.frameSymbolCount {
            let blocks = CoarseAcquisition.blocksPerSymbol * symbol
            let logs = (0..<32).map { tone in
                Float.log(
                    CopyLikelihood.sumRatios[2][Int(history[200 + blocks][tone]) + Int(history[100 + blocks][tone])])
            }
            expected +=
                symbol < Self.format.startCode.count
                ? logs[Int(Self.format.startCode[symbol])]
                : Float.log(logs.reduce(0) { $0 + Float.exp($1) } / 32)
        }
        #expect(abs(sums.llr() - expected) < 1e-3)
        #expect(abs(sums.llrOfBestTones(at: sums.places, ToneHistories(history)) - expected) < 6)
    }

    @Test func `copies are put on the likeliest line, on which what was chosen out of noise is no longer likely`() {
        let frames = [300, 400, 500, 600, 700]
        let history = Self.history(starts: 900, frames: frames, energy: 3, seed: 3)
        var sums = CopySums(format: Self.format)
        sums.set([701, 600, 499, 401, 300], ToneHistories(history))
        let before = sums.llrOfBestTones(at: sums.places, ToneHistories(history))
        let after = sums.straighten(ToneHistories(history))
        #expect(sums.places == frames.reversed())
        #expect(after > before + 5)
        #expect(after == sums.llrOfBestTones(at: sums.places, ToneHistories(history)))

        var (chosen, straight): (Float, Float) = (0, 0)
        for seed in 1...20 as ClosedRange<UInt64> {
            let noise = ToneHistories(Self.history(starts: 1_000, frames: [], energy: 0, seed: seed))
            sums.set([900], noise)
            var places = [900]
            for copy in 1..<8 {
                let all = (900 - 100 * copy - 2...900 - 100 * copy + 2)
                    .map { place in
                        sums.set(places + [place], noise)
                        return (llr: sums.llrOfBestTones(at: sums.places, ToneHistories(history)), place: place)
                    }
                if let best = all.max(by: { $0.llr < $1.llr }) { places.append(best.place) }
            }
            sums.set(places, noise)
            chosen += sums.llrOfBestTones(at: sums.places, ToneHistories(history))
            straight += sums.straighten(noise)
        }
        #expect(straight < chosen - 20)
    }

    @Test func `what is kept of the latest starts does not depend on where they are kept`() {
        let length = 1_024
        let starts = 3 * length + 90
        let frames = [starts - 120, starts - 300, starts - 700]
        let history = Self.history(starts: starts, frames: frames, energy: 40, seed: 4, length: length)
        let longer = Self.history(starts: starts, frames: frames, energy: 40, seed: 4, length: 2 * starts)
        for start in starts - length..<starts { #expect(history[start] == longer[start]) }
        // Frames that lie across the end of what is kept, and others.
        for first in [starts - 120, starts - 90 - 60, starts - 700, starts - length] {
            for places in [[first], [first, starts - 300], [starts - 700, first, starts - 120]] {
                var (sums, others) = (CopySums(format: Self.format), CopySums(format: Self.format))
                sums.set(places, ToneHistories(history))
                others.set(places, ToneHistories(longer))
                #expect(sums.llr() == others.llr())
                #expect(
                    sums.llrOfBestTones(at: sums.places, ToneHistories(history))
                        == others.llrOfBestTones(at: others.places, ToneHistories(history)))
            }
        }
        for (first, second) in [(0, 1), (1, 2), (0, 2)] {
            #expect(history.agreement(frames[first], frames[second]) == 16)
            #expect(history.agreement(frames[first] + 1, frames[second]) < 8)
        }
    }

    @Test func `places before the first sound leave nothing behind when they are taken out`() {
        let histories = ToneHistories([
            Self.history(starts: 1_000, frames: [700], energy: 3, seed: 21),
            Self.history(starts: 1_000, frames: [701], energy: 3, seed: 22),
        ])
        for distance in [40, 150, 300, 691] {
            var sums = CopySums(format: Self.format)
            sums.set((1...8).map { 800 - distance * $0 }, histories)
            _ = sums.follow(at: 799...801, histories)
            #expect(sums.places.count == 8)
            var anew = CopySums(format: Self.format)
            anew.set(sums.places, histories)
            #expect(sums.llr() == anew.llr())
        }
    }

    @Test func `distances are those at which the scores of two, three or four places sum up to enough`() {
        var random = SplitMix64(seed: 6)
        var scores = ScoreHistory(minimumScore: -1.5, length: 1_000, longestLag: 150)
        let all = (0..<2_600).map { _ in Float.random(in: -1.5...3, using: &random) }
        let minimum: (two: Float, three: Float, four: Float) = (5, 6.5, 8.5)
        var found = 0
        for (start, score) in all.enumerated() {
            scores.set(score, start: start)
            guard start > 700 else { continue }
            func most(_ place: Int) -> Float { max(all[place - 1], max(all[place], all[place + 1])) }
            let expected = (20...150)
                .filter { lag in
                    let two = score + all[start - lag]
                    let three = two + most(start - 2 * lag)
                    return two > minimum.two || three > minimum.three
                        || three + most(start - 3 * lag) > minimum.four
                }
            #expect(scores.lags(in: 20...150, before: start, exceeding: minimum).sorted() == expected)
            found += expected.count
            #expect(scores.around(start - 1) == (all[start - 2], all[start - 1], score))
        }
        #expect(found > 1_000)
    }

    @Test func `what channels heard of a copy is added up at the delays between them`() {
        let first = Self.history(starts: 300, frames: [100, 200], energy: 3, seed: 11)
        let second = Self.history(starts: 300, frames: [101, 201], energy: 3, seed: 12)
        let together = ToneHistories([first, second])
        func llr(_ histories: ToneHistories) -> Float {
            var sums = CopySums(format: Self.format)
            sums.set([200, 100], histories)
            return sums.llr()
        }
        let late = llr(together.delaying(1, by: 1))
        #expect(late > 20)
        #expect(late > llr(ToneHistories(first)) && late > llr(together) && late > llr(together.delaying(1, by: -1)))
        #expect(together.delaying(1, by: 1).places(of: [200, 100]) == [200, 201, 100, 101])
    }

    @Test func `noise has a likelihood ratio below one, a chirp one far above`() {
        var sums = CopySums(format: Self.format)
        let noise = Self.history(starts: 300, frames: [], energy: 0, seed: 8)
        sums.set([200, 100], ToneHistories(noise))
        #expect(sums.llr() < 0)
        let chirps = Self.history(starts: 300, frames: [100, 200], energy: 5, seed: 8)
        sums.set([200, 100], ToneHistories(chirps))
        #expect(sums.llr() > 20)
    }

    @Test func `places that are off by chance are put on a line`() {
        #expect(CopyCombiner.Chain.evenPlaces(near: [700, 600, 500]) == [700, 600, 500])
        #expect(CopyCombiner.Chain.evenPlaces(near: [700]) == [700])
        let even = CopyCombiner.Chain.evenPlaces(near: [701, 599, 501, 399, 301])
        for (copy, place) in even.enumerated() {
            #expect(abs(place - (700.2 - 100 * Double(copy))) < 0.5)
            if copy > 0 { #expect(abs(even[copy - 1] - place - 100) < 0.5) }
        }
    }
}
