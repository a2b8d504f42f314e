import Chirp
import Testing

@testable import ChirpLab

/// A machine that keys even tones, clear of all noise, each at a pitch of its own: a word with eight wrong symbols fits. Its tones being
/// clear and even told for it once, as they do for a chirp's at the exact pitches.
@Test func `tones of their own pitches are no code for being clear and even`() throws {
    var random = RandomSource(seed: 1, name: "false alarms in machines", index: 7)
    let sound = Background.machines.piece(count: Int(30 * Scenario.sampleRateHertz), using: &random)
    var receiver = try Receiver(sampleRateHertz: Scenario.sampleRateHertz)
    #expect((receiver.process(sound[...]) + receiver.finish()).isEmpty)
}
