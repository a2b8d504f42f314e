import Chirp
import Foundation
import Testing

/// What README.md and docs/COMMANDS.md show of the program is what it does.
@Suite struct ReadmeTests {
    /// The insides of the fenced blocks of one language.
    private static func blocks(_ language: String, of document: String = "README.md") throws -> [String] {
        try String(contentsOfFile: ChirpProcess.packageFolder + "/" + document, encoding: .utf8).components(
            separatedBy: "\n```\(language)\n"
        ).dropFirst()
            .compactMap { $0.components(separatedBy: "\n```").first }
    }

    /// What the receiver measures differs from one machine, and one receiver, to another.
    private static func withoutFigures(_ text: String) -> String {
        text.replacing(#/ *[-+]?[0-9]+\.[0-9]+|[ 0-9]+ corrected/#, with: "#").trimmingCharacters(in: .newlines)
    }

    @Test(arguments: [("README.md", 4), ("docs/COMMANDS.md", 6)])
    func `every line at a prompt prints what it is shown to print`(document: String, minimum: Int) async throws {
        let folder = try TemporaryFolder()
        for name in ["Samples", "README.md"] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.path(name), withDestinationPath: ChirpProcess.packageFolder + "/" + name)
        }
        let lines = try Self.blocks("console", of: document).joined(separator: "\n").components(separatedBy: "\n")
        let prompts = lines.indices.filter { lines[$0].hasPrefix("$ ") }
        #expect(prompts.count >= minimum)
        for (prompt, next) in zip(prompts, prompts.dropFirst() + [lines.count]) {
            let command = String(lines[prompt].dropFirst(2))
            let expected = lines[prompt + 1..<next].joined(separator: "\n")
            let run = try await ChirpProcess.shell("{ \(command); } 2>&1", in: folder.path)
            #expect(Self.withoutFigures(run.output) == Self.withoutFigures(expected), "\(command)")
        }
    }

    @Test func `the lines of Swift hear the code that they send`() async throws {
        // The block in README.md, but for its last statement, which prints.
        let code = try Shortcode(parsing: "gsm2h88c7u")
        let samples = try Synthesiser(sampleRateHertz: 44_100).samples(of: code.codeword)

        var receiver = try Receiver(sampleRateHertz: 44_100)
        let heard = receiver.process(samples) + receiver.finish()
        #expect(heard.map(\.shortcode) == [code])

        let source = try String(contentsOfFile: #filePath, encoding: .utf8)
        let block = try #require(try Self.blocks("swift").first)
        for line in block.components(separatedBy: "\n").prefix(while: { !$0.hasPrefix("for ") }) where !line.isEmpty {
            #expect(source.contains(line), "\(line)")
        }
    }
}
