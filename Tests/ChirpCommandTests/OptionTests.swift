import Chirp
import ChirpLinks
import ChirpPictures
import ChirpSound
import Foundation
import Testing

/// The values of options, and what `chirp` says without any.
@Suite struct OptionTests {
    static let kinds = LinkKind.allCases.map(\.rawValue).joined(separator: ", ")
    static let sounds = AudioFileFormat.allCases.map { ".\($0.rawValue)" }.joined(separator: ", ")
    static let pictures = PictureFile.Format.allCases.map { ".\($0.rawValue)" }.joined(separator: ", ")

    struct Refusal: Sendable, CustomTestStringConvertible {
        let arguments: [String]
        let says: String
        var testDescription: String { arguments.joined(separator: " ") }

        init(_ arguments: String..., says: String) {
            self.arguments = arguments
            self.says = says
        }
    }

    @Test(arguments: [
        Refusal(
            "send", "gsm2h88c7u", "-o", "x.wav", "--rate", "16000",
            says: "the sample rate 16000 Hz is outside the range of 22050 Hz to 192000 Hz for sending"),
        Refusal(
            "send", "gsm2h88c7u", "--rate", "-5",
            says: "the sample rate -5 Hz is outside the range of 22050 Hz to 192000 Hz for sending"),
        Refusal("send", "gsm2h88c7u", "--volume", "-1", says: "--volume takes a number from 0 to 1."),
        Refusal("send", "gsm2h88c7u", "--gap", "-0.5", says: "--gap takes seconds from 0 to 3600."),
        Refusal(
            "send", "gsm2h88c7u", "-o", "x.mp4",
            says: "x.mp4: unknown extension; use one of \(sounds)"),
        Refusal(
            "share", "text", "x", "-o", "x.mp4",
            says: "x.mp4: unknown extension; use one of \(sounds)"),
        Refusal(
            "share", "text", "x", "--code", "gsm2h88c7w",
            says: "“gsm2h88c7w”: “w” at position 10 is not allowed in a code; use 0–9 and a–v"),
        Refusal(
            "share", "text", "x", "--expires", "-5d",
            says: "--expires takes a number and a unit, such as 90m, 12h, 30d or 4w, up to 100y."),
        Refusal(
            "decode", "--raw", "s17:44100:1", "x",
            says:
                "“s17” is not a raw format; use one of u8, s8, s16le, s16be, s24le, s24be, s32le, s32be, f32le, f32be, "
                + "f64le, f64be, ulaw, alaw"),
        Refusal(
            "decode", "--raw", "s16le", "x",
            says: "“s16le” is not of the form FORMAT:RATE:CHANNELS, such as s16le:44100:1"),
        Refusal("decode", "--raw", "s16le:fast:1", "x", says: "“fast” is not a sample rate in hertz"),
        Refusal(
            "decode", "--raw", "s16le:44100:0", "x", says: "“0” is not a number of channels from 1 to 1024"),
        Refusal("decode", "--jobs", "-2", "x", says: "--jobs takes a number from 1 on."),
        Refusal(
            "decode", "--min-confidence", "-0.5", "x", says: "--min-confidence takes a probability from 0 to 1."),
        Refusal("decode", "--min-confidence", "nan", "x", says: "--min-confidence takes a probability from 0 to 1."),
        Refusal("decode", "--csv", "--json", "x", says: "--json and --csv exclude each other: choose one."),
        Refusal(
            "listen", "--ignore", "gsm2",
            says: "“gsm2”: a code has 10 characters, a longcode 18 and a frame 20; this one has 4"),
        Refusal("listen", "--timeout", "-1", says: "--timeout takes a number of seconds above 0."),
        Refusal(
            "listen", "--record", "x.mp4",
            says: "x.mp4: unknown extension; use one of \(sounds)"),
        Refusal(
            "plot", "x.wav", "-o", "x.gif",
            says: "x.gif: unknown extension; use one of \(pictures)"),
        Refusal("list", "--limit", "-1", says: "--limit takes a number from 1 on."),
        Refusal("list", "--kind", "-1", says: "--kind takes one of \(kinds)."),
        Refusal("history", "--limit", "-1", says: "--limit takes a number from 1 on."),
        Refusal("delete", "gsm2h88c7u", "--token", "-1", says: "--token takes 32 hexadecimal digits."),
        Refusal("chart", "rj", "--week", "-1", says: "--week takes a day as YYYY-MM-DD."),
        Refusal("chart", "rj", "--years-ago", "-1", says: "--years-ago takes a number from 0 to 1000."),
        Refusal("serve", "--port", "-1", says: "--port takes a number from 0 to 65535."),
        Refusal("serve", "--rate", "-1", says: "--rate takes a number from 0 on."),
        Refusal(
            "share", "text", "x", "--format", "loud",
            says: "--format: unknown format “loud”; it is one of original, telephone, ultrasonic, fast."),
    ])
    func `a wrong value of an option is wrong usage, and says what the option takes`(refusal: Refusal) async throws {
        let folder = try TemporaryFolder()
        let run = try await ChirpProcess.run(refusal.arguments, in: folder.path)
        #expect(run.status == 64)
        #expect(run.output == "")
        #expect(run.errorLines.first == "Error: " + refusal.says)
        #expect(run.errorLines.dropFirst().first?.hasPrefix("Usage: chirp \(refusal.arguments[0])") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test(arguments: [
        ["list"], ["resolve", "gsm2h88c7u"], ["export"], ["share", "text", "x"], ["decode", "x"], ["listen"], ["serve"],
    ])
    func `a registry of an unknown kind is wrong usage in an option, and an error in the environment`(
        arguments: [String]
    ) async throws {
        let run = try await ChirpProcess.run(arguments + ["--registry", "mysql://x"])
        #expect(run.status == 64)
        #expect(run.errors.contains("“mysql”"))
        guard arguments[0] != "listen" else { return }
        let environment = try await ChirpProcess.run(arguments, environment: ["CHIRP_REGISTRY": "mysql://x"])
        #expect(environment.status == 2)
        #expect(environment.errors.hasPrefix("chirp: "))
    }

    @Test func `the version is one for all`() async throws {
        #expect(
            try await ChirpProcess.run(["--version"]) == Run(status: 0, output: ChirpVersion.current + "\n", errors: "")
        )
    }

    @Test func `without arguments, three commands to try are shown, and each of them exists`() async throws {
        let run = try await ChirpProcess.run([])
        #expect(run.status == 0 && run.errors == "")
        let commands = run.outputLines.filter { $0.hasPrefix("  chirp ") }
        #expect(commands.count == 3)
        for command in commands {
            let words = command.split(separator: " ").dropFirst().prefix { $0.allSatisfy(\.isLetter) }.prefix(1)
            #expect(try await ChirpProcess.run(words.map(String.init) + ["--help"]).status == 0)
        }
    }
}
