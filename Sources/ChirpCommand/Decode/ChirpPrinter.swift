internal import Chirp
internal import ChirpReport
internal import ChirpSound

/// Makes the lines that are printed for one file's chirps.
struct ChirpPrinter {
    let file: String
    let channelCount: Int
    let asJSON: Bool
    let desk: LinkDesk
    private var merging = SightedChirp.Merging()

    init(file: String, channelCount: Int, asJSON: Bool, desk: LinkDesk) {
        self.file = file
        self.channelCount = channelCount
        self.asJSON = asJSON
        self.desk = desk
    }

    /// The lines for what was heard last: for scripts one for each channel's chirp; for people one for each chirp, once
    /// no other channel can bring it any more.
    mutating func lines(for heard: [HeardChirp], decidedSeconds: Double) -> [String] {
        guard !asJSON else { return reports(of: heard) }
        merging.add(heard)
        return merging.takeComplete(before: decidedSeconds).map { chirp in
            let link = desk.heardBlocking(chirp.chirp.shortcode).map { "  \($0.line)" } ?? ""
            return chirp.line(file: file, channelCount: channelCount) + link
        }
    }

    private func reports(of heard: [HeardChirp]) -> [String] {
        var links: [Shortcode: JSONValue] = [:]
        return heard.map { one in
            let code = one.chirp.shortcode
            let link = links[code] ?? desk.heardBlocking(code)?.json ?? .null
            links[code] = link
            return DetectionReport(file: file, channel: one.channel, chirp: one.chirp, link: link).json.text
        }
    }
}
