internal import ArgumentParser
internal import Foundation

@main
struct ChirpCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chirp", abstract: "Short codes as sound: send them, hear them, find what they stand for.",
        subcommands: [
            ChartCommand.self,
            DecodeCommand.self,
            DeleteCommand.self,
            DevicesCommand.self,
            EvaluateCommand.self,
            ExportCommand.self,
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

    /// Runs the command and ends the process: 0 done, 1 nothing found, 2 an error while running, 64 wrong usage.
    static func main() async {
        // A file that grows beyond the limit of ulimit -f is then an error that can be told, not the end.
        signal(SIGXFSZ, SIG_IGN)
        do {
            var command = try parseAsRoot()
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch let error as any ExplainedError {
            StandardError.report(error)
            exit(withError: ExitCode.error)
        } catch {
            exit(withError: error)
        }
    }
}

extension ExitCode {
    /// No chirp in any file, nothing heard in time, code unknown.
    static let nothingFound = ExitCode(1)
    /// Something went wrong while running, and standard error says what.
    static let error = ExitCode(2)
}
