import Testing

@testable import Chirp

/// Which of several readings of the same sound is reported, and when.
@Suite struct PendingReadingsTests {
    private static let symbolSamples = 1_000.0
    private static let frameSamples = 20_000.0
    /// A word that is no other one where it is read a symbol or two early or late.
    private static let word = "gsm2h88c7u"

    private static func reading(
        _ code: String = word, start: Double = 0, logOdds: Float = 8, frameLLR: Float = 100, spread: Float? = 0.05
    ) throws -> DecodedFrame {
        DecodedFrame(
            format: .original, timing: FrameTiming(startSample: start),
            codeword: try Shortcode(parsing: code).codeword, logOdds: logOdds,
            features: AcceptanceFeatures(
                codewordEvidence: 20, frameLLR: frameLLR, preambleLLR: 6.8, margin: 20, noiseLogDeviation: 1.28,
                toneLevelSpread: spread, falseStartCount: 0),
            toneEnergy: 1, endSample: start + frameSamples, earliestEnd: start + frameSamples)
    }

    private static func kept(_ readings: [DecodedFrame], horizon: Int = 0) -> [DecodedFrame] {
        var pending = PendingReadings(symbolSamples: symbolSamples)
        for reading in readings { pending.insert(reading, horizon: horizon) }
        return pending.readings
    }

    /// The first sample at which a reading is ready.
    private static func due(_ reading: DecodedFrame, _ pending: PendingReadings) throws -> Int {
        try #require((0..<40_000).first { pending.isReady(reading, horizon: $0) })
    }

    @Test func `of two readings of the same sound the clearer one stays, whichever comes first`() throws {
        let (clear, faint) = (try Self.reading(frameLLR: 100), try Self.reading("0vps1lbnav", start: 500, frameLLR: 80))
        #expect(Self.kept([clear, faint]).map(\.codeword) == [clear.codeword])
        #expect(Self.kept([faint, clear]).map(\.codeword) == [clear.codeword])
    }

    @Test func `a sure reading stays, however clear an unsure one is`() throws {
        let (sure, unsure) = (try Self.reading(frameLLR: 60), try Self.reading("0vps1lbnav", logOdds: 4, frameLLR: 150))
        #expect(Self.kept([sure, unsure]).map(\.codeword) == [sure.codeword])
        #expect(Self.kept([unsure, sure]).map(\.codeword) == [sure.codeword])
    }

    @Test func `one that is better than one rival and not than the other takes no place`() throws {
        let first = try Self.reading(start: 0, frameLLR: 100)
        let second = try Self.reading("0vps1lbnav", start: 19_500, frameLLR: 60)
        let between = try Self.reading("1fsdh2n35e", start: 9_000, frameLLR: 80)
        #expect(Self.kept([first, second, between]).map(\.codeword) == [first.codeword, second.codeword])
    }

    @Test func `readings that share no more than a symbol stay both`() throws {
        let (first, next) = (try Self.reading(), try Self.reading("0vps1lbnav", start: 19_000))
        #expect(Self.kept([first, next]).count == 2)
        #expect(Self.kept([first, try Self.reading("0vps1lbnav", start: 18_900, frameLLR: 50)]).count == 1)
    }

    @Test func `a sure reading that has ended is not given up for one of the same word that has not`() throws {
        let (ended, late) = (try Self.reading(), try Self.reading(start: 500, frameLLR: 120))
        #expect(Self.kept([late, ended], horizon: 20_300).map(\.timing.startSample) == [0])
        // As long as both are awaited, the clearer one stays.
        #expect(Self.kept([late, ended], horizon: 20_000).map(\.timing.startSample) == [500])
    }

    @Test func `the earliest end of all readings of a word counts`() throws {
        let kept = Self.kept([try Self.reading(), try Self.reading(start: 700, frameLLR: 120, spread: 0.4)])
        let reading = try #require(kept.first)
        #expect(kept.count == 1 && reading.endSample == 20_700 && reading.earliestEnd == 20_000)
        // In a room half a symbol later at most.
        #expect(try Self.due(reading, PendingReadings(symbolSamples: Self.symbolSamples)) == 20_490)
    }

    @Test func `a plain reading is ready a quarter of a symbol after its end, one with a later reading half a symbol`()
        throws
    {
        let pending = PendingReadings(symbolSamples: Self.symbolSamples)
        #expect(try Self.due(try Self.reading(), pending) == 20_240)
        var random = SplitMix64(seed: 3)
        let shifted = try #require(
            (0..<400).lazy.map { _ in Shortcode.random(using: &random) }.first { $0.codeword.hasLaterReading })
        #expect(try Self.due(try Self.reading(shifted.description), pending) == 20_490)
    }

    @Test func `an uncertain reading waits for the comparison with later chirps, and for the other channels`() throws {
        var pending = PendingReadings(symbolSamples: Self.symbolSamples)
        pending.insert(try Self.reading(logOdds: 3), horizon: 0)
        #expect(pending.takeReady(horizon: 30_000) == nil)
        #expect(pending.firstToCompare(horizon: 20_239) == nil)
        let index = try #require(pending.firstToCompare(horizon: 20_240))
        pending.readings[index].marginOverLater = 4
        #expect(pending.firstToCompare(horizon: 30_000) == nil)
        pending.awaitsOtherChannels = true
        #expect(pending.takeReady(horizon: 20_899) == nil)
        #expect(pending.takeReady(horizon: 20_900)?.logOdds == 3)
        #expect(pending.readings.isEmpty)
    }
}
