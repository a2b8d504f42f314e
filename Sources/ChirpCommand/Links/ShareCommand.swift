internal import ArgumentParser
internal import Chirp
internal import ChirpLinks
internal import Foundation

struct ShareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "share", abstract: "Register a link, and print or play its code.",
        discussion: "The same link always gets the same code.",
        subcommands: [
            ShareChartCommand.self, ShareDataCommand.self, ShareFileCommand.self, ShareTextCommand.self,
            ShareURLCommand.self, ShareUserCommand.self,
        ])
}

struct ShareUserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "user", abstract: "Share a Last.fm user.")

    @Argument(help: "A Last.fm user name. Default: the user marked with --me in chirp users.")
    var name: String?

    @OptionGroup var sharing: ShareOptions

    mutating func run() async throws {
        let name = try UserName(try name ?? FollowedUsers.me(sharing.choice))
        try await sharing.share { try sharing.draft(.user(name)) }
    }
}

struct ShareURLCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "url", abstract: "Share a web address.")

    @Argument(help: "An http or https address.")
    var url: String

    @OptionGroup var sharing: ShareOptions

    mutating func run() async throws {
        try await sharing.share { try sharing.draft(.url(WebAddress(url))) }
    }
}

struct ShareTextCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "text", abstract: "Share a note of up to 1,000 characters.")

    @Argument(help: "The note; - reads it from standard input.")
    var text: String

    @OptionGroup var sharing: ShareOptions

    mutating func run() async throws {
        let text = try text == "-" ? ShareOptions.standardInput(byteLimit: NoteText.byteLimit) : text
        try await sharing.share { try sharing.draft(.text(NoteText(text))) }
    }
}

struct ShareDataCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "data", abstract: "Share a JSON object of up to 8 KB.")

    @Argument(help: "The object; - reads it from standard input.")
    var object: String

    @OptionGroup var sharing: ShareOptions

    mutating func run() async throws {
        let text = try object == "-" ? ShareOptions.standardInput(byteLimit: 4 * DataObject.byteLimit) : object
        try await sharing.share { try sharing.draft(.data(DataObject(parsing: text))) }
    }
}

struct ShareFileCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "file", abstract: "Share a picture (png, jpeg, gif, webp) or PDF of up to 10 MB.")

    @Argument(help: "The file.", completion: .file())
    var path: String

    @OptionGroup var sharing: ShareOptions

    mutating func run() async throws {
        let bytes = try ShareOptions.contents(of: path)
        try await sharing.share { try sharing.fileDraft(name: path, bytes: bytes) }
    }
}
