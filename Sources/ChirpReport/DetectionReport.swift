public import Chirp

/// A detection in the JSON form that scripts rely on.
public struct DetectionReport: Sendable, Hashable {
    /// The path as it was given, or nil where there is none.
    public let file: String?
    /// Counted from 0.
    public let channel: Int
    /// Those that were combined.
    public let channels: [Int]
    public let chirp: DetectedChirp
    /// What the code stands for, as an object with the keys kind, url and the kind's own; null when unknown.
    public let link: JSONValue

    public init(
        file: String?, channel: Int, channels: [Int]? = nil, chirp: DetectedChirp, link: JSONValue = .null
    ) {
        self.file = file
        self.channel = channel
        self.channels = channels ?? [channel]
        self.chirp = chirp
        self.link = link
    }

    /// The report as a JSON object; its `text` is the line that `--json` prints.
    public var json: JSONValue {
        let head = file.map { [JSONValue.Member("file", .string($0))] } ?? []
        return .object(
            head + [
                .init("channel", .integer(channel)),
                .init("start", .number(chirp.startSeconds.rounded(toPlaces: 4))),
                .init("duration", .number(chirp.durationSeconds.rounded(toPlaces: 4))),
                .init("code", .string(chirp.shortcode.description)),
                .init("longcode", .string(chirp.codeword.description)),
                .init("snr_db", .number(chirp.snrDecibels.rounded(toPlaces: 1))),
                .init("corrected", .integer(chirp.correctedSymbolCount)),
                .init("confidence", .number(chirp.confidence.rounded(toPlaces: 6))),
                .init("tuning_cents", .number(chirp.tuningCents.rounded(toPlaces: 1))),
                .init("speed", .number(chirp.speed.rounded(toPlaces: 4))),
                .init("format", .string(chirp.format.name)),
                .init("repeats", .integer(chirp.repeats)),
                .init("channels", .array(channels.map { .integer($0) })),
                .init("link", link),
            ])
    }
}

extension Double {
    /// The nearest number with so many decimals; no negative zero.
    func rounded(toPlaces places: Int) -> Double {
        var scale = 1.0
        for _ in 0..<places { scale *= 10 }
        return (self * scale).rounded() / scale + 0
    }
}
