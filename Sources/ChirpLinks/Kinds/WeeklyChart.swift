/// The albums that a Last.fm user heard in a week.
struct WeeklyChart: Sendable, Hashable {
    let user: UserName
    let week: ChartWeek
}

extension WeeklyChart: LinkContent {
    static let kind = LinkKind.chart
    var link: Link { .chart(user, week) }
    var identity: [UInt8] { Self.identity(of: "\(user.folded)\0\(week.number)") }
    var url: String? { user.chartURL(week: week) }

    // `from` and `to` are the bounds of the week, seconds since 1970.
    static let members = [
        LinkJSONMember("user", .string), LinkJSONMember("from", .integer), LinkJSONMember("to", .integer),
    ]
    var values: [String: DataValue] {
        ["user": .string(user.text), "from": .integer(week.from), "to": .integer(week.to)]
    }

    init(_ summary: LinkSummary) throws {
        self.init(
            user: try UserName(summary.need("user")),
            week: try ChartWeek(from: summary.need("from"), to: summary.need("to")))
    }

    var columns: LinkColumns { LinkColumns(subject: user.text, weekFrom: week.from, weekTo: week.to) }

    init(_ columns: LinkColumns) throws {
        // No week is one of no length.
        self.init(
            user: try UserName(columns.subject),
            week: try ChartWeek(from: columns.weekFrom ?? 0, to: columns.weekTo ?? 0))
    }

    static let noun = "chart"
    var headline: String { "\(user)’s albums of the week of \(week.firstDay)" }

    static func detail(of summary: LinkSummary) -> String? {
        let day = summary.integer("from").map { Timestamp(seconds: $0).day.description }
        return "\(summary.string("user") ?? ""), week of \(day ?? "?")"
    }

    func card(_ record: LinkRecord) -> LinkCard {
        LinkCard(
            "Weekly album chart", heading: "\(user), \(week.firstDay) to \(week.lastDay)",
            action: .open(label: "This week on Last.fm", url: user.chartURL(week: week)))
    }
}

extension UserName {
    /// The page of the albums that the user heard in a week.
    public func chartURL(week: ChartWeek) -> String {
        "\(pageURL)/library/albums?from=\(week.firstDay)&to=\(week.lastDay)"
    }
}
