internal import ArgumentParser
internal import CMalloc
internal import Chirp
internal import ChirpReport
internal import ChirpSound
internal import Foundation
internal import Synchronization

struct DecodeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decode", abstract: "Find every chirp in sound files.",
        discussion: """
            Reads every format that libsndfile knows, at sample rates from 8 to 192 kHz, and decodes every channel. \
            Prints one line per chirp: code, start, signal-to-noise ratio, corrected symbols, file, link.

            Exits with status 1 when no chirp was found, and with 2 when a file could not be read.
            """)

    @Argument(help: "Sound files; - is standard input.", completion: .file())
    var files: [String]

    @Flag var forms: [OutputForm] = []

    @Flag(help: "Decode the sound files in folders, and in the folders inside them.")
    var recursive = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Report a chirp only with at least this probability of being right, 0 to 1.", valueName: "p")
    )
    var minConfidence = 0.5

    @Flag(help: "Print to standard error which detections were not reported, and why.")
    var verbose = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Number of files to decode in parallel; the output keeps the order of the files. Default: one per processor, "
                + "at most 4.",
            valueName: "n"))
    var jobs: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Read samples without a header, such as s16le:44100:1.", valueName: "format:rate:channels"))
    var raw: String?

    @Option(
        help: ArgumentHelp(
            "Formats to listen for, separated by commas: \(FormatNames.list); or all. Default: original, and every "
                + "other format whose tones fit the sample rate. Decoding all four takes four times as long as original "
                + "alone.",
            valueName: "names"),
        completion: FormatNames.completion)
    var format: String?

    @Option(
        help: ArgumentHelp(
            "Combine repeated copies of a chirp that are too weak to be decoded alone: on or off.",
            valueName: "on|off"))
    var combine = OnOff.on

    @OptionGroup var registry: RegistryOptions

    @Flag(name: .customLong("no-resolve"), help: "Do not look up what the codes stand for.")
    var skipsResolving = false

    func validate() throws {
        _ = try format.map(FormatNames.formats)
        guard jobs ?? 1 >= 1 else { throw ValidationError("--jobs takes a number from 1 on.") }
        guard (0...1).contains(minConfidence) else {
            throw ValidationError("--min-confidence takes a probability from 0 to 1.")
        }
        let chosen = OutputForm.allCases.filter(forms.contains)
        guard chosen.count <= 1 else {
            let flags = chosen.map { "--\($0)" }.joined(separator: " and ")
            throw ValidationError("\(flags) exclude each other: choose one.")
        }
        guard files.count(where: { $0 == "-" }) <= 1 else {
            throw ValidationError("Standard input can be read once: give - once.")
        }
        _ = try validated { try raw.map { try RawFormat(parsing: $0) } }
    }

    func run() async throws {
        let resolver = LinkResolver(registry, resolves: !skipsResolving)
        let (inputs, failures) = recursive ? Self.expanded(files) : (files, [])
        for failure in failures { StandardError.report(failure) }
        guard !inputs.isEmpty else {
            guard failures.isEmpty else { throw ExitCode.error }
            StandardError.say("\(files.joined(separator: ", ")): no sound files found")
            throw ExitCode.nothingFound
        }
        let form = forms.first
        let workers = min(jobs ?? Self.defaultJobs, inputs.count)
        let decoding = FileDecoding(
            raw: try raw.map { try RawFormat(parsing: $0) }, formats: try format.map(FormatNames.formats),
            combinesCopies: combine == .on, form: form, resolver: resolver,
            minimumConfidence: minConfidence, isVerbose: verbose,
            memoryBytes: ChannelPasses.memoryBytes / Double(workers))
        let progress = ProgressBar(total: Double(inputs.count), delay: Self.progressDelay)
        let outlet = OrderedWriter(count: inputs.count, header: form?.header, progress: progress)
        Self.returnFreedMemory()
        StandardError.silenceLibraries()
        await Self.decode(inputs, by: decoding, to: outlet, workers: workers, progress)
        progress.clear()
        outlet.end()
        await resolver.resolveWaiting()
        switch outlet.outcome {
        case _ where !failures.isEmpty, .failed: throw ExitCode.error
        case .nothingFound: throw ExitCode.nothingFound
        case .found: return
        }
    }

    /// Decoding that takes less than this needs no progress bar.
    private static let progressDelay = Duration.seconds(2)

    /// Has large blocks mapped and unmapped by themselves: else glibc keeps up to 32 MB of freed ones for later (mallopt,
    /// M_MMAP_THRESHOLD), and a stereo file at 192 kHz takes 90 instead of 65 MB, in the same time.
    private static func returnFreedMemory() { mallopt(M_MMAP_THRESHOLD, 1 << 18) }

    private static var defaultJobs: Int { min(4, ProcessInfo.processInfo.activeProcessorCount) }

    /// The files as given, and the sound files in those that are folders; and why some folders could not be read.
    private static func expanded(_ paths: [String]) -> (files: [String], failures: [AudioFileError]) {
        let parts: [(files: [String], failures: [AudioFileError])] = paths.map { path in
            path != "-" && AudioFolder.isFolder(path) ? AudioFolder.files(in: path) : ([path], [])
        }
        return (parts.flatMap(\.files), parts.flatMap(\.failures))
    }

    /// On threads of its own, as they wait for files and for answers of the registry.
    private static func decode(
        _ files: [String], by decoding: FileDecoding, to outlet: OrderedWriter, workers: Int, _ progress: ProgressBar
    ) async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let next = Atomic(0)
                DispatchQueue.concurrentPerform(iterations: workers) { _ in
                    while true {
                        let index = next.add(1, ordering: .relaxed).oldValue
                        guard index < files.count, !outlet.isBroken else { return }
                        decoding.decode(files[index], progress: progress.advance) { outlet.emit($0, from: index) }
                        outlet.finish(index)
                    }
                }
                continuation.resume()
            }
        }
    }
}
