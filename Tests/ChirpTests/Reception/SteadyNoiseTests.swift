import RealModule
import Testing

@testable import Chirp

@Suite struct SteadyNoiseTests {
    /// A frame of noise alone, whose power beside each tone has a mean.
    private static func noise(meanPowers: [Float], using random: inout SplitMix64) -> SoftFrame {
        // Twenty bins beside a tone.
        let powers = (0..<640).map { index in
            let sum = (0..<20).reduce(Float(0)) { sum, _ in sum - Float.log(.random(in: 1e-6...1, using: &random)) }
            return meanPowers[index % 32] * sum / 20
        }
        return SoftFrame(
            energies: powers, adjacentPowers: powers,
            floors: SoftFrame.floors(adjacentPowers: powers, bias: [Float](repeating: 1, count: 32)),
            preamble: WireFormat.original.startCode, weights: .tuned)
    }

    /// Root mean square of how far floors are from what they should be, in nats.
    private static func error(_ floors: [Float], _ means: [Float]) -> Float {
        let squares = zip(floors, means).map { Float.log($0 / $1) * Float.log($0 / $1) }
        return (squares.reduce(0, +) / 32).squareRoot()
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `floors of a smooth spectrum are told better from those beside them, and others are kept`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let slope = (0..<32).map { Float.exp(0.02 * Float($0)) }
        let smooth = Self.noise(meanPowers: slope, using: &random)
        #expect(Self.error(smooth.smoothedFloors(), slope) < 0.8 * Self.error(smooth.floors, slope))
        // Every other tone has four times the noise.
        let rough = (0..<32).map { $0 % 2 == 0 ? Float(1) : 4 }
        let frame = Self.noise(meanPowers: rough, using: &random)
        #expect(Self.error(frame.smoothedFloors(), frame.floors) < 0.02)
    }

    @Test func `floors of silence stay what they are`() {
        var random = SplitMix64(seed: 1)
        let powers = (0..<32).map { $0 == 7 ? Float(0) : 1 }
        let frame = Self.noise(meanPowers: powers, using: &random)
        #expect(frame.smoothedFloors() == frame.floors)
    }

    @Test func `the amplitudes of a faint chirp's tones deviate as those of steady tones in noise do`() throws {
        var decoder = FrameDecoder(format: .original, sampleRateHertz: 44_100)
        var deviations: [Float] = []
        for seed in 1...20 as ClosedRange<UInt64> {
            var random = SplitMix64(seed: seed)
            let word = Shortcode.random(using: &random).codeword
            let sound = try NoisyChirp(word, decibels: -23, start: 30_000, tail: 30_000, using: &random)
            let soft = decoder.observe(SampleRing(sound.samples), FrameTiming(startSample: Double(sound.start)))
            deviations.append(soft.amplitudeDeviation(WireFormat.original.frame(of: word)))
        }
        let mean = deviations.reduce(0, +) / 20
        #expect(abs(mean - Float(0.5).squareRoot()) < 0.08, "\(mean)")
    }

    @Test func `a faint chirp's tones are heard in its own symbols alone, and notes in others too`() throws {
        var decoder = FrameDecoder(format: .original, sampleRateHertz: 44_100)
        for seed in 1...20 as ClosedRange<UInt64> {
            var random = SplitMix64(seed: seed)
            let word = Shortcode.random(using: &random).codeword
            let sound = try NoisyChirp(word, decibels: -25, start: 30_000, tail: 30_000, using: &random)
            let soft = decoder.observe(SampleRing(sound.samples), FrameTiming(startSample: Double(sound.start)))
            let tones = WireFormat.original.frame(of: word)
            let beside = soft.meanEnergyBeside(tones)
            #expect((0.8...1.4).contains(beside), "seed \(seed): \(beside)")
            // One of its notes goes on for eight symbols more.
            var energies = soft.energies
            for symbol in 2..<10 { energies[32 * symbol + Int(tones[1])] += 10 * soft.floors[Int(tones[1])] }
            let held = soft.weighed(energies: energies, weights: .tuned).meanEnergyBeside(tones)
            #expect(held > beside + 0.15, "seed \(seed): \(held)")
        }
    }

    @Test func `the energies of a frame's tones in symbols of others are told over the noise of each tone`() {
        let floors = (0..<32).map { 1 + Float($0) }
        let frame = (0..<20).map { UInt8($0 % 10) }
        var energies = (0..<640).map { 3 * floors[$0 % 32] }
        for (symbol, tone) in frame.enumerated() { energies[32 * symbol + Int(tone)] *= 100 }
        let soft = SoftFrame(
            energies: energies, adjacentPowers: energies, floors: floors, preamble: WireFormat.original.startCode,
            weights: .tuned)
        #expect(abs(soft.meanEnergyBeside(frame) - 3) < 1e-4)
    }

    @Test func `in steady noise more faint chirps are read, an eighth of a symbol off, and none is read wrongly`()
        throws
    {
        var decoder = FrameDecoder(format: .original, sampleRateHertz: 44_100)
        let steady = ReceptionContext(noiseIsStationary: true)
        var right = (steady: 0, other: 0)
        for seed in 100..<140 as Range<UInt64> {
            var random = SplitMix64(seed: seed)
            let word = Shortcode.random(using: &random).codeword
            let sound = try NoisyChirp(word, decibels: -25.5, start: 30_000, tail: 30_000, using: &random)
            let start = Double(sound.start) + decoder.symbolSamples * Double.random(in: -0.125...0.125, using: &random)
            let ring = SampleRing(sound.samples)
            if let frame = decoder.decodeTuned(ring, start: start, steady), frame.logOdds > 1 {
                #expect(frame.codeword == word, "seed \(seed)")
                #expect(abs(frame.timing.startSample - Double(sound.start)) < 0.1 * decoder.symbolSamples)
                right.steady += 1
            }
            if let frame = decoder.decodeTuned(ring, start: start, ReceptionContext()), frame.logOdds > 1 {
                right.other += 1
            }
        }
        #expect(right.steady > right.other, "\(right)")
        #expect(right.steady > 28, "\(right) of 40")
    }
}
