internal import ArgumentParser
internal import Chirp
internal import ChirpReport
internal import ChirpSound

/// How detections are printed for scripts. Each case is a flag of `chirp decode`; without one, lines for people are printed.
enum OutputForm: EnumerableFlag, Sendable {
    case json, csv

    static func help(for form: OutputForm) -> ArgumentHelp? {
        switch form {
        case .json: "Print one JSON object per line."
        case .csv: "Print comma-separated values, with a header line."
        }
    }

    /// The line before the first detection, if any.
    var header: String? {
        switch self {
        case .json: nil
        case .csv: DetectionCSV.header
        }
    }

    /// The line of a detection.
    func line(_ report: DetectionReport) -> String {
        switch self {
        case .json: report.json.text
        case .csv: DetectionCSV.line(report)
        }
    }
}

/// Makes the lines that are printed for one file's chirps.
struct ChirpPrinter {
    let file: String
    let channelCount: Int
    /// Nil for people.
    let form: OutputForm?
    let resolver: LinkResolver
    private var merging = ChannelMerger()

    init(file: String, channelCount: Int, form: OutputForm?, resolver: LinkResolver) {
        self.file = FilePath.printable(file)
        self.channelCount = channelCount
        self.form = form
        self.resolver = resolver
    }

    /// The lines for the latest detections: for scripts one per detection; for people one per chirp, once no other channel
    /// can report it any more. The history gets one event per chirp in both cases.
    mutating func lines(for heard: [ChannelDetection], decidedSeconds: Double) -> [String] {
        merging.add(heard)
        let reports = form.map { form in heard.map { form.line(report(of: $0)) } }
        let lines = merging.takeComplete(before: decidedSeconds).map { chirp in
            let link = resolver.heardBlocking(chirp.chirp.shortcode).map { "  \($0.line)" } ?? ""
            return chirp.line(file: TerminalText.printable(file), channelCount: channelCount) + link
        }
        return reports ?? lines
    }

    private func report(of heard: ChannelDetection) -> DetectionReport {
        let link = resolver.heardBlocking(heard.chirp.shortcode, isNoted: false)?.json ?? .null
        return DetectionReport(
            file: file, channel: heard.channel, channels: heard.channels, chirp: heard.chirp, link: link)
    }
}
