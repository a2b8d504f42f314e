import Chirp
import ChirpLab
import Testing

/// How many tones of a clear chirp were heard wrongly is counted where it was put at last. Where it was read first two of the fast or
/// slow ones had one and five.
@Test(arguments: [0.0, 35.0])
func `no tone of a clear chirp of another tempo is told to be corrected`(toneErrorCents: Double) throws {
    let cents = -toneErrorCents...toneErrorCents
    let scenario = Scenario(
        "fast or slow, each tone off by up to \(toneErrorCents) cents",
        transmission: Transmission(
            sender: toneErrorCents == 0 ? .played(speed: 0.975...1.025) : .model(.browser, toneErrorCents: cents)),
        disturbances: [WhiteNoise(snrDecibels: 20)])
    let heard = try hear(scenario, trials: 15)
    #expect(heard.count == 15)
    #expect(heard.allSatisfy { $0.correctedSymbolCount == 0 })
}

/// Told as −6.0 ± 1.8 dB and −19.4 ± 2.0 dB, when it was measured at the tuning of where a chirp was read first.
@Test(arguments: [("speed-random", -5.0), ("sender-tones-off", -10)])
func `the level is told within 2 dB, whatever the tempo and the pitches`(row: String, decibels: Double) throws {
    let heard = try hear(scenario(row: row), trials: 10)
    #expect(heard.count == 10)
    #expect(heard.allSatisfy { abs($0.snrDecibels - decibels) < 2 })
}

/// Tones far from the common tuning were taken for tones at it: something of them stayed, and counted as noise.
@Test func `a clean chirp whose tones are each off is told to be clean`() throws {
    let scenario = Scenario(
        "clean, each tone off by up to 45 cents",
        transmission: Transmission(sender: .model(.freshSine, toneErrorCents: -45...45)))
    let heard = try hear(scenario, trials: 10)
    #expect(heard.count == 10)
    #expect(heard.allSatisfy { $0.snrDecibels > 25 })
}

/// Of 60 such pairs the weaker one was lost 52 times.
@Test func `a chirp whose tones are each off is taken out, so that one like it is heard under it`() throws {
    let scenario = Scenario(
        "two that overlap, each tone of either off by up to 40 cents",
        transmission: Transmission(
            .overlapping(seconds: 0.4...1.3, weakerDecibels: 12),
            sender: .model(.browser, toneErrorCents: -40...40)),
        disturbances: [WhiteNoise(snrDecibels: 15)])
    #expect(try hear(scenario, trials: 15).count == 30)
}

/// What was sent and heard in the first trials of a scenario.
private func hear(_ scenario: Scenario, trials: Int) throws -> [DetectedChirp] {
    var receiver = try Receiver(sampleRateHertz: scenario.deliveredSampleRateHertz)
    return try (0..<trials).flatMap { index in
        let (sound, codes) = try scenario.makeSound(ofTrial: index, seed: 1)
        let heard = receiver.process(sound.samples) + receiver.finish()
        return heard.filter { codes.map(\.shortcode).contains($0.shortcode) }
    }
}
