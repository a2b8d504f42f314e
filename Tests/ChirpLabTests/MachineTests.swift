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

/// Random tones on the chirp's own pitches and symbol times, clear of all noise, that begin with the start code by chance. One stopped after eleven
/// symbols, and noise gave the rest of a word; another lost one tone of its preamble and the last five, among many that were no word.
@Test(arguments: [121, 235])
func `a part of a machine's tones is no code`(session: Int) throws {
    let heard = try Experiment.listen(
        to: .machines, formats: [.original], combinesCopies: false, seed: 8201, session: session)
    #expect(heard.reports.isEmpty)
}
