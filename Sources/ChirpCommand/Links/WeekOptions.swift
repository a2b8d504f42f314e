internal import ArgumentParser
internal import ChirpLinks

/// Whose chart of which week.
struct WeekOptions: ParsableArguments {
    @Argument(help: "A Last.fm user name. Default: the user marked with --me in chirp users.")
    var name: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("The week that contains this day.", valueName: "YYYY-MM-DD"))
    var week: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Go back this many years from that day, or from today. Default: 1, or 0 with --week.", valueName: "n"))
    var yearsAgo: Int?

    @Flag(help: "Use only cached responses.")
    var offline = false

    func validate() throws {
        if let week, CivilDate(week) == nil { throw ValidationError("--week takes a day as YYYY-MM-DD.") }
        if let yearsAgo, !(0...1_000).contains(yearsAgo) {
            throw ValidationError("--years-ago takes a number from 0 to 1000.")
        }
    }

    var years: Int { yearsAgo ?? (week == nil ? 1 : 0) }

    var client: LastFMClient {
        var configuration = LastFMClient.Configuration(environment: environment)
        configuration.isOffline = offline
        return LastFMClient(configuration)
    }

    /// - Throws: ``LinkError``, ``OneselfUnknown``
    func charts(_ client: LastFMClient, beside choice: RegistryOptions) throws -> YearlyCharts {
        let user = try UserName(try name ?? FollowedUsers.me(choice))
        let anchor = week.flatMap { CivilDate($0) }.map(YearlyCharts.instant(of:)) ?? .now
        return YearlyCharts(client, user: user, anchor: anchor)
    }
}
