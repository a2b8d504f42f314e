import Chirp
import ChirpSound
import Foundation
import Testing

@Suite struct SendTests {
    private func samples(_ arguments: [String]) async throws -> [Float] {
        let folder = try TemporaryFolder()
        let run = try await ChirpProcess.run(["send", "-o", "x.wav"] + arguments, in: folder.path)
        #expect(run == Run(status: 0, output: "", errors: ""))
        let reader = try AudioFileReader(path: folder.path("x.wav"))
        #expect(reader.channelCount == 1)
        var block = AudioBlock(channelCount: 1)
        var samples: [Float] = []
        while try reader.read(into: &block) { samples += block[0] }
        return samples
    }

    @Test func `a file is the chirps and the gaps between them, to the sample`() async throws {
        let chirp = try Synthesiser(sampleRateHertz: 44_100).samples(of: Shortcode(parsing: "gsm2h88c7u").codeword)
        #expect(try await samples(["gsm2h88c7u"]).count == chirp.count)
        let three = try await samples(["gsm2h88c7u", "--repeat", "3", "--gap", "0.25"])
        #expect(three.count == 3 * chirp.count + 2 * 11_025)
        let gap = three[chirp.count..<chirp.count + 11_025]
        #expect(gap.allSatisfy { $0 == 0 })
        #expect(zip(chirp, three).allSatisfy { abs($0 - $1) < 1 / 32_000 })
    }

    @Test(arguments: [0.0, 0.25, 1.0])
    func `the volume is the peak`(volume: Double) async throws {
        let peak = try await samples(["gsm2h88c7u", "--volume", "\(volume)"]).map { Double(abs($0)) }.max() ?? -1
        #expect(peak <= volume + 1 / 32_768)
        #expect(peak >= volume * 0.99)
    }

    @Test func `codes, longcodes, frames and links are sent in the order given, and repeated together`() async throws {
        let folder = try TemporaryFolder()
        let run = try await ChirpProcess.shell(
            """
            chirp send GSM2H88C7U kingfishereru8acg7 hjovkp99793iao89q5ku https://example.org/parrotbill.wav \
            --repeat 2 -o x.flac && chirp decode x.flac
            """, in: folder.path)
        #expect(run.status == 0)
        let once = ["gsm2h88c7u", "kingfisher", "ovkp99793i", "parrotbill"]
        #expect(run.codes == once + once)
    }

    @Test func `a WAV on standard output is whole: its header knows its length`() async throws {
        let folder = try TemporaryFolder()
        let run = try await ChirpProcess.shell(
            "chirp send gsm2h88c7u -o - | cat >x.wav && chirp decode x.wav", in: folder.path)
        #expect(run.codes == ["gsm2h88c7u"])
        #expect(run.errors == "")
    }

    @Test func `a reader that goes away early ends the writing, not in an error report`() async throws {
        let run = try await ChirpProcess.shell("chirp send gsm2h88c7u --repeat 100 -o - | head -c 100 | wc -c")
        #expect(run.output == "100\n")
        #expect(run.errors == "")
    }

    @Test(arguments: ["wav", "flac", "ogg", "aiff"])
    func `a disk that is full is an error in every format`(type: String) async throws {
        let folder = try TemporaryFolder()
        let run = try await ChirpProcess.shell(
            "ln -s /dev/full x.\(type) && chirp send gsm2h88c7u -o x.\(type)", in: folder.path)
        #expect(run.status == 2)
        #expect(run.errors == "chirp: x.\(type): cannot write: No space left on device\n")
    }

    @Test(arguments: [
        "--help", "help send", "--version", "send gsm2h88c7u -o -", "evaluate --list-rows",
        "evaluate --rows white-23 --trials 1",
        "evaluate --rows white-23 --trials 1 --json", "evaluate --false-alarms 0.001",
    ])
    func `results that cannot be written are an error`(arguments: String) async throws {
        let run = try await ChirpProcess.shell("chirp \(arguments) >/dev/full")
        #expect(run.status == 2)
        #expect(run.errors.hasPrefix("chirp: standard output: cannot write: ") && run.errorLines.count == 1)
    }
}
