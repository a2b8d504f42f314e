import Foundation
import Testing

/// What docs/LINKS.md shows of the program is what it does.
@Suite struct LinksDocumentTests {
    @Test func `every line at a prompt prints what it is shown to print`() async throws {
        let home = try Household(registry: "registry.sqlite")
        let document = try String(contentsOfFile: ChirpProcess.packageFolder + "/docs/LINKS.md", encoding: .utf8)
        let blocks = document.components(separatedBy: "\n```console\n").dropFirst()
            .compactMap { $0.components(separatedBy: "\n```").first }
        let lines = blocks.joined(separator: "\n").components(separatedBy: "\n")
        let prompts = lines.indices.filter { lines[$0].hasPrefix("$ ") }
        #expect(prompts.count == 6)
        for (prompt, next) in zip(prompts, prompts.dropFirst() + [lines.count]) {
            let command = String(lines[prompt].dropFirst(2))
            let expected = lines[prompt + 1..<next].joined(separator: "\n")
            let run = try await ChirpProcess.shell(
                "{ \(command); } 2>&1", in: home.folder.path, environment: home.environment)
            #expect(Self.withoutFigures(run.output) == Self.withoutFigures(expected), "\(command)")
        }
    }

    /// Measured figures differ in their last digits from one machine to another.
    private static func withoutFigures(_ text: String) -> String {
        text.replacing(/[-+][0-9]+\.[0-9]+ dB/, with: "# dB").trimmingCharacters(in: .newlines)
    }
}
