import Foundation
import Testing

/// The help texts as they were last looked at, a file a command. To accept new ones, run the tests with
/// CHIRP_RECORD_SNAPSHOTS=1, which fails, and look at the difference.
@Suite struct HelpTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Snapshots").path

    static let commands = [
        ["chart"], ["decode"], ["delete"], ["devices"], ["evaluate"], ["export"], ["history"], ["import"], ["list"],
        ["listen"], ["plot"], ["resolve"], ["send"], ["serve"],
        ["share"], ["share", "chart"], ["share", "data"], ["share", "file"], ["share", "text"], ["share", "url"],
        ["share", "user"],
        ["users"], ["users", "add"], ["users", "import"], ["users", "list"], ["users", "move"], ["users", "remove"],
        ["users", "rename"],
        [],
    ]

    /// The commands that `chirp --help` and the groups in it list, so that none is without a snapshot.
    @Test func `every command that the help lists has a snapshot`() async throws {
        func listed(by command: [String]) async throws -> [[String]] {
            let help = try await ChirpProcess.run(command + ["--help"], environment: ["COLUMNS": "80"]).output
            let list = help.components(separatedBy: "SUBCOMMANDS:\n").dropFirst().first ?? ""
            return list.matches(of: #/(?m)^  ([a-z]+) /#).map { command + [String($0.1)] }
        }
        var found: [[String]] = []
        for command in try await listed(by: []) { found += [command] + (try await listed(by: command)) }
        #expect(Set(found) == Set(Self.commands.filter { !$0.isEmpty }))
    }

    @Test(arguments: commands)
    func `the help text is the one in the snapshot`(command: [String]) async throws {
        let help = try await ChirpProcess.run(command + ["--help"], environment: ["COLUMNS": "80"])
        #expect(help.status == 0)
        let file = Self.folder + "/" + (["chirp"] + command).joined(separator: "-") + ".txt"
        if ProcessInfo.processInfo.environment["CHIRP_RECORD_SNAPSHOTS"] != nil {
            try help.output.write(toFile: file, atomically: true, encoding: .utf8)
            Issue.record("recorded \(file)")
        }
        #expect(help.output == (try String(contentsOfFile: file, encoding: .utf8)))
    }
}
