internal import Chirp
internal import ChirpLinks
internal import ChirpReport
internal import HTTPTypes
internal import Hummingbird

/// Which chart a page is asked for, and how it looks in a template.
struct ChartView: Sendable {
    private let code: Shortcode
    private let user: UserName
    private let anchor: Timestamp
    /// Counted back from the anchor; negative for later years.
    let years: Int
    /// Albums with so many plays or fewer are hidden.
    private let minimumPlayCount: Int
    private let standardYears: Int

    /// What the query asks for of a user's or chart's code; nil for other codes.
    ///
    /// - Throws: ``ServiceError`` 400 when the query does not make sense.
    init?(_ record: LinkRecord, request: Request) throws {
        switch record.link {
        case .user(let name):
            user = name
            anchor = .now
            standardYears = 1
        case .chart(let name, let week):
            user = name
            anchor = Timestamp(seconds: week.from + (week.to - week.from) / 2)
            standardYears = 0
        default: return nil
        }
        code = record.code
        years = try Self.number("years", request, in: -100...100) ?? standardYears
        minimumPlayCount = try Self.number("min", request, in: 0...1_000_000) ?? 0
    }

    private static func number(_ name: String, _ request: Request, in range: ClosedRange<Int>) throws -> Int? {
        guard let text = request.query(name) else { return nil }
        guard let value = Int(text), range.contains(value) else {
            throw ServiceError(.badRequest, "“\(name)” is a number from \(range.lowerBound) to \(range.upperBound).")
        }
        return value
    }

    func charts(_ client: LastFMClient) -> YearlyCharts { YearlyCharts(client, user: user, anchor: anchor) }

    /// For the template `albums`.
    func values(_ chart: AlbumChart, earlier: ChartWeek?, later: ChartWeek?) -> [String: Any] {
        let shown = chart.albums(above: minimumPlayCount)
        var values: [String: Any] = [
            "user": chart.user, "from": chart.week.firstDay.description, "to": chart.week.lastDay.description,
            "albums": shown.map { row($0) }, "filters": filters,
            "details": "/\(code)/albums/", "years": years,
        ]
        if let when { values["when"] = when }
        if let earlier { values["earlier"] = neighbour(earlier, years: years + 1) }
        if let later { values["later"] = neighbour(later, years: years - 1) }
        if chart.albums.isEmpty {
            values["empty"] = "No charts that week."
        } else if shown.isEmpty {
            let plays = counted(minimumPlayCount)
            values["empty"] = "None of the \(chart.albums.count) albums has more than \(plays)."
        }
        return values
    }

    func values(failure: String) -> [String: Any] {
        var values: [String: Any] = ["user": user.text, "failure": failure]
        if years != standardYears { values["back"] = href(years: standardYears, least: minimumPlayCount) }
        return values
    }

    private func row(_ album: ChartAlbum) -> [String: Any] {
        var row: [String: Any] = [
            "rank": album.rank, "artist": album.artist, "name": album.name, "plays": counted(album.playCount),
        ]
        if let url = album.url, (try? WebAddress(url)) != nil { row["url"] = url }
        return row
    }

    private var filters: [[String: Any]] {
        AlbumChart.playSteps.map { step in
            [
                "label": step == 0 ? "all" : "more than \(step)", "href": href(years: years, least: step),
                "isCurrent": step == minimumPlayCount,
            ]
        }
    }

    private func neighbour(_ week: ChartWeek, years: Int) -> [String: Any] {
        [
            "href": href(years: years, least: minimumPlayCount), "year": week.firstDay.year,
            "from": week.firstDay.description,
        ]
    }

    private func href(years: Int, least: Int) -> String {
        let items = [years == standardYears ? nil : "years=\(years)", least == 0 ? nil : "min=\(least)"]
            .compactMap(\.self)
        return "/\(code)" + (items.isEmpty ? "" : "?" + items.joined(separator: "&"))
    }

    /// How long ago, for a user's page, which counts from today.
    private var when: String? {
        guard standardYears == 1, years > 0 else { return nil }
        return years == 1 ? "a year ago" : "\(years) years ago"
    }
}
