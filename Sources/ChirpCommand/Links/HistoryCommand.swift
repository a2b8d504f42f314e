internal import ArgumentParser
internal import Chirp
internal import ChirpLinks
internal import ChirpReport
internal import Foundation

struct HistoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "Show the codes that this machine sent and received.",
        discussion: """
            A code that was received while its registry was unreachable is pending, and is resolved as soon as the registry \
            responds. CHIRP_HISTORY=off disables the history.
            """)

    @OptionGroup var choice: RegistryOptions

    @Flag(help: "Print one JSON object per line.")
    var json = false

    @Flag(help: "Delete all events.")
    var clear = false

    @Option(parsing: .unconditional, help: ArgumentHelp("Show only this many of the latest events.", valueName: "n"))
    var limit: Int?

    @Flag(name: .customLong("no-resolve"), help: "Do not look up pending codes.")
    var skipsResolving = false

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit takes a number from 1 on.") }
    }

    func run() async throws {
        // What was noted before the history was disabled can be deleted all the same.
        if clear { return try await History(path: History.path(environment: environment)).clear() }
        guard let history = History(environment: environment) else {
            StandardError.say("the history is disabled: CHIRP_HISTORY is off")
            throw ExitCode.nothingFound
        }
        if !skipsResolving { await LinkResolver(choice).resolveWaiting() }
        let events = try await history.events(limit: limit)
        for event in events { try StandardOutput.print(json ? event.json.text : event.line) }
        if events.isEmpty { throw ExitCode.nothingFound }
    }
}

extension HistoryEvent {
    var json: JSONValue {
        .object([
            .init("time", .string(time.description)), .init("direction", .string(direction.rawValue)),
            .init("code", .string(code.description)), .init("link", link?.json ?? .null),
            .init("pending", .boolean(isPending)),
        ])
    }

    /// Local time, to the second.
    private static let clock: DateFormatter = {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = "yyyy-MM-dd HH:mm:ss"
        return formatter
    }()

    /// The line for people: local time, direction, code, link.
    var line: String {
        let date = Date(timeIntervalSince1970: Double(time.milliseconds) / 1_000)
        let meaning = link?.line ?? (isPending ? "not resolved yet" : "")
        let columns = [
            Self.clock.string(from: date), direction == .sent ? "sent " : "heard", code.description, meaning,
        ]
        return columns.filter { !$0.isEmpty }.joined(separator: "  ")
    }
}
