internal import ArgumentParser
internal import Chirp
internal import ChirpLinks
internal import ChirpReport
internal import ChirpSound
internal import Foundation

struct ListenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "listen", abstract: "Decode chirps from the microphone until stopped.",
        discussion: """
            Prints one line per chirp: code, time, signal-to-noise ratio, corrected symbols, link. On a terminal it \
            shows a live view, and prints the lines at the end.

            Exit status after --once or --timeout: 0 if a code was detected, 1 if not. It is 2 if the device fails. \
            SIGINT and SIGTERM end the process by the signal (130 and 143 in a shell).
            """)

    @OptionGroup var choice: DeviceOptions

    @Option(
        help: ArgumentHelp(
            "Channels to capture, or the nearest number that the device offers; each of them is decoded.",
            valueName: "count"))
    var channels = 2

    @Flag(help: "Stop after the first code.")
    var once = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Stop after this time, with status 1 when no code was detected.", valueName: "seconds"))
    var timeout: Double?

    @Flag(help: "Print one JSON object per line.")
    var json = false

    @Flag(name: .customLong("open"), help: "Open the link of each code in the browser.")
    var opensLinks = false

    @Option(
        help: ArgumentHelp(
            "Run a shell command for each code, with CHIRP_CODE, CHIRP_URL and CHIRP_KIND in its environment.",
            valueName: "command"))
    var exec: String?

    @Option(
        help: ArgumentHelp("Write the captured sound to a file.", valueName: "file"),
        completion: .file())
    var record: String?

    @Option(
        parsing: .singleValue, help: ArgumentHelp("Ignore this code (repeatable).", valueName: "code"))
    var ignore: [String] = []

    @Flag(help: "Wait for a device that is missing or disconnected.")
    var wait = false

    @Option(
        help: ArgumentHelp(
            "Formats to listen for, separated by commas: \(FormatNames.list); or all. Listening for all four takes "
                + "four times the processor time of one.",
            valueName: "names"),
        completion: FormatNames.completion)
    var format = WireFormat.original.name

    @Option(
        help: ArgumentHelp(
            "Combine repeated copies of a chirp that are too weak to be decoded alone: on or off.",
            valueName: "on|off"))
    var combine = OnOff.on

    @OptionGroup var registry: RegistryOptions

    @Flag(name: .customLong("no-resolve"), help: "Do not look up what the codes stand for.")
    var skipsResolving = false

    func validate() throws {
        if let timeout, !(timeout > 0 && timeout < 1e9) {
            throw ValidationError("--timeout takes a number of seconds above 0.")
        }
        guard (1...32).contains(channels) else { throw ValidationError("--channels takes a number from 1 to 32.") }
        _ = try FormatNames.formats(format)
        _ = try validated { try ignoredCodes() }
        _ = try validated { try record.map { try AudioFileFormat(path: $0) } }
    }

    func run() async throws {
        let options = ListenController.Options(
            device: choice.name, channelCount: channels, waitsForDevice: wait, once: once, timeoutSeconds: timeout,
            asJSON: json, opensLinks: opensLinks, command: exec, recordingPath: record,
            ignored: try ignoredCodes(), formats: try FormatNames.formats(format),
            combinesCopies: combine == .on)
        let ending = try await ListenController(options) { report in
            let resolver = LinkResolver(registry, resolves: !skipsResolving, report: report)
            // What was heard while the registry was out of reach is looked up beside the listening, which may be ended
            // at any time, and must not wait for that then.
            Task.detached(priority: .utility) { await resolver.resolveWaiting() }
            return { chirp in
                await resolver.heard(chirp.shortcode).map { link in
                    ResolvedLink(json: link.json, kind: link.kind.rawValue, url: link.url, summary: link.line)
                }
            }
        }.run()
        switch ending {
        case .done: return
        case .nothingDetected: throw ExitCode.nothingFound
        case .commandFailed: throw ExitCode.error
        case .failed(let error): throw error
        case .stopped(let number):
            StandardError.say("stopped by \(SignalWatch.name(of: number))")
            SignalWatch.endProcess(by: number)
        case .outputClosed:
            StandardError.report(OutputClosed())
            SignalWatch.endProcess(by: SIGPIPE)
        }
    }

    private func ignoredCodes() throws -> Set<Shortcode> {
        Set(
            try ignore.map { text in
                do throws(ShortcodeError) { return try Shortcode(parsing: text) } catch {
                    throw CodeProblem(code: text, cause: error)
                }
            })
    }
}
