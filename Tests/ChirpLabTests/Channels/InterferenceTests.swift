import Testing

@testable import ChirpLab

@Suite struct InterferenceTests {
    private static let pitches = [1_760.0, 2_500, 4_000]
    private static let random: [any Channel] = [
        MainsHum(aboveChirpDecibels: 20), Whistle(pitchesHertz: pitches, aboveChirpDecibels: 10),
    ]

    @Test(arguments: [-10.0, 0, 20])
    func `hum and whistle are as far above the chirp as asked for`(decibels: Double) throws {
        let hum = try Sound.silence.passed(through: MainsHum(aboveChirpDecibels: decibels))
        #expect(abs(hum.decibelsAboveChirp - decibels) < 0.01)
        let whistle = try Sound.silence.passed(
            through: Whistle(pitchesHertz: Self.pitches, aboveChirpDecibels: decibels))
        #expect(abs(whistle.decibelsAboveChirp - decibels) < 0.01)
    }

    @Test func `hum is 50 Hz and its harmonics, each half as strong as the one before`() throws {
        let hum = try Sound.silence.passed(through: MainsHum(aboveChirpDecibels: 20))
        let amplitudes = (1...11).map { hum.amplitude(atHertz: 50 * Double($0)) }
        for (amplitude, next) in zip(amplitudes, amplitudes.dropFirst()).prefix(9) {
            #expect(abs(next / amplitude - 0.5) < 0.001)
        }
        #expect(amplitudes[10] < 1e-4, "there are ten")
        #expect(hum.amplitude(atHertz: 75) < 1e-4)
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func `a whistle is on one of its pitches alone`(seed: UInt64) throws {
        let whistle = try Sound.silence.passed(
            through: Whistle(pitchesHertz: Self.pitches, aboveChirpDecibels: 10), seed: seed)
        let audible = Self.pitches.filter { whistle.amplitude(atHertz: $0) > 1e-4 }
        #expect(audible.count == 1)
    }

    @Test func `each pitch of a whistle is drawn by some seed`() throws {
        let whistle = Whistle(pitchesHertz: Self.pitches, aboveChirpDecibels: 10)
        let sounds = try (0..<20).map { try Sound.silence.passed(through: whistle, seed: $0) }
        for pitch in Self.pitches {
            #expect(sounds.contains { $0.amplitude(atHertz: pitch) > 0.1 }, "\(pitch) Hz")
        }
    }

    @Test(arguments: random)
    func `the same seed gives the same samples, and another seed others`(channel: any Channel) throws {
        let first = try Sound.silence.passed(through: channel).samples
        #expect(try Sound.silence.passed(through: channel).samples == first)
        #expect(try Sound.silence.passed(through: channel, seed: 2).samples != first)
    }

    @Test func `an offset is added to every sample`() throws {
        #expect(try Sound([0, 0.25, -1]).passed(through: DirectOffset(0.5)).samples == [0.5, 0.75, -0.5])
    }

    @Test(arguments: random + [DirectOffset(0.5)])
    func `what is only added leaves the chirp as strong as it was, and where it was`(channel: any Channel) throws {
        let sound = try Sound.silence.passed(through: channel)
        #expect(sound.chirpPower == Sound.silence.chirpPower)
        #expect(sound.chirpSpan == Sound.silence.chirpSpan)
        #expect(sound.samples.count == Sound.silence.samples.count)
    }
}
