internal import ArgumentParser
internal import Chirp
internal import ChirpLinks
internal import ChirpReport
internal import Foundation

struct ResolveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve", abstract: "Print what a code stands for.",
        discussion: "Exits with status 1 when the registry does not have the code.")

    @Argument(help: "A code of 10 characters, a longcode of 18, or a link that ends in one.")
    var code: String

    @OptionGroup var choice: RegistryOptions

    @Flag(help: "Print one JSON object.")
    var json = false

    @Flag(name: .customLong("open"), help: "Open the link in the browser.")
    var opensLink = false

    @Option(name: .shortAndLong, help: "Save the shared file to this path; - is standard output.")
    var output: String?

    mutating func run() async throws {
        let code: Shortcode
        do { code = try Shortcode(parsing: self.code) } catch { throw CodeProblem(code: self.code, cause: error) }
        try choice.checkExists(isNamed: choice.registry != nil)
        let location = try choice.location()
        let registry = try choice.open()
        guard let record = try await registry.record(of: code) else {
            StandardError.say("\(code): \(location) does not have this code")
            throw ExitCode.nothingFound
        }
        let summary = LinkSummary(record, serviceURL: location.serviceURL)
        if let output { try await write(record, from: registry, to: output) }
        await registry.close()
        if output != "-" {
            try StandardOutput.print(json ? record.json(serviceURL: location.serviceURL).text : summary.line)
            if !json, case .text(let note) = record.link, note.text.count > 60 || note.text.contains(where: \.isNewline)
            {
                for line in note.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
                    try StandardOutput.print(TerminalText.printable(String(line)))
                }
            }
        }
        if opensLink { try open(summary) }
        await LinkResolver(choice).resolveWaiting()
    }

    private func write(_ record: LinkRecord, from registry: any Registry, to path: String) async throws {
        guard let bytes = try await registry.content(of: record.code) else {
            throw ContentProblem(path: "\(record.code)", reason: "does not stand for a file")
        }
        do {
            if path == "-" {
                try FileHandle.standardOutput.write(contentsOf: Data(bytes))
            } else {
                try WholeFile.write(bytes, to: path)
            }
        } catch {
            throw ContentProblem(path: path, cause: error)
        }
    }

    private func open(_ summary: LinkSummary) throws {
        guard let url = summary.url else {
            throw ContentProblem(path: code, reason: "has no address to open")
        }
        switch ProcessSpawn.start(["xdg-open", url], environment: [:], output: nil) {
        case .success(let process):
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
            if status != 0 { throw ContentProblem(path: url, reason: "xdg-open could not open this") }
        case .failure(let failure):
            throw ContentProblem(path: url, reason: "xdg-open: \(String(cString: strerror(failure.code)))")
        }
    }
}
