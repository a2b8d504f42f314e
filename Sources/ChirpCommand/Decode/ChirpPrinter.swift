internal import Chirp
internal import ChirpReport
internal import ChirpSound

/// How detections are printed: for people, or for scripts.
enum OutputForm: Sendable {
    case text, json, csv

    /// The line before the first detection, if any.
    var header: String? {
        switch self {
        case .csv: DetectionCSV.header
        case .text, .json: nil
        }
    }
}

/// Makes the lines that are printed for one file's chirps.
struct ChirpPrinter {
    let file: String
    let channelCount: Int
    let form: OutputForm
    let resolver: LinkResolver
    private var merging = ChannelMerger()

    init(file: String, channelCount: Int, form: OutputForm, resolver: LinkResolver) {
        self.file = FilePath.printable(file)
        self.channelCount = channelCount
        self.form = form
        self.resolver = resolver
    }

    /// The lines for the latest detections: for scripts one per detection; for people one per chirp, once no other channel
    /// can report it any more. The history gets one event per chirp in both cases.
    mutating func lines(for heard: [ChannelDetection], decidedSeconds: Double) -> [String] {
        merging.add(heard)
        let reports = form == .text ? [] : heard.map(report)
        let lines = merging.takeComplete(before: decidedSeconds).map { chirp in
            let link = resolver.heardBlocking(chirp.chirp.shortcode).map { "  \($0.line)" } ?? ""
            return chirp.line(file: file, channelCount: channelCount) + link
        }
        return form == .text ? lines : reports
    }

    private func report(of heard: ChannelDetection) -> String {
        let link = resolver.heardBlocking(heard.chirp.shortcode, isNoted: false)?.json ?? .null
        let report = DetectionReport(
            file: file, channel: heard.channel, channels: heard.channels, chirp: heard.chirp, link: link)
        return switch form {
        case .csv: DetectionCSV.line(report)
        case .json, .text: report.json.text
        }
    }
}
