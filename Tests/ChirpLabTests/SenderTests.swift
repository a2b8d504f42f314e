import Chirp
import Testing

@testable import ChirpLab

/// A word whose tenth character is 0 is another codeword when its last symbol is put in front: its frame, taken a symbol too
/// early at a tempo between both, is then wrong in one symbol of the start code alone.
@Test(arguments: SenderModel.programs.map(\.name))
func `a quick chirp that is a codeword beside its place, too, is read at its place`(name: String) throws {
    let model = try #require(SenderModel.programs.first { $0.name == name })
    for trial in 0..<40 {
        var random = RandomSource(seed: 7, name: name, index: trial)
        let data = (0..<9).map { _ in UInt8.random(in: 0..<32, using: &random) } + [0]
        let code = try Shortcode(parsing: String(data.map { WireFormat.original.alphabet[Int($0)] }))
        let chirp = model.samples(of: code.codeword, sampleRateHertz: Scenario.sampleRateHertz)
        let start = Int.random(in: 40_000..<80_000, using: &random)
        var sound = Sound(
            samples: [Float](repeating: 0, count: start) + chirp + [Float](repeating: 0, count: 60_000),
            sampleRateHertz: Scenario.sampleRateHertz,
            chirpPower: chirp.reduce(0) { $0 + Double($1 * $1) } / Double(chirp.count),
            chirpSpan: start..<start + chirp.count)
        WhiteNoise(snrDecibels: -10).pass(&sound, using: &random)
        var receiver = try Receiver(sampleRateHertz: sound.sampleRateHertz)
        let heard = receiver.process(sound.samples) + receiver.finish()
        #expect(heard.map(\.shortcode) == [code], "trial \(trial)")
    }
}
