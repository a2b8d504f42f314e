import RealModule
import Testing

@testable import Chirp
@testable import ChirpLab

/// What the receiver spends, in operations that do not depend on the machine. The bounds are a third above what was measured, and of
/// next to nothing a little more: one that is passed is a loss as a missed chirp is.
@Suite struct WorkGateTests {
    private static func work(of sound: [Float]) throws -> (work: ReceptionWork, codes: Int) {
        var receiver = try Receiver(sampleRateHertz: Scenario.sampleRateHertz)
        let codes = receiver.process(sound).count
        return (receiver.work, codes + receiver.finish().count)
    }

    @Test func `a clear chirp costs few transforms and patterns`() throws {
        var random = RandomSource(seed: 17, name: "clear chirps", index: 0)
        let count = 20
        var scenario = Scenario(
            "clear", transmission: Transmission(.scattered(count: count, seconds: 200)),
            disturbances: [WhiteNoise(snrDecibels: 17)])
        scenario.target = 1
        let sound = try scenario.makeSound(ofTrial: Int.random(in: 0..<9, using: &random), seed: 17).sound.samples
        let (work, codes) = try Self.work(of: sound)
        #expect(codes == count)
        #expect(work.transformedFrames <= 32, "\(work)")
        #expect(work.correlatedFrames <= 24, "\(work)")
        #expect(work.patterns <= 9_000, "\(work)")
    }

    @Test(arguments: [(Background.white, 20, 30_000), (.melody, 20, 30_000), (.machines, 131, 64_000)])
    func `a minute without a chirp costs little`(background: Background, frames: Int, patterns: Int64) throws {
        var random = RandomSource(seed: 18, name: "work in " + background.name, index: 0)
        let (work, codes) = try Self.work(
            of: background.piece(count: Int(60 * Scenario.sampleRateHertz), using: &random))
        #expect(codes == 0)
        #expect(work.transformedFrames <= frames, "\(work)")
        #expect(work.patterns <= patterns, "\(work)")
    }

    /// The worst sound that is known: random tones on the chirp's own pitches, of its own length, without pause.
    @Test func `random tones of the chirp's own do not wear the receiver out`() throws {
        var random = RandomSource(seed: 19, name: "random tones", index: 0)
        let symbols = (0..<688).map { _ in UInt8.random(in: 0..<32, using: &random) }
        let sound = SenderModel.browser.samples(ofSymbols: symbols, sampleRateHertz: Scenario.sampleRateHertz)
        let (work, codes) = try Self.work(of: sound)
        #expect(codes == 0)
        #expect(work.transformedFrames <= 310, "\(work)")
        #expect(work.patterns <= 390_000, "\(work)")
    }

    /// The floors of a sound's first seconds hold its own tones.
    @Test func `clear chirps cost little at the beginning of a recording, too`() throws {
        var random = RandomSource(seed: 20, name: "first chirps", index: 0)
        var work = ReceptionWork()
        for _ in 0..<10 {
            let code = Shortcode.random(using: &random)
            let chirp = try Synthesiser(sampleRateHertz: Scenario.sampleRateHertz).samples(of: code.codeword)
            let silence = [Float](
                repeating: 0, count: Int(Double.random(in: 0..<2, using: &random) * Scenario.sampleRateHertz))
            let (spent, codes) = try Self.work(of: silence + chirp + silence)
            #expect(codes == 1)
            work.transformedFrames += spent.transformedFrames
            work.correlatedFrames += spent.correlatedFrames
        }
        #expect(work.transformedFrames <= 149, "\(work)")
        #expect(work.correlatedFrames <= 46, "\(work)")
    }

    /// Broken chords on the chirp's pitches, the tones of its preamble among them.
    @Test func `arpeggios cost little`() throws {
        var random = RandomSource(seed: 21, name: "arpeggios", index: 0)
        var sound: [Float] = []
        for lowest in 5...9 {
            let length = Int(Double.random(in: 0.05..<0.12, using: &random) * Scenario.sampleRateHertz)
            for step in (0..<8).flatMap({ _ in [0, 3, 7, 10, 12, 15] }) {
                let phase =
                    2 * Double.pi * WireFormat.original.pitchHertz(of: UInt8(lowest + step)) / Scenario.sampleRateHertz
                sound += (0..<length).map { index in
                    let decay = Double.exp(-8 * Double(index) / Scenario.sampleRateHertz)
                    return Float(0.3 * Double.sin(phase * Double(index)) * decay)
                }
            }
        }
        let (work, codes) = try Self.work(of: sound)
        #expect(codes == 0)
        #expect(work.transformedFrames <= 109, "\(work)")
        #expect(work.correlatedFrames <= 40, "\(work)")
        #expect(work.patterns <= 234_000, "\(work)")
    }
}
