import Testing

@testable import Chirp

@Suite struct FramePlausibilityTests {
    /// The strongest ratios of twenty symbols of which the last ones are a loud chirp's.
    private static func ratios(loudSymbols: Int, level: Float = 200) -> [Float] {
        (0..<20).map { $0 < 20 - loudSymbols ? 3 : level }
    }

    @Test(arguments: [FramePlausibility.coherent, .noncoherent], 1...15)
    func `what ends with the first symbols of a loud chirp is still to come`(profile: FramePlausibility, count: Int) {
        #expect(profile.isStillToCome(Self.ratios(loudSymbols: count)))
        // Even where noise looks like a preamble.
        #expect(!profile.allowsFrame(Self.ratios(loudSymbols: count), hasPreamble: true))
    }

    @Test(arguments: [FramePlausibility.coherent, .noncoherent])
    func `a whole chirp is not, nor one of which a few symbols are lost, nor noise, nor a faint one`(
        profile: FramePlausibility
    ) {
        for lost in 0...profile.maximumMissingSymbols {
            #expect(!profile.isStillToCome(Self.ratios(loudSymbols: 20 - lost)))
            #expect(profile.allowsFrame(Self.ratios(loudSymbols: 20 - lost), hasPreamble: false))
        }
        #expect(!profile.isStillToCome([Float](repeating: 3, count: 20)))
        #expect(!profile.isStillToCome([Float](repeating: profile.audible + 1, count: 20)))
        #expect(profile.allowsFrame([Float](repeating: profile.audible + 1, count: 20), hasPreamble: false))
    }

    @Test func `sound before the loud symbols may be the frame's own`() {
        var ratios = Self.ratios(loudSymbols: 8)
        for symbol in stride(from: 0, to: 12, by: 3) { ratios[symbol] = 50 }
        #expect(!FramePlausibility.coherent.isStillToCome(ratios))
    }

    @Test func `loud symbols throughout without a preamble are no frame`() {
        #expect(!FramePlausibility.coherent.allowsFrame(Self.ratios(loudSymbols: 15).reversed(), hasPreamble: false))
        #expect(FramePlausibility.coherent.allowsFrame([Float](repeating: 200, count: 20), hasPreamble: true))
    }
}
