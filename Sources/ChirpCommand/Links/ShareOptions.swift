internal import ArgumentParser
internal import Chirp
internal import ChirpLinks
internal import ChirpReport
internal import Foundation

/// What all of `chirp share` has in common: options, registering, printing and sending.
struct ShareOptions: ParsableArguments {
    @OptionGroup var choice: RegistryOptions

    @Option(help: ArgumentHelp("Title that is shown with the link.", valueName: "text"))
    var title: String?

    @Option(help: ArgumentHelp("Register this existing code instead of a random one.", valueName: "code"))
    var code: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Lifetime of the link, such as 12h, 30d or 4w.", valueName: "time"))
    var expires: String?

    @Flag(help: "Print one JSON object.")
    var json = false

    @Flag(help: "Play the code.")
    var send = false

    @Option(name: .shortAndLong, help: "Write the code's sound to a file, as chirp send does.")
    var output: String?

    @OptionGroup var device: DeviceOptions

    @OptionGroup var formats: SentFormatOptions

    @Option(parsing: .unconditional, help: "Peak amplitude, 0 to 1.")
    var volume = 0.8

    func validate() throws {
        guard (0...1).contains(volume) else { throw ValidationError("--volume takes a number from 0 to 1.") }
        if let expires, Self.duration(expires) == nil {
            throw ValidationError("--expires takes a number and a unit, such as 90m, 12h, 30d or 4w, up to 100y.")
        }
        _ = try validated { try wantedCode() }
        if let output { try validated { try FileSending.check(path: output) } }
    }

    func draft(_ link: Link) throws -> LinkDraft {
        try LinkDraft(link, title: title, code: wantedCode(), expires: end, clientKind: "command")
    }

    func fileDraft(name: String, bytes: [UInt8]) throws -> LinkDraft {
        try LinkDraft(
            fileNamed: name, bytes: bytes, title: title, code: wantedCode(), expires: end, clientKind: "command")
    }

    /// Registers a draft, prints its code, keeps its token, and sends it when asked to.
    func share(_ makeDraft: () throws -> LinkDraft) async throws {
        let location = try choice.location()
        let registry = try choice.open()
        let draft = try makeDraft()
        let registration = try await registry.register(draft)
        let code = registration.record.code
        let keeper = History(environment: environment)
        if let token = registration.deletionToken { await keep(token, for: code, in: keeper) }
        if title != nil, registration.record.title != draft.title {
            StandardError.say("\(code): the link was shared before, and keeps the title that it was given then, if any")
        }
        let line = json ? report(registration, location).text : code.description
        // Sound on standard output leaves no room for text there.
        if output == "-" { StandardError.say(line) } else { try StandardOutput.print(line) }
        await registry.close()
        guard send || output != nil else { return }
        let sound = ["\(code)", "--volume", "\(volume)", "--format", formats.format]
        if let output { try await Self.run(sound + ["--output", output]) }
        if send { try await Self.run(sound + ["--device", device.name]) }
        let event = HistoryEvent(
            direction: .sent, code: code,
            link: LinkSummary(registration.record, serviceURL: location.serviceURL))
        do { try await keeper?.add([event]) } catch { StandardError.warn(userMessage(for: error)) }
    }

    private func report(_ registration: Registration, _ location: RegistryLocation) -> JSONValue {
        let record = registration.record
        return .object([
            .init("code", .string(record.code.description)),
            .init("longcode", .string(record.code.codeword.description)),
            .init("is_new", .boolean(registration.isNew)),
            .init("deletion_token", registration.deletionToken.map { .string($0.text) } ?? .null),
            .init("expires", record.expires.map { .string($0.description) } ?? .null),
            .init("link", LinkSummary(record, serviceURL: location.serviceURL).json),
        ])
    }

    /// Keeps the token beside the history, or says it where no history is kept.
    private func keep(_ token: DeletionToken, for code: Shortcode, in history: History?) async {
        do {
            if let history { return try await history.keep(token, for: code) }
        } catch {
            StandardError.warn(userMessage(for: error))
        }
        if !json { StandardError.say("delete it with: chirp delete \(code) --token \(token.text)") }
    }

    private func wantedCode() throws -> Shortcode? {
        try code.map { text in
            do throws(ShortcodeError) { return try Shortcode(parsing: text) } catch {
                throw CodeProblem(code: text, cause: error)
            }
        }
    }

    private var end: Timestamp? { expires.flatMap(Self.duration).map { Timestamp.now.advanced(by: $0) } }

    /// A time such as 90m, 12h, 30d or 4w, up to a hundred years; nil for anything else.
    static func duration(_ text: String) -> Duration? {
        let units = ["s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800, "y": 31_557_600]
        guard let unit = text.last.flatMap({ units[String($0)] }), let count = Int(text.dropLast()), count > 0,
            count <= 3_155_760_000 / unit
        else { return nil }
        return .seconds(count * unit)
    }

    /// Runs `chirp send`, without noting it in the history a second time.
    private static func run(_ arguments: [String]) async throws {
        var command = try SendCommand.parse(arguments)
        command.isPartOfShare = true
        try await command.run()
    }

    /// - Throws: ``ContentProblem``
    static func contents(of path: String) throws -> [UInt8] {
        do {
            let handle = try FileHandle(readingPath: path)
            return Array(try handle.read(upToCount: FileDescription.byteLimit + 1) ?? Data())
        } catch {
            throw ContentProblem(path: path, cause: error)
        }
    }

    /// - Throws: ``ContentProblem``
    static func standardInput(byteLimit: Int) throws -> String {
        let data: Data
        do {
            data = try FileHandle.standardInput.read(upToCount: byteLimit + 1) ?? Data()
        } catch {
            throw ContentProblem(path: "standard input", cause: error)
        }
        guard data.count <= byteLimit else {
            throw ContentProblem(path: "standard input", reason: "has more than \(byteLimit / 1_024) KB")
        }
        guard var text = String(validating: data, as: UTF8.self) else {
            throw ContentProblem(path: "standard input", reason: "is not UTF-8 text")
        }
        while text.last?.isNewline == true { text.removeLast() }
        return text
    }
}
