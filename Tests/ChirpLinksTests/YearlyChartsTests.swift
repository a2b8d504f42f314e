import LastFMStandIn
import Testing

@testable import ChirpLinks

@Suite struct YearlyChartsTests {
    private static func list(_ bounds: [(Int64, Int64)]) throws -> WeekList {
        WeekList(try bounds.map { try ChartWeek(from: $0.0, to: $0.1) })
    }

    @Test func `an instant falls into the week that contains it, of two that do the later one`() throws {
        let overlapping = try Self.list([(1_108_296_002, 1_108_900_802), (1_108_900_801, 1_109_505_601)])
        let touching = try Self.list([(1_108_296_000, 1_108_900_800), (1_108_900_800, 1_109_505_600)])
        let gapped = try Self.list([(1_108_296_000, 1_108_900_799), (1_108_900_801, 1_109_505_600)])
        func number(_ list: WeekList, _ seconds: Int64) -> Int64? {
            if case .week(let week) = list.place(of: Timestamp(seconds: seconds)) { week.number } else { nil }
        }
        #expect(number(overlapping, 1_108_296_002) == 0 && number(overlapping, 1_108_900_800) == 0)
        #expect(number(overlapping, 1_108_900_801) == 1 && number(overlapping, 1_108_900_802) == 1)
        #expect(number(touching, 1_108_900_799) == 0 && number(touching, 1_108_900_800) == 1)
        #expect(number(gapped, 1_108_900_799) == 0 && number(gapped, 1_108_900_801) == 1)
        #expect(gapped.place(of: Timestamp(seconds: 1_108_900_800)) == .nowhere)
        #expect(touching.place(of: Timestamp(seconds: 1_108_295_999)) == .beforeFirst(touching.weeks[0]))
        #expect(touching.place(of: Timestamp(seconds: 1_109_505_601)) == .afterLast(touching.weeks[1]))
        #expect(WeekList([]).place(of: .now) == .nowhere)
    }

    /// Saturday 21 November 2026, 9:00 UTC.
    private static let now = Timestamp(CivilDate("2026-11-21")!, secondOfDay: 9 * 3_600)

    private func charts(
        _ user: String = "rj", day: String? = nil, weeksTouch: Bool = false
    ) throws -> (YearlyCharts, LastFMStandIn) {
        var manners = LastFMStandIn.Manners()
        manners.weeksTouch = weeksTouch
        let standIn = try LastFMStandIn(manners, now: Self.now.seconds)
        let anchor = day.map { YearlyCharts.instant(of: CivilDate($0)!) } ?? Self.now
        return (
            YearlyCharts(lastFMClient(standIn), user: try UserName(user), anchor: anchor, now: Self.now), standIn
        )
    }

    @Test(
        arguments: [
            (nil, 1, "2025-11-16"), (nil, 2, "2024-11-17"), (nil, 21, "2005-11-20"), (nil, 0, "2026-11-08"),
            ("2012-02-29", 0, "2012-02-26"), ("2012-02-29", 1, "2011-02-27"), ("2005-02-13", 0, "2005-02-13"),
            ("2015-06-07", 0, "2015-06-07"), ("2015-06-06", 0, "2015-05-31"), ("2026-11-14", 0, "2026-11-08"),
        ] as [(String?, Int, String)], [false, true])
    func `the week of a day years ago begins on the Sunday at or before it`(
        choice: (day: String?, years: Int, firstDay: String), weeksTouch: Bool
    ) async throws {
        let week = try await charts(day: choice.day, weeksTouch: weeksTouch).0.week(yearsAgo: choice.years)
        #expect(week.firstDay.description == choice.firstDay)
    }

    @Test func `days before the first week and weeks that are not over have no chart`() async throws {
        let (charts, _) = try charts(day: "2005-02-12")
        await #expect {
            try await charts.week(yearsAgo: 0)
        } throws: {
            if case ChartError.beforeFirstWeek(let day, let first)? = $0 as? ChartError {
                day == CivilDate("2005-02-12") && first.number == 0
            } else {
                false
            }
        }
        for day in ["2026-11-22", "2030-01-01"] {
            let (charts, _) = try self.charts(day: day)
            await #expect {
                try await charts.week(yearsAgo: 0)
            } throws: {
                if case ChartError.weekNotOver? = $0 as? ChartError { true } else { false }
            }
        }
    }

    @Test func `neighbouring years are named where they have data, and nowhere else`() async throws {
        let (charts, standIn) = try charts()
        #expect(try await charts.chart(yearsAgo: 15).albums.count == 40)
        #expect(await charts.neighbour(yearsAgo: 14)?.firstDay.description == "2012-11-18")
        #expect(await charts.neighbour(yearsAgo: 16) == nil, "2010 has no data")
        #expect(await charts.neighbour(yearsAgo: 13) == nil, "2013 has none either")
        #expect(await charts.neighbour(yearsAgo: 22) == nil, "2004 lies before the first week")
        #expect(await charts.neighbour(yearsAgo: -1) == nil, "2027 lies in the future")
        standIn.fail([.error(17, "", status: 403)])
        #expect(await charts.neighbour(yearsAgo: 11) != nil, "data that cannot be asked for is taken to be there")
    }

    @Test func `a week without albums is empty and no failure`() async throws {
        #expect(try await charts("nobody-here").0.chart(yearsAgo: 1).albums.isEmpty)
        #expect(try await charts().0.chart(yearsAgo: 13).albums.isEmpty)
    }

    @Test func `albums of few plays are hidden by their plays alone`() async throws {
        let chart = try await charts().0.chart(yearsAgo: 1)
        #expect(AlbumChart.playSteps == [0, 1, 2, 4, 8, 16, 32])
        #expect(chart.albums(above: 0).count == 40)
        #expect(chart.albums(above: 1).map(\.playCount) == [40, 20, 10, 5, 2])
        #expect(chart.albums(above: 4).map(\.playCount) == [40, 20, 10, 5])
        #expect(chart.albums(above: 32).map(\.playCount) == [40])
    }
}
