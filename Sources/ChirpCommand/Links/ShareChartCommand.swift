internal import ArgumentParser
internal import ChirpLinks

struct ShareChartCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chart", abstract: "Share the albums that a Last.fm user played in a week.")

    @OptionGroup var choice: WeekOptions
    @OptionGroup var sharing: ShareOptions

    mutating func run() async throws {
        let charts = try choice.charts(choice.client, beside: sharing.choice)
        let week = try await charts.week(yearsAgo: choice.years)
        try await sharing.share { try sharing.draft(.chart(charts.user, week)) }
    }
}
