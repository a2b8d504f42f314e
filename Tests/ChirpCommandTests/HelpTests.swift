import Foundation
import Testing

/// The help texts as they were last looked at, a file a command. To accept new ones, run the tests with
/// CHIRP_RECORD_SNAPSHOTS=1, which fails, and look at the difference.
@Suite struct HelpTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Snapshots").path

    static let commands = [
        ["chart"], ["decode"], ["delete"], ["devices"], ["evaluate"], ["export"], ["history"], ["import"], ["list"],
        ["listen"], ["plot"], ["resolve"], ["send"], ["serve"], ["share"],
        ["share", "chart"], ["share", "file"], ["share", "url"], ["users"], ["users", "add"],
    ]

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
