import Chirp
import ChirpSound
import RegistryConformance
import Testing

@testable import chirp

@Suite struct RecordingWriterTests {
    @Test(arguments: ["wav", "flac", "ogg", "aiff"])
    func `all channels are recorded, an inverted one among them`(type: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("heard.\(type)")
        let sound = try Synthesiser(sampleRateHertz: 44_100).samples(of: Codeword(parsing: "gsm2h88c7u"), volume: 0.3)
        var writer = try RecordingWriter(path: path)
        try writer.write(sound.flatMap { [$0, -$0] }, channelCount: 2, sampleRateHertz: 44_100)
        try writer.finish()
        let reader = try AudioFileReader(path: path)
        #expect(reader.channelCount == 2 && reader.sampleRateHertz == 44_100)
        var block = AudioBlock(channelCount: 2)
        var (power, sumPower) = (0.0, 0.0)
        while try reader.read(into: &block) {
            for (left, right) in zip(block[0], block[1]) {
                power += Double(left * left)
                sumPower += Double((left + right) * (left + right))
            }
        }
        // Vorbis loses a part.
        #expect(power > 100 && sumPower < 0.05 * power)
    }

    /// As when the program is killed.
    @Test(arguments: ["wav", "aiff"])
    func `a recording that is not finished has what was recorded, but for the last seconds`(type: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("heard.\(type)")
        var writer = try RecordingWriter(path: path)
        let second = [Float](repeating: 0.1, count: 2 * 8_000)
        for _ in 0..<12 { try writer.write(second, channelCount: 2, sampleRateHertz: 8_000) }
        let reader = try AudioFileReader(path: path)
        var (block, count) = (AudioBlock(channelCount: 2), 0)
        while try reader.read(into: &block) { count += block.frameCount }
        #expect(count >= 10 * 8_000)
        try writer.finish()
        #expect(try AudioFileReader(path: path).frameCount == 12 * 8_000)
    }

    @Test func `a recording keeps its rate and number of channels`() throws {
        let folder = try TemporaryFolder()
        for (rate, channelCount) in [(44_100.0, 1), (48_000, 2)] {
            var writer = try RecordingWriter(path: folder.path("heard.wav"))
            try writer.write([0, 0], channelCount: 1, sampleRateHertz: 48_000)
            let error = #expect(throws: RecordingChange.self) {
                try writer.write([0, 0], channelCount: channelCount, sampleRateHertz: rate)
            }
            #expect(error?.userMessage.contains("has 48000 Hz and 1 channel: start a new one") == true)
        }
    }
}
