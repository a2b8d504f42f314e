internal import ArgumentParser
internal import ChirpLinks
internal import ChirpReport
internal import Foundation

struct ChartCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chart", abstract: "Print the albums that a Last.fm user played in a week, years ago.",
        discussion: "Needs a Last.fm API key in LASTFM_API_KEY. Exits with status 1 when the week has no albums.")

    @OptionGroup var choice: WeekOptions
    @OptionGroup var registry: RegistryOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Hide albums with this many plays or fewer.",
            valueName: "n"))
    var minPlays = 0

    @Option(parsing: .unconditional, help: ArgumentHelp("Print one album's details.", valueName: "rank"))
    var album: Int?

    @Flag(help: "Print one JSON object.")
    var json = false

    func validate() throws {
        guard minPlays >= 0 else { throw ValidationError("--min-plays takes a number from 0 on.") }
        guard album ?? 1 >= 1 else { throw ValidationError("--album takes a rank from 1 on.") }
    }

    func run() async throws {
        let client = choice.client
        let charts = try choice.charts(client, beside: registry)
        let progress = LoadingNotice("asking Last.fm for \(charts.user)'s albums")
        let chart: AlbumChart
        do { chart = try await charts.chart(yearsAgo: choice.years) } catch {
            progress.end()
            throw error
        }
        if let album { return try await printAlbum(ranked: album, of: chart, client, progress) }
        let earlier = await charts.neighbour(yearsAgo: choice.years + 1)
        let later = await charts.neighbour(yearsAgo: choice.years - 1)
        progress.end()
        let albums = chart.albums(above: minPlays)
        let table = ChartTable(
            chart: chart, albums: albums, years: choice.years, anchorDay: choice.week, earlier: earlier, later: later)
        if json { try StandardOutput.print(table.json.text) } else { try print(table) }
        if albums.isEmpty { throw ExitCode.nothingFound }
    }

    private func print(_ table: ChartTable) throws {
        try StandardOutput.print(table.heading)
        if table.chart.albums.isEmpty {
            StandardError.say("no charts that week")
        } else if table.albums.isEmpty {
            StandardError.say("none of the \(table.chart.albums.count) albums has more than \(counted(minPlays))")
        }
        for line in table.rows { try StandardOutput.print(line) }
        for line in table.offers { try StandardOutput.print(line) }
    }

    private func printAlbum(
        ranked rank: Int, of chart: AlbumChart, _ client: LastFMClient, _ progress: LoadingNotice
    ) async throws {
        guard let album = chart.albums.first(where: { $0.rank == rank }) else {
            progress.end()
            StandardError.say("the chart has no album at rank \(rank), but \(chart.albums.count) albums")
            throw ExitCode.nothingFound
        }
        let details: AlbumDetails
        do { details = try await client.details(of: album, for: try UserName(chart.user)) } catch {
            progress.end()
            throw error
        }
        progress.end()
        if json { return try StandardOutput.print(details.json(album).text) }
        for line in details.lines(album, user: chart.user) { try StandardOutput.print(line) }
    }
}

/// A line on a terminal that says what is waited for, and goes when it is there.
struct LoadingNotice {
    private let isShown = isatty(STDERR_FILENO) == 1

    init(_ text: String) {
        if isShown { try? FileHandle.standardError.write(contentsOf: Data("\(text) …".utf8)) }
    }

    func end() {
        if isShown { try? FileHandle.standardError.write(contentsOf: Data("\r\u{1B}[K".utf8)) }
    }
}
