internal import ArgumentParser
internal import Chirp
internal import ChirpSound
internal import Foundation

@main
struct ChirpCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chirp", abstract: "Send and receive short codes as sound, and look up what they stand for.",
        version: ChirpVersion.current,
        subcommands: [
            ChartCommand.self,
            DecodeCommand.self,
            DeleteCommand.self,
            DevicesCommand.self,
            EvaluateCommand.self,
            ExportCommand.self,
            HelpCommand.self,
            HistoryCommand.self,
            ImportCommand.self,
            ListCommand.self,
            ListenCommand.self,
            MakeSamplesCommand.self,
            PlotCommand.self,
            ResolveCommand.self,
            SendCommand.self,
            ServeCommand.self,
            ShareCommand.self,
            UsersCommand.self,
        ])

    /// What a first run shows, without arguments.
    func run() throws {
        try StandardOutput.print(
            """
            chirp sends and receives short codes as sound. Three things to try:

              chirp send gsm2h88c7u                  play a code
              chirp listen                           print the codes that the microphone hears
              chirp share url https://example.org    give a link a code

            chirp --help lists all commands, chirp help COMMAND explains one.
            """)
    }

    /// Runs the command and ends the process: 0 done, 1 nothing found, 2 an error while running, 64 wrong usage.
    static func main() async {
        // Writing beyond the limit of ulimit -f is then an error that can be reported, and not the end of the process.
        signal(SIGXFSZ, SIG_IGN)
        openStandardDescriptors()
        do {
            var command = try parseAsRoot(FilePath.arguments)
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch let error where isUsage(error) {
            guard exitCode(for: error) == .success else { exit(withError: error) }
            printHelp(fullMessage(for: error))
        } catch {
            StandardError.report(error)
            exit(withError: ExitCode.error)
        }
    }

    /// Prints what was asked for, help or the version: a result like any other, which a full disk does not take.
    private static func printHelp(_ text: String) {
        guard !text.isEmpty else { return }
        do {
            try StandardOutput.print(text)
        } catch {
            StandardError.report(error)
            exit(withError: ExitCode.error)
        }
    }

    /// Opens what the program was started without, so that no file or socket of its own takes the place of standard input, output or
    /// error: output that cannot be written is an error, and messages go nowhere.
    private static func openStandardDescriptors() {
        for (descriptor, mode) in [(0, O_WRONLY), (1, O_RDONLY), (2, O_WRONLY)] as [(Int32, Int32)] {
            if fcntl(descriptor, F_GETFD) < 0 { _ = open("/dev/null", mode) }
        }
    }

    /// Whether the argument parser knows what to print for an error, and the status to exit with.
    private static func isUsage(_ error: any Error) -> Bool {
        error is ExitCode || (!(error is any UserFacingError) && exitCode(for: error) != .failure)
    }
}

extension ExitCode {
    /// No chirp in any file, nothing heard in time, code unknown.
    static let nothingFound = ExitCode(1)
    /// Something went wrong while running, and standard error says what.
    static let error = ExitCode(2)
}
