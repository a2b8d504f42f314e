import Testing

@testable import Chirp

@Suite struct CandidateDetectorTests {
    private static func window(exact: [Float] = [139, 139, 139, 139, 139], wide: [Float] = [21, 21, 21, 21, 21])
        -> [FrameMetrics]
    {
        zip(exact, wide).map { FrameMetrics(exact: $0, wide: $1, widePeriodRatio: 1) }
    }

    @Test func `a peak over the threshold is picked, in the view that has it`() {
        let detector = CandidateDetector()
        let pick = detector.pick(Self.window(exact: [140, 150, 170, 160, 140]))
        #expect(pick.isExact && !pick.isWide)
        let other = detector.pick(Self.window(wide: [21, 24, 30, 24, 21]))
        #expect(!other.isExact && other.isWide)
    }

    @Test func `beside a peak, and below the threshold, nothing is picked`() {
        let detector = CandidateDetector()
        for exact in [[140, 180, 170, 160, 140], [139, 141, 144, 141, 139]] as [[Float]] {
            let pick = detector.pick(Self.window(exact: exact))
            #expect(!pick.isExact && !pick.isWide)
        }
    }

    @Test func `two starts beside a higher peak a place is picked in steady noise alone`() {
        var detector = CandidateDetector()
        let window = Self.window(exact: [250, 160, 240, 170, 140])
        #expect(detector.pick(window).isExact)
        for _ in 0..<5_000 { detector.follow(FrameMetrics(exact: 200, wide: 40, widePeriodRatio: 1)) }
        #expect(!detector.noiseIsStationary && detector.exactThreshold < 240)
        #expect(!detector.pick(window).isExact)
        #expect(detector.pick(Self.window(exact: [160, 160, 240, 170, 140])).isExact)
    }

    @Test func `of equal metrics the first is the peak`() {
        let detector = CandidateDetector()
        #expect(detector.pick(Self.window(exact: [140, 150, 170, 170, 140])).isExact)
        #expect(!detector.pick(Self.window(exact: [140, 170, 170, 150, 140])).isExact)
    }

    @Test func `music raises the thresholds, up to where chirps are not missed`() {
        var detector = CandidateDetector()
        #expect(detector.noiseIsStationary)
        let quiet = detector.exactThreshold
        for _ in 0..<5_000 { detector.follow(FrameMetrics(exact: 200, wide: 40, widePeriodRatio: 1)) }
        #expect(detector.exactThreshold > quiet)
        #expect(!detector.noiseIsStationary)
        for _ in 0..<50_000 { detector.follow(FrameMetrics(exact: 400, wide: 80, widePeriodRatio: 1)) }
        #expect(detector.exactThreshold == 230 && detector.wideThreshold == 48)
    }

    @Test(arguments: 2...15) func `the beginning of a loud chirp that is still to come is no frame`(symbols: Int) {
        let ratios = [Float](repeating: 4, count: 20 - symbols) + [Float](repeating: 200, count: symbols)
        #expect(!FramePlausibility.coherent.allowsFrame(ratios, hasPreamble: false))
        // Noise before it may look like a preamble, but is not as loud as one.
        #expect(!FramePlausibility.coherent.allowsFrame(ratios, hasPreamble: true))
        let withPreamble = [200, 200] + ratios.dropFirst(2)
        #expect(FramePlausibility.coherent.allowsFrame(withPreamble, hasPreamble: true))
    }

    @Test func `weak frames, and loud ones without their beginning, are looked at`() {
        #expect(FramePlausibility.coherent.allowsFrame((0..<20).map { $0 % 3 == 0 ? 12 : 5 }, hasPreamble: false))
        let cut = [Float](repeating: 4, count: 2) + [Float](repeating: 200, count: 18)
        #expect(FramePlausibility.coherent.allowsFrame(cut, hasPreamble: false))
        #expect(FramePlausibility.noncoherent.allowsFrame(cut, hasPreamble: false))
    }
}
