internal import ChirpLinks
internal import ChirpReport
internal import Foundation

/// A weekly chart as it is printed.
struct ChartTable {
    let chart: AlbumChart
    /// Those that are shown.
    let albums: [ChartAlbum]
    let years: Int
    /// The day of `--week`, or nil.
    let anchorDay: String?
    let earlier: ChartWeek?
    let later: ChartWeek?

    /// Width where the terminal has none.
    private static let defaultWidth = 100

    var heading: String {
        let when = years == 0 ? "" : ", \(years == 1 ? "1 year" : "\(years) years") ago"
        return TerminalText.printable(
            "\(chart.user), week of \(chart.week.firstDay) to \(chart.week.lastDay)\(when)")
    }

    /// Rank, artist, album and plays in columns that fit the terminal.
    var rows: [String] {
        let ranks = albums.map { String($0.rank) }
        let plays = albums.map { counted($0.playCount) }
        let rankWidth = ranks.map(\.count).max() ?? 0
        let playWidth = plays.map(\.count).max() ?? 0
        let room = max(20, Self.terminalWidth - rankWidth - playWidth - 6)
        let artists = albums.map { TerminalText.printable($0.artist) }
        let names = albums.map { TerminalText.printable($0.name) }
        let artistWidth = min(artists.map(TerminalText.width).max() ?? 0, room * 2 / 5)
        let nameWidth = min(names.map(TerminalText.width).max() ?? 0, room - artistWidth)
        return albums.indices.map { index in
            let artist = TerminalText.fitted(artists[index], to: artistWidth)
            let name = TerminalText.fitted(names[index], to: nameWidth)
            return leftPadded(ranks[index], rankWidth) + "  \(artist)  \(name)  " + leftPadded(plays[index], playWidth)
        }
    }

    /// The neighbouring years, and how to get there.
    var offers: [String] {
        let base = "chirp chart \(chart.user)" + (anchorDay.map { " --week \($0)" } ?? "")
        return [
            earlier.map { "a year earlier, \($0.firstDay): \(base) --years-ago \(years + 1)" },
            // Years are counted back, so a later year than that of --week is named by its own day.
            later.map { week in
                years >= 1
                    ? "a year later, \(week.firstDay): \(base) --years-ago \(years - 1)"
                    : "a year later, \(week.firstDay): chirp chart \(chart.user) --week \(week.firstDay)"
            },
        ].compactMap(\.self)
    }

    var json: JSONValue {
        func neighbour(_ week: ChartWeek?, _ years: Int) -> JSONValue {
            guard let week else { return .null }
            return .object([
                .init("years_ago", .integer(years)), .init("from", .integer(Int(week.from))),
                .init("to", .integer(Int(week.to))),
            ])
        }
        return .object([
            .init("user", .string(chart.user)), .init("from", .integer(Int(chart.week.from))),
            .init("to", .integer(Int(chart.week.to))), .init("years_ago", .integer(years)),
            .init("albums", .array(albums.map(\.json))), .init("earlier", neighbour(earlier, years + 1)),
            .init("later", neighbour(later, years - 1)),
        ])
    }

    private func leftPadded(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }

    private static var terminalWidth: Int {
        var size = winsize()
        guard isatty(STDOUT_FILENO) == 1, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return defaultWidth
        }
        return Int(size.ws_col)
    }
}

extension ChartAlbum {
    var json: JSONValue {
        .object([
            .init("rank", .integer(rank)), .init("artist", .string(artist)), .init("album", .string(name)),
            .init("plays", .integer(playCount)), .init("url", url.map(JSONValue.string) ?? .null),
        ])
    }
}

extension AlbumDetails {
    func lines(_ album: ChartAlbum, user: String) -> [String] {
        let plays = [
            "\(counted(album.playCount)) that week",
            userPlayCount.map { "\(counted(Int($0))) by \(user)" },
            playCount.map { "\(counted(Int($0))) by everybody" },
        ].compactMap(\.self)
        return ["\(artist) – \(name)", plays.joined(separator: ", "), url, imageURL.map { "picture: \($0)" }, summary]
            .compactMap(\.self).map(TerminalText.printable)
    }
}
