import Chirp
import ChirpLab
import Foundation
import Testing

/// In a long room the echoes of a symbol are louder than its direct sound, and later. Codes come within 100 ms of the end of
/// the direct sound nevertheless: of 1,187 in rooms of RT60 1.0 and 1.5 s all do.
@Test func `codes come at once in a room that rings for long`() async throws {
    let experiment = Experiment(
        seed: 1, chirpsPerScenario: 50, jobs: ProcessInfo.processInfo.activeProcessorCount)
    let result = try await experiment.run(scenario(row: "room-1.5s-4m"))
    #expect(result.wrong == 0)
    #expect(result.extra == 0)
    // Told where the metric is greatest alone, four of these come late. Without limiting the tones that mask others 45 are recovered.
    #expect(result.recovered.successes >= 47)
    #expect(result.promptness?.late == 0)
}

/// Two are words that are another one a symbol later, too, of the third the best reading is one of echoes alone: of what has been
/// heard nothing is awaited for long after the earliest reading's end. They came 106 to 109 ms after the direct sound.
@Test(arguments: [(seed: 1, index: 53), (7, 192), (7, 40)])
func `what is read again from later echoes is awaited no longer`(seed: UInt64, index: Int) throws {
    let (sound, codes) = try scenario(row: "room-1.5s-4m").makeSound(ofTrial: index, seed: seed)
    var receiver = try Receiver(sampleRateHertz: sound.sampleRateHertz)
    let latest = sound.chirpSpan.upperBound + Int(0.1 * sound.sampleRateHertz)
    #expect(receiver.process(sound.samples[..<latest]).map(\.shortcode) == codes.map(\.shortcode))
}

/// Noise at −26 dB, in which a word fits that may as well be a part of a chirp that is still to come, and none comes: it was told two
/// seconds late, at odds of ten to one. It is the wrong one.
@Test func `what loses to a chirp that may still come is not told when none came`() throws {
    let (sound, _) = try scenario(row: "white-26").makeSound(ofTrial: 159, seed: 7)
    var receiver = try Receiver(sampleRateHertz: sound.sampleRateHertz)
    #expect((receiver.process(sound.samples) + receiver.finish()).isEmpty)
}

/// Two that are equally loud, and in step: where the one's tone is what the other's was just before, it is no echo.
@Test func `a code comes at once while another chirp goes on in step`() throws {
    let (sound, codes) = try scenario(row: "overlap-equal").makeSound(ofTrial: 160, seed: 1)
    var receiver = try Receiver(sampleRateHertz: sound.sampleRateHertz)
    let first = sound.chirpSpan.lowerBound
    let latest = first + Int((WireFormat.original.frameSeconds + 0.1) * sound.sampleRateHertz)
    // Half a second later without this, when the other one has been taken out.
    #expect(receiver.process(sound.samples[..<latest]).map(\.shortcode) == [codes[0].shortcode])
    #expect((receiver.process(sound.samples[latest...]) + receiver.finish()).map(\.shortcode) == [codes[1].shortcode])
}
