import Foundation
import Testing

/// What cannot be decoded, or not wholly: never a crash, never silence about it.
@Suite struct BadInputTests {
    private func decode(_ data: Data, as name: String = "x.wav") async throws -> Run {
        let folder = try TemporaryFolder()
        try folder.write(data, as: name)
        return try await ChirpProcess.run(["decode", name], in: folder.path)
    }

    private static func wave(claiming length: UInt32? = nil) throws -> Data {
        WaveBytes(samples: .integers(try Sounds.chirp("gsm2h88c7u")), claimedLength: length).data
    }

    private static let cutWarning =
        "chirp: warning: x.wav: the data length does not match the header; decoded what is there\n"

    @Test func `what is no sound file costs one line each, and the others are still decoded`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Data("This is a letter and no sound.\n".utf8), as: "letter.txt")
        try folder.write(Data(), as: "empty.wav")
        try folder.write(try Self.wave().prefix(20), as: "header.wav")
        try folder.write(try Self.wave(), as: "good.wav")
        try FileManager.default.createDirectory(atPath: folder.path("folder"), withIntermediateDirectories: false)
        let run = try await ChirpProcess.run(
            ["decode", "letter.txt", "empty.wav", "header.wav", "missing.wav", "folder", "good.wav"], in: folder.path)
        #expect(run.status == 2)
        #expect(run.codes == ["gsm2h88c7u"])
        let expected = [
            "chirp: letter.txt: is not a readable sound file: Format not recognised",
            "chirp: empty.wav: is empty",
            "chirp: header.wav: is not a readable sound file: Error in WAV/W64/RF64 file. Malformed 'fmt ' chunk",
            "chirp: missing.wav: cannot open: No such file or directory",
            "chirp: folder: is a folder; name the sound files in it, or use chirp decode --recursive",
        ]
        #expect(run.errorLines == expected)
    }

    @Test(arguments: [0, 1000, 0x7FFF_0000, 0xFFFF_FFFF] as [UInt32])
    func `a WAV whose header lies about its length is decoded as far as it goes`(claim: UInt32) async throws {
        let run = try await decode(try Self.wave(claiming: claim))
        #expect(run.status == 0)
        #expect(run.codes == ["gsm2h88c7u"])
        #expect(run.errors == Self.cutWarning)
    }

    @Test(arguments: ["wav", "flac", "ogg", "aiff", "au", "caf", "w64"])
    func `a file cut off in its data is decoded up to there`(format: String) async throws {
        let folder = try TemporaryFolder()
        let run = try await ChirpProcess.shell(
            """
            chirp send gsm2h88c7u kingfisher -o - | ffmpeg -loglevel error -i - whole.\(format)
            head -c $(( $(stat -c %s whole.\(format)) * 7 / 10 )) whole.\(format) >cut.\(format)
            chirp decode cut.\(format)
            """, in: folder.path)
        #expect(run.status == 0)
        #expect(run.codes == ["gsm2h88c7u"])
        #expect(
            run.errorLines == [
                "chirp: warning: cut.\(format): the data length does not match the header; decoded what is there"
            ])
    }

    /// libmpg123 would tell of these itself, and libsndfile that the file does not exist.
    @Test func `a damaged MP3 file costs one line, and that is ours`() async throws {
        let folder = try TemporaryFolder()
        let run = try await ChirpProcess.shell(
            """
            chirp send gsm2h88c7u kingfisher -o - | ffmpeg -loglevel error -i - whole.mp3
            { head -c 20000 whole.mp3; head -c 3000 /dev/zero; tail -c 20000 whole.mp3; } >hole.mp3
            head -c 100 whole.mp3 >head.mp3
            chirp decode hole.mp3 head.mp3
            """, in: folder.path)
        #expect(run.status == 2)
        let expected = [
            "chirp: warning: hole.mp3: is damaged; decoded up to the damage",
            "chirp: head.mp3: is not a readable sound file: no sound was found in it",
        ]
        #expect(run.errorLines == expected)
    }

    @Test func `numbers that are not finite count as silence, with a warning`() async throws {
        var samples = try Sounds.chirp("gsm2h88c7u")
        samples[100] = .nan
        samples[30_000] = .infinity
        samples[50_000] = -.infinity
        let run = try await decode(WaveBytes(samples: .floats(samples)).data)
        #expect(run.status == 0)
        #expect(run.codes == ["gsm2h88c7u"])
        #expect(run.errors == "chirp: warning: x.wav: 3 samples are not finite and were replaced by silence\n")
    }

    @Test(arguments: [1, 2, 100, 44_100])
    func `one sample, and any more of silence, is a file without a chirp`(count: Int) async throws {
        let run = try await decode(WaveBytes(samples: .integers([Float](repeating: 0, count: count))).data)
        #expect(run == Run(status: 1, output: "", errors: ""))
    }

    @Test(.withoutSanitizer)
    func `a header that claims 1024 channels does not take memory for them`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            WaveBytes(samples: .integers([Float](repeating: 0, count: 400_000)), channels: 1024).data, as: "x.wav")
        // Address space: far more than the memory that is used, and far less than 1,024 receivers take.
        let run = try await ChirpProcess.shell("ulimit -v 1500000; chirp decode x.wav", in: folder.path)
        #expect(run.status == 1)
    }

    @Test(arguments: [4_000, 400_000])
    func `a sample rate at which chirps cannot be heard is reported`(rate: Int) async throws {
        let run = try await decode(WaveBytes(samples: .integers([0, 0, 0]), rate: rate).data)
        #expect(run.status == 2)
        #expect(
            run.errors
                == "chirp: x.wav: the sample rate \(rate) Hz is outside the range of 8000 Hz to 192000 Hz for decoding\n"
        )
    }

    @Test(arguments: ["ogg", "flac"])
    func `a file of several sounds is said to be decoded in part`(type: String) async throws {
        let folder = try TemporaryFolder()
        let run = try await ChirpProcess.shell(
            """
            chirp send gsm2h88c7u --repeat 4 -o one.\(type) && cat one.\(type) one.\(type) >two.\(type)
            chirp decode one.\(type) >/dev/null && chirp decode two.\(type) && cat two.\(type) | chirp decode - >/dev/null
            """, in: folder.path)
        #expect(run.codes.count == 4)
        #expect(run.errorLines.count == 2, "\(run.errors)")
        for (line, name) in zip(run.errorLines, ["two.\(type)", "standard input"]) {
            #expect(line.hasPrefix("chirp: warning: \(name): only the first "))
        }
    }

    @Test func `an endless device is refused at once`() async throws {
        let run = try await ChirpProcess.run(["decode", "/dev/zero"])
        #expect(run.status == 2)
        #expect(run.errors == "chirp: /dev/zero: is not a readable sound file: Format not recognised\n")
    }

    @Test func `standard output that takes nothing is an error, and not a crash`() async throws {
        let run = try await ChirpProcess.shell(
            "chirp decode Samples/* >/dev/full", in: ChirpProcess.packageFolder)
        #expect(run.status == 2)
        #expect(run.errorLines.count == 1)
        #expect(run.errors.hasPrefix("chirp: standard output: cannot write: "))
    }

    @Test func `standard error that takes nothing is no crash`() async throws {
        let run = try await ChirpProcess.shell("chirp decode missing.wav 2>/dev/full")
        #expect(run.status == 2)
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let arguments: [String]
        let status: Int32
        let says: String
        var testDescription: String { arguments.joined(separator: " ") }
    }

    @Test(arguments: [
        Refusal(
            arguments: ["send", "gsm2h88c7w", "-o", "x.wav"], status: 2,
            says: "chirp: “gsm2h88c7w”: “w” at position 10 is not allowed in a code; use 0–9 and a–v\n"),
        Refusal(
            arguments: ["send", "gsm2", "-o", "x.wav"], status: 2,
            says: "chirp: “gsm2”: a code has 10 characters, a longcode 18 and a frame 20; this one has 4\n"),
        Refusal(
            arguments: ["send", "", "-o", "x.wav"], status: 2,
            says: "chirp: “”: the code is empty; a code has 10 characters, a longcode 18 and a frame 20\n"),
        Refusal(
            arguments: ["send", "gsm2h88c7udtnef4oo", "-o", "x.wav"], status: 2,
            says:
                "chirp: “gsm2h88c7udtnef4oo”: the parity “dtnef4oo” does not match the first 10 characters, whose "
                + "parity is “dtnef4ok”; check the code for typing errors\n"),
        Refusal(
            arguments: ["send", "jhgsm2h88c7udtnef4ok", "-o", "x.wav"], status: 2,
            says: "chirp: “jhgsm2h88c7udtnef4ok”: a frame of 20 characters begins with “hj”, but this one with “jh”\n"),
        Refusal(
            arguments: ["send", "gsm2h88c7u", "-o", "x.wav", "--repeat", "2", "--gap", "3600", "--rate", "192000"]
                + Array(repeating: "kingfisher", count: 6),
            status: 2,
            says: "chirp: x.wav: the sound exceeds the format's limit of 4 GB; write .flac instead\n"),
        Refusal(
            arguments: ["send", "gsm2h88c7u", "-o", "nowhere/x.wav"], status: 2,
            says: "chirp: nowhere/x.wav: cannot open: No such file or directory\n"),
    ])
    func `wrong arguments are reported in one line, and nothing is written`(refusal: Refusal) async throws {
        let folder = try TemporaryFolder()
        let run = try await ChirpProcess.run(refusal.arguments, in: folder.path)
        #expect(run == Run(status: refusal.status, output: "", errors: refusal.says))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test(arguments: [
        ["decode"], ["send"], ["decode", "--jobs", "0", "x"], ["send", "gsm2h88c7u", "--volume", "1.5"],
        ["send", "gsm2h88c7u", "--repeat", "0"], ["send", "gsm2h88c7u", "--repeat", "9223372036854775807"],
        ["send", "gsm2h88c7u", "--gap", "-1"], ["decode", "--nonsense", "x"],
        ["nonsense"],
    ])
    func `wrong usage is exit status 64 and says how it is used`(arguments: [String]) async throws {
        let run = try await ChirpProcess.run(arguments)
        #expect(run.status == 64)
        #expect((run.errors + run.output).contains("chirp"))
    }
}
