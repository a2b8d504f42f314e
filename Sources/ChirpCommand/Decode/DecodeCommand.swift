internal import ArgumentParser
internal import CMalloc
internal import ChirpSound
internal import Foundation
internal import Synchronization

struct DecodeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decode", abstract: "Find every chirp in sound files.",
        discussion: """
            Takes whatever libsndfile reads, at any sample rate from 8 to 192 kHz, and listens to every channel. \
            Prints a line for each chirp: code, start, signal-to-noise ratio, corrected symbols, file, link.
            """)

    @Argument(help: "Sound files; - is standard input.", completion: .file())
    var files: [String]

    @Flag(help: "Print one JSON object a line.")
    var json = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Files decoded at the same time; the output keeps the order of the files. Default: one a processor, at most 4.",
            valueName: "n"))
    var jobs: Int?

    @Option(
        help: ArgumentHelp(
            "Read samples without a header, such as s16le:44100:1.", valueName: "format:rate:channels"))
    var raw: String?

    @OptionGroup var registry: RegistryChoice

    @Flag(name: .customLong("no-resolve"), help: "Do not look up what the codes stand for.")
    var skipsResolving = false

    func validate() throws {
        guard jobs ?? 1 >= 1 else { throw ValidationError("--jobs takes a number from 1 on.") }
        guard files.count(where: { $0 == "-" }) <= 1 else {
            throw ValidationError("Standard input can be read once: give - once.")
        }
    }

    func run() async throws {
        let desk = LinkDesk(registry, resolves: !skipsResolving)
        let workers = min(jobs ?? Self.defaultJobs, files.count)
        let decoding = FileDecoding(
            raw: try raw.map { try RawFormat(parsing: $0) }, asJSON: json, desk: desk,
            memoryBytes: Self.receiversBytes / Double(workers))
        let outlet = OrderedOutlet(count: files.count)
        Self.returnFreedMemory()
        StandardError.silenceLibraries()
        await Self.decode(files, by: decoding, to: outlet, workers: workers)
        await desk.resolveWaiting()
        switch outlet.outcome {
        case .failed: throw ExitCode.error
        case .nothingFound: throw ExitCode.nothingFound
        case .found: return
        }
    }

    /// With the 28 MB of the program itself this stays under 64 MB.
    private static let receiversBytes = 20e6

    /// Has large blocks mapped and unmapped by themselves: else glibc keeps up to 32 MB of freed ones for later (mallopt,
    /// M_MMAP_THRESHOLD), and a stereo file at 192 kHz takes 90 instead of 65 MB, in the same time.
    private static func returnFreedMemory() { mallopt(M_MMAP_THRESHOLD, 1 << 18) }

    private static var defaultJobs: Int { min(4, ProcessInfo.processInfo.activeProcessorCount) }

    /// On threads of its own, as they wait for files and for answers of the registry.
    private static func decode(
        _ files: [String], by decoding: FileDecoding, to outlet: OrderedOutlet, workers: Int
    ) async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let next = Atomic(0)
                DispatchQueue.concurrentPerform(iterations: workers) { _ in
                    while true {
                        let index = next.add(1, ordering: .relaxed).oldValue
                        guard index < files.count, !outlet.isBroken else { return }
                        decoding.decode(files[index]) { outlet.emit($0, from: index) }
                        outlet.finish(index)
                    }
                }
                continuation.resume()
            }
        }
    }
}
