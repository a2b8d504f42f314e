internal import Chirp
internal import ChirpReport
internal import Foundation

/// A link, as far as listening needs it.
struct ResolvedLink: Sendable, Hashable {
    /// The object that `--json` prints.
    let json: JSONValue
    let kind: String
    /// Where it leads, nil for what has no page.
    let url: String?
    /// One line for people.
    let summary: String
}

/// Looks up the link of a detection; nil when the code is unknown or the registry did not respond in time.
typealias ResolveLink = @Sendable (DetectedChirp) async -> ResolvedLink?

/// A detection with its time of day and its link.
struct ResolvedDetection: Sendable {
    let chirp: DetectedChirp
    let time: Date
    let link: ResolvedLink?
    /// The channel that heard it best, and those that were combined.
    var channel = 0
    var channels = [0]

    /// The line that is printed for people: code, time of day, signal-to-noise ratio, corrected symbols, copies and format where these are
    /// not the usual ones, link.
    var line: String { columns.joined(separator: "  ") }

    /// The columns of the text form.
    var columns: [String] {
        [
            chirp.shortcode.description, clock, String(format: "%+5.1f dB", chirp.snrDecibels),
            String(format: "%2d corrected", chirp.correctedSymbolCount),
        ] + chirp.unusualColumns + (link.map { [TerminalText.printable($0.summary)] } ?? [])
    }

    /// The line that `--json` prints.
    var json: String {
        DetectionReport(
            file: nil, channel: channel, channels: channels, chirp: chirp, link: link?.json ?? .null
        ).json.text
    }

    /// Local time of day of the detection.
    var clock: String {
        let parts = Calendar.current.dateComponents([.hour, .minute, .second], from: time)
        return String(format: "%02d:%02d:%02d", parts.hour ?? 0, parts.minute ?? 0, parts.second ?? 0)
    }
}
