import Foundation
import Testing

/// The help texts as they were last looked at, a file a command. To accept new ones, run the tests with
/// CHIRP_RECORD_SNAPSHOTS=1, which fails, and look at the difference.
@Suite struct HelpTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Snapshots").path

    private static let isRecording = ProcessInfo.processInfo.environment["CHIRP_RECORD_SNAPSHOTS"] != nil

    /// The commands that have a snapshot: `chirp-share-url.txt` is that of `chirp share url`.
    static let commands: [[String]] = {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return files.filter { $0.hasSuffix(".txt") }.sorted()
            .map { $0.dropLast(4).split(separator: "-").dropFirst().map(String.init) }
    }()

    private static func file(of command: [String]) -> String {
        folder + "/" + (["chirp"] + command).joined(separator: "-") + ".txt"
    }

    private static func help(of command: [String]) async throws -> Run {
        try await ChirpProcess.run(command + ["--help"], environment: ["COLUMNS": "80"])
    }

    /// The commands that `chirp --help` and the groups in it list, so that none is without a snapshot.
    @Test func `every command that the help lists has a snapshot, and nothing else has one`() async throws {
        func listed(by command: [String]) async throws -> [[String]] {
            let list = try await Self.help(of: command).output.components(separatedBy: "SUBCOMMANDS:\n").dropFirst()
            return (list.first ?? "").matches(of: #/(?m)^  ([a-z]+) /#).map { command + [String($0.1)] }
        }
        var found: Set<[String]> = [[]]
        for command in try await listed(by: []) { found.formUnion([command] + (try await listed(by: command))) }
        if Self.isRecording {
            for command in found.subtracting(Self.commands) {
                try await Self.help(of: command).output.write(
                    toFile: Self.file(of: command), atomically: true, encoding: .utf8)
            }
        }
        #expect(found.symmetricDifference(Self.commands) == [])
    }

    @Test(arguments: commands)
    func `the help text is the one in the snapshot`(command: [String]) async throws {
        let help = try await Self.help(of: command)
        #expect(help.status == 0)
        let file = Self.file(of: command)
        if Self.isRecording {
            try help.output.write(toFile: file, atomically: true, encoding: .utf8)
            Issue.record("recorded \(file)")
        }
        #expect(help.output == (try String(contentsOfFile: file, encoding: .utf8)))
        #expect(
            help.output.utf8.allSatisfy { $0 < 0x80 }, "what makes the manual pages of it leaves other characters out")
    }

    @Test(arguments: [[], ["send"], ["share"], ["share", "url"]])
    func `chirp help shows what the option shows`(command: [String]) async throws {
        let run = try await ChirpProcess.run(["help"] + command, environment: ["COLUMNS": "80"])
        #expect(run == (try await Self.help(of: command)))
    }

    @Test(arguments: [["bogus"], ["send", "bogus"], ["share", "bogus"]])
    func `help on a command that does not exist is wrong usage`(command: [String]) async throws {
        let run = try await ChirpProcess.run(["help"] + command)
        #expect(run.status == 64)
        #expect(run.output == "")
        #expect(run.errorLines.first == "Error: Unexpected argument 'bogus'")
    }
}
