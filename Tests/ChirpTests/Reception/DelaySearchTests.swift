import RealModule
import Testing

@testable import Chirp

@Suite struct DelaySearchTests {
    private static let pitches = (0..<32).map { WireFormat.original.pitchHertz(of: $0) }
    private static let search = DelaySearch(.original)

    /// Correlations of some tones with one phase each, as a symbol has them that begins so much later.
    private static func phasors(_ phases: [Int: Double], laterBy seconds: Double) -> TonePhasors {
        var phasors = TonePhasors(symbolCount: 1)
        for (tone, phase) in phases {
            let angle = phase - 2 * Double.pi * pitches[tone] * seconds
            phasors.values[tone / 8].real[tone % 8] = Float(Double.cos(angle))
            phasors.values[tone / 8].imaginary[tone % 8] = Float(Double.sin(angle))
        }
        return phasors
    }

    private static let phases = [1: 0.3, 4: 2.0, 9: -1.2, 15: 3.0, 17: 0.1, 22: 1.4, 28: -2.2, 31: 0.9]

    @Test(arguments: [-11.9e-3, -6.123e-3, -0.4e-3, 0, 0.013e-3, 2.5e-3, 9.99e-3, 11.9e-3])
    func `a delay is found to a part of a period, whatever the phases of the tones`(delay: Double) throws {
        let weights = [SIMD8<Float>](repeating: SIMD8(repeating: 1), count: 4)
        let products = Self.phasors(Self.phases, laterBy: 0)
            .products(with: Self.phasors(Self.phases, laterBy: delay), weights: weights)
        let peak = try #require(Self.search.peaks(products, count: 5, mayBeInverted: false).first)
        #expect(abs(peak.seconds - delay) < 2e-6)
        #expect(abs(peak.value - Float(Self.phases.count)) < 0.2)
    }

    @Test func `peaks are as many as asked for, the greatest first, each greater than what is beside it`() {
        let weights = [SIMD8<Float>](repeating: SIMD8(repeating: 1), count: 4)
        let products = Self.phasors(Self.phases, laterBy: 0)
            .products(with: Self.phasors(Self.phases, laterBy: 3.21e-3), weights: weights)
        func value(_ seconds: Double) -> Double {
            Self.phases.keys.reduce(0) { $0 + Double.cos(2 * .pi * Self.pitches[$1] * (3.21e-3 - seconds)) }
        }
        for count in [1, 4, 8] {
            let peaks = Self.search.peaks(products, count: count, mayBeInverted: false)
            #expect(peaks.count == count)
            #expect(zip(peaks, peaks.dropFirst()).allSatisfy { $0.value >= $1.value })
            for peak in peaks {
                #expect(abs(Double(peak.value) - value(peak.seconds)) < 0.15)
                #expect(value(peak.seconds) > value(peak.seconds - 20e-6))
                #expect(value(peak.seconds) > value(peak.seconds + 20e-6))
            }
        }
    }

    @Test func `what weighs nothing does not count`() throws {
        var weights = [SIMD8<Float>](repeating: SIMD8(repeating: 1), count: 4)
        var copy = Self.phasors(Self.phases, laterBy: 5e-3)
        // A loud tone that belongs to something else.
        copy.values[2].real[4] = 40
        weights[2][4] = 0
        let products = Self.phasors(Self.phases, laterBy: 0).products(with: copy, weights: weights)
        #expect(
            abs(try #require(Self.search.peaks(products, count: 1, mayBeInverted: false).first).seconds - 5e-3) < 2e-6)
    }

    @Test func `an inverted copy is found where there may be one`() throws {
        let weights = [SIMD8<Float>](repeating: SIMD8(repeating: 1), count: 4)
        let inverted = Self.phasors(Self.phases.mapValues { $0 + .pi }, laterBy: -4.321e-3)
        let first = Self.phasors(Self.phases, laterBy: 0)
        let products = first.products(with: inverted, weights: weights)
        let peak = try #require(Self.search.peaks(products, count: 1, mayBeInverted: true).first)
        #expect(peak.isInverted && abs(peak.seconds + 4.321e-3) < 2e-6)
        #expect(abs(peak.value - Float(Self.phases.count)) < 0.2)
        let turns = TonePhases(pitchesHertz: Self.pitches, seconds: peak.seconds, isInverted: peak.isInverted)
        let difference = first - inverted.turned(by: turns)
        #expect((0..<4).allSatisfy { difference.energies($0).max() < 1e-3 })
        #expect(
            try #require(Self.search.peaks(products, count: 1, mayBeInverted: false).first).value
                < Float(Self.phases.count) - 0.5)
    }

    @Test func `digital silence has no peaks`() {
        #expect(Self.search.peaks(TonePhasors(symbolCount: 1), count: 4, mayBeInverted: true).isEmpty)
    }

    @Test func `turning a copy back by its delay gives the other one`() {
        let (first, later) = (Self.phasors(Self.phases, laterBy: 0), Self.phasors(Self.phases, laterBy: 7.7e-3))
        let difference = first - later.turned(by: TonePhases(pitchesHertz: Self.pitches, seconds: 7.7e-3))
        #expect((0..<4).allSatisfy { difference.energies($0).max() < 1e-6 })
        let sum = first + later.turned(by: TonePhases(pitchesHertz: Self.pitches, seconds: 7.7e-3))
        #expect(abs((0..<4).reduce(0) { $0 + sum.energies($1).sum() } - 4 * Float(Self.phases.count)) < 1e-3)
    }
}
