internal import ArgumentParser

/// `chirp help COMMAND`, in place of the argument parser's own, which ignores a name that it does not know and succeeds.
struct HelpCommand: ParsableCommand {
    // The parser lists its own in help texts, completions and manual pages.
    static let configuration = CommandConfiguration(
        commandName: "help", abstract: "Show subcommand help information.", shouldDisplay: false)

    @Argument(help: "The command, and its subcommand.")
    var names: [String] = []

    func run() throws {
        var command: any ParsableCommand.Type = ChirpCommand.self
        for name in names {
            let subcommand = command.configuration.subcommands.first { $0.configuration.commandName == name }
            guard let subcommand else { throw ValidationError("Unexpected argument '\(name)'") }
            command = subcommand
        }
        throw CleanExit.helpRequest(command)
    }
}
