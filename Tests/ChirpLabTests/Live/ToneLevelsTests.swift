import Chirp
import Foundation
import Testing

@testable import ChirpLab

@Suite struct ToneLevelsTests {
    /// Codes in a row, each tone through a gain of its own, with a little noise; and what a receiver hears in it.
    private func trial(
        gainDecibels: [UInt8: Double], speed: Double = 1, rate: Double = 48_000
    ) throws -> (samples: [Float], heard: [DetectedChirp], codes: [Codeword]) {
        let codes = LiveResult.codes(count: 6, volumes: 1, seed: 4)[0]
        let synthesiser = try Synthesiser(sampleRateHertz: rate / speed)
        var random = RandomSource(seed: 6)
        var samples = [Float](repeating: 0, count: Int(rate))
        for code in codes {
            let sound = synthesiser.samples(of: code, volume: 0.3)
            for (place, symbol) in code.frame.enumerated() {
                let gain = Float(Double.amplitudeRatio(decibels: gainDecibels[symbol] ?? 0))
                samples += sound[synthesiser.symbolEdge(place)..<synthesiser.symbolEdge(place + 1)].map { gain * $0 }
            }
            samples += [Float](repeating: 0, count: Int(0.3 * rate))
        }
        Gaussian().add(to: &samples, deviation: 0.002, using: &random)
        var receiver = try Receiver(sampleRateHertz: rate)
        let heard = receiver.process(samples) + receiver.finish()
        return (samples, heard, codes)
    }

    @Test(arguments: [0, 7, 17, 19, 31] as [UInt8])
    func `a tone that is swallowed is named, and no other`(symbol: UInt8) throws {
        let (samples, heard, codes) = try trial(gainDecibels: [symbol: -40])
        let result = LiveResult(
            played: [(0.3, codes)], heard: heard, samples: samples, sampleRateHertz: 48_000, clippedShares: [0])
        #expect(result.volumes[0].recovered == Proportion(successes: 6, trials: 6))
        #expect(result.tones.tones.filter(\.isSwallowed).map(\.symbol) == [symbol])
        #expect(result.advice == [.tonesAreSwallowed([symbol])])
    }

    @Test func `levels are those that were played`() throws {
        let gains = Dictionary(uniqueKeysWithValues: (0..<32).map { (UInt8($0), -0.3 * Double($0)) })
        let (samples, heard, _) = try trial(gainDecibels: gains)
        let tones = ToneLevels(samples: samples, sampleRateHertz: 48_000, chirps: heard).tones
        let middle = -0.3 * 15.5
        for tone in tones {
            let level = try #require(tone.levelDecibels)
            #expect(abs(level - (-0.3 * Double(tone.symbol) - middle)) < 1)
            // A sine of amplitude 0.3 has −13.5 dB of full scale, less up to 9.3; the noise has −54 dB in 24 kHz, −85.4 in
            // the 17.2 Hz that a Hann window of 87 ms hears, and the middle of its powers is 1.6 dB below their mean: 73.5 dB
            // and less, give or take one, but for what leaks from the tones beside it.
            let above = try #require(tone.aboveNoiseDecibels)
            #expect((55.0...75).contains(above), "tone \(tone.symbol)")
        }
    }

    @Test func `chirps that are played too fast are measured at their own pitches`() throws {
        let (samples, heard, _) = try trial(gainDecibels: [12: -40], speed: 1.02)
        let tones = ToneLevels(samples: samples, sampleRateHertz: 48_000, chirps: heard).tones
        #expect(tones.filter(\.isSwallowed).map(\.symbol) == [12])
    }

    @Test func `every tone sounds in a handful of codes`() {
        let codes = LiveResult.codes(count: 6, volumes: 3, seed: 1).flatMap(\.self)
        #expect(Set(codes).count == 18)
        let soundings = (0..<32).map { tone in
            codes.reduce(0) { $0 + $1.frame.count { $0 == UInt8(tone) } }
        }
        #expect((soundings.min() ?? 0) >= 5)
    }
}

@Suite struct LiveAdviceTests {
    private static let codes = LiveResult.codes(count: 4, volumes: 2, seed: 2)

    private func heard(_ codewords: some Sequence<Codeword>, snr: Double = 10) -> [DetectedChirp] {
        codewords.map {
            DetectedChirp(
                codeword: $0, startSeconds: 0, durationSeconds: 1.744, snrDecibels: snr, correctedSymbolCount: 0,
                confidence: 1, tuningCents: 0, speed: 1)
        }
    }

    private func advice(
        _ heard: [DetectedChirp], samples: [Float] = [0.1, -0.1], clipped: [Double] = [0, 0], gaps: Int = 0
    ) -> [LiveResult.Advice] {
        LiveResult(
            played: [(0.1, Self.codes[0]), (0.8, Self.codes[1])], heard: heard, samples: samples,
            sampleRateHertz: 48_000, clippedShares: clipped, gapCount: gaps
        ).advice
    }

    @Test func `when all arrives nothing is to be done`() {
        #expect(advice(heard(Self.codes[0], snr: 3) + heard(Self.codes[1])) == [.allIsWell(snrDecibels: 3)])
    }

    @Test func `a volume below which codes are lost is named`() {
        #expect(advice(heard(Self.codes[0].prefix(2)) + heard(Self.codes[1])) == [.needsVolume(0.8)])
    }

    @Test func `codes lost at the loudest call for less distance`() {
        #expect(advice(heard(Self.codes[1].prefix(3), snr: -20)) == [.comeCloser(snrDecibels: -20)])
    }

    @Test func `codes lost far above the noise are not blamed on the distance`() {
        #expect(advice(heard(Self.codes[1].prefix(3), snr: 15)) == [.soundIsProcessed(snrDecibels: 15)])
        #expect(advice(heard(Self.codes[1].prefix(3), snr: 15), gaps: 2) == [.machineIsTooBusy(gapCount: 2)])
    }

    @Test func `silence is told from a chirp that is not heard`() {
        #expect(advice([], samples: [0, 0]) == [.captureIsSilent])
        #expect(advice([]) == [.nothingHeard])
    }

    @Test func `an input at full scale is told`() {
        #expect(
            advice(heard(Self.codes.flatMap(\.self)), clipped: [0, 0.2]) == [.inputIsClipped(volume: 0.8, share: 0.2)])
    }
}
