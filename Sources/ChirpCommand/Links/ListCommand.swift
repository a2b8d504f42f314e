internal import ArgumentParser
internal import Chirp
internal import ChirpLinks
internal import ChirpReport

struct ListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the links of a registry, newest first.")

    @Argument(help: "Show only links with this text in title, name, address or note.")
    var search: String?

    @OptionGroup var choice: RegistryOptions

    @Option(parsing: .unconditional, help: ArgumentHelp("Show links of this kind only.", valueName: "kind"))
    var kind: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Show at most this many links. (default: \(Self.usualLimit))", valueName: "n"))
    var limit: Int?

    @Flag(help: "Show all links, without a limit.")
    var all = false

    @Flag(help: "Print one JSON object per line.")
    var json = false

    /// Links that are shown where nothing else is asked for.
    private static let usualLimit = 100

    func validate() throws {
        if let kind, LinkKind(rawValue: kind) == nil {
            let kinds = LinkKind.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("--kind takes one of \(kinds).")
        }
        guard limit ?? 1 >= 1 else { throw ValidationError("--limit takes a number from 1 on.") }
        guard !all || limit == nil else { throw ValidationError("Either --all or --limit.") }
    }

    func run() async throws {
        try choice.checkExists(isNamed: choice.registry != nil)
        let serviceURL = try choice.location().serviceURL
        let registry = try choice.open()
        var query = LinkQuery(search: search, kind: kind.flatMap(LinkKind.init(rawValue:)))
        var left = all ? Int.max : limit ?? Self.usualLimit
        var found = false
        while left > 0 {
            query.limit = min(left, 1_000)
            let page = try await registry.list(query)
            guard let last = page.last else { break }
            for record in page {
                try StandardOutput.print(
                    json ? record.json(serviceURL: serviceURL).text : Self.line(record, serviceURL: serviceURL))
            }
            found = true
            left -= page.count
            query.after = .init(created: last.created, code: last.code)
        }
        await registry.close()
        if !found { throw ExitCode.nothingFound }
    }

    private static func line(_ record: LinkRecord, serviceURL: String?) -> String {
        let expiry = record.expires.map { "  until \($0.day)" } ?? ""
        return "\(record.code)  \(record.created.day)  \(LinkSummary(record, serviceURL: serviceURL).line)\(expiry)"
    }
}
