import RealModule
import Testing

@testable import Chirp

@Suite struct CoherentSumTests {
    private static let format = WireFormat.original
    private static let search = DelaySearch(format)
    private let tones: [UInt8]

    init() throws { tones = Self.format.frame(of: try Shortcode(parsing: "kingfisher").codeword) }

    /// Noise of mean energy one in each tone of each symbol, as loud in each symbol as `loudness` says.
    private static func noise(seed: UInt64, loudness: (Int) -> Float = { _ in 1 }) -> TonePhasors {
        var random = SplitMix64(seed: seed)
        var noise = TonePhasors(symbolCount: format.frameSymbolCount)
        for index in noise.values.indices {
            for lane in 0..<8 {
                let amplitude = (-Float.log(.random(in: 1e-6..<1, using: &random))).squareRoot()
                let phase = Float.random(in: 0..<2 * .pi, using: &random)
                noise.values[index].real[lane] = amplitude * Float.cos(phase) * loudness(index / TonePhasors.rows)
                noise.values[index].imaginary[lane] = amplitude * Float.sin(phase) * loudness(index / TonePhasors.rows)
            }
        }
        return noise
    }

    /// The same with a word's tones, whose phases are the same for each copy, of an energy.
    private func copy(seed: UInt64, energy: Float) -> TonePhasors {
        var copy = Self.noise(seed: seed)
        var random = SplitMix64(seed: 4)
        for (symbol, tone) in tones.enumerated() {
            let phase = Float.random(in: 0..<2 * .pi, using: &random)
            let index = TonePhasors.rows * symbol + Int(tone) / 8
            copy.values[index].real[Int(tone) % 8] += energy.squareRoot() * Float.cos(phase)
            copy.values[index].imaginary[Int(tone) % 8] += energy.squareRoot() * Float.sin(phase)
        }
        return copy
    }

    private static func turned(_ copy: TonePhasors, seconds: Double, isInverted: Bool = false) -> TonePhasors {
        copy.turned(
            by: TonePhases(pitchesHertz: search.pitchesHertz, seconds: seconds, isInverted: isInverted))
    }

    /// What the energies of copies say.
    private static func logLikelihoods(of copies: [TonePhasors]) -> [Float] {
        (0..<32 * format.frameSymbolCount).map { index in
            copies.reduce(0) { sum, copy in
                sum + Float.log(SymbolLikelihood.steady(copy.energies(index / 8)[index % 8]))
            }
        }
    }

    private static func sum(of copies: [TonePhasors], _ source: CoherentCopyLikelihood.Source) -> CoherentSum? {
        CoherentCopyLikelihood(copies, logLikelihoods: logLikelihoods(of: copies), format, search, of: source).sum
    }

    @Test func `channels add up, late or inverted, and tell the energy in one of them`() throws {
        let first = copy(seed: 1, energy: 4)
        let second = copy(seed: 2, energy: 4)
        let straight = try #require(Self.sum(of: [first, second], .channels))
        let inverted = try #require(
            Self.sum(of: [first, Self.turned(second, seconds: -0.0071, isInverted: true)], .channels))
        #expect(abs(straight.frameLLR - inverted.frameLLR) < 1)
        let energies = tones.enumerated().map { inverted.energies[32 * $0.offset + Int($0.element)] }
        // One copy's noise is one.
        #expect(abs(energies.reduce(0, +) / Float(energies.count) - 5) < 1.2)
        // What a sender or a player repeats is not inverted.
        let copies = try #require(
            Self.sum(of: [first, Self.turned(second, seconds: -0.0071, isInverted: true)], .copies(inChannels: 1)))
        #expect(copies.frameLLR < inverted.frameLLR - 3)
    }

    @Test func `a channel without sound is left out`() throws {
        let sum = try #require(
            Self.sum(
                of: [
                    copy(seed: 5, energy: 4), TonePhasors(symbolCount: Self.format.frameSymbolCount),
                    copy(seed: 6, energy: 4),
                ], .channels))
        #expect(sum.members.count == 2)
    }

    @Test func `noise that channels share is told from noise of their own`() throws {
        func shared(_ share: Float) -> Float {
            let common = Self.noise(seed: 77) { _ in share.squareRoot() }
            let copies = (0..<2).map { number in
                common + Self.noise(seed: 80 + UInt64(number)) { _ in (1 - share).squareRoot() }
            }
            return CoherentSum(
                frameLLR: 0, logLikelihoods: [], energies: [], choice: 0, phasors: copies[0] + copies[1],
                members: copies
            ).sharedNoise(besides: tones)
        }
        #expect(abs(shared(0)) < 3)
        #expect(shared(0.3) > 4)
        #expect(shared(1) > 15)
    }

    @Test func `steady noise has a roughness of two, and a word in it, too; what comes and goes has more`() {
        for seed in 10..<20 as Range<UInt64> {
            #expect(abs(Self.noise(seed: seed).roughness(besides: tones) - 2) < 0.4)
            #expect(abs(copy(seed: seed, energy: 100).roughness(besides: tones) - 2) < 0.4)
            #expect(Self.noise(seed: seed) { $0 % 5 == 0 ? 2 : 0.6 }.roughness(besides: tones) > 3)
        }
        #expect(TonePhasors(symbolCount: 20).roughness(besides: tones) == 0)
    }
}
