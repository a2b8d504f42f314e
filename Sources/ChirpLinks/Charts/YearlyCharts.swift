/// Why there is no chart for a date.
public enum ChartError: Error, Sendable, Hashable {
    /// The date lies before the first week of Last.fm's list.
    case beforeFirstWeek(CivilDate, first: ChartWeek)
    /// The week of the date is not over, or in the future.
    case weekNotOver(CivilDate, last: ChartWeek)
    /// Last.fm's list has no week for the date.
    case noWeek(CivilDate)
    case lastFM(LastFMError)
}

/// A user's charts of the same time of year, year by year.
public struct YearlyCharts: Sendable {
    private let client: LastFMClient
    public let user: UserName
    /// The instant from which years are counted back.
    public let anchor: Timestamp
    private let now: Timestamp

    /// - Parameter anchor: now, or an instant of the day asked for.
    public init(_ client: LastFMClient, user: UserName, anchor: Timestamp, now: Timestamp = .now) {
        self.client = client
        self.user = user
        self.anchor = anchor
        self.now = now
    }

    /// An instant of a day for which only the date is known: 18:00 UTC, so that a Sunday means the week that begins on
    /// it at noon.
    public static func instant(of day: CivilDate) -> Timestamp { Timestamp(day, secondOfDay: 18 * 3_600) }

    /// The instant so many years before the anchor, at the same time of day.
    public func instant(yearsAgo years: Int) -> Timestamp {
        Timestamp(anchor.day.yearsAgo(years), secondOfDay: anchor.secondOfDay)
    }

    /// The week that contains the date so many years ago. For the present, whose week is not over, it is the last one.
    ///
    /// - Throws: ``ChartError``
    public func week(yearsAgo years: Int) async throws(ChartError) -> ChartWeek {
        let instant = instant(yearsAgo: years)
        switch try await list(until: instant).place(of: instant) {
        case .week(let week): return week
        case .beforeFirst(let first): throw .beforeFirstWeek(instant.day, first: first)
        case .afterLast(let last):
            guard instant <= now, instant.seconds - last.to < 2 * ChartWeek.length else {
                throw .weekNotOver(instant.day, last: last)
            }
            return last
        case .nowhere: throw .noWeek(instant.day)
        }
    }

    /// The chart of the week that contains the date so many years ago.
    ///
    /// - Throws: ``ChartError``
    public func chart(yearsAgo years: Int) async throws(ChartError) -> AlbumChart {
        let week = try await week(yearsAgo: years)
        do { return try await client.albumChart(of: user, week: week, now: now) } catch { throw .lastFM(error) }
    }

    /// The week a year earlier or later, when there is one with data.
    ///
    /// A neighbour that cannot be queried counts as having data: its failure must not hide the chart itself.
    public func neighbour(yearsAgo years: Int) async -> ChartWeek? {
        let instant = instant(yearsAgo: years)
        guard let list = try? await list(until: instant), case .week(let week) = list.place(of: instant) else {
            return nil
        }
        guard let chart = try? await client.albumChart(of: user, week: week, now: now) else {
            return client.isOffline ? nil : week
        }
        return chart.albums.isEmpty ? nil : week
    }

    private func list(until instant: Timestamp) async throws(ChartError) -> WeekList {
        do { return try await client.weeks(for: user, until: min(instant, now)) } catch { throw .lastFM(error) }
    }
}
