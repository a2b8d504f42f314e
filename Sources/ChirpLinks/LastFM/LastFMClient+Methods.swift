extension LastFMClient {
    /// `user.getInfo`.
    ///
    /// - Throws: ``LastFMError``
    public func user(_ name: UserName) async throws(LastFMError) -> LastFMUser {
        let answer = try await ask("user.getInfo", [("user", name.text)], freshness: .offlineOnly) {
            $0["user"]["name"].text != nil
        }
        return Self.user(answer["user"])
            ?? LastFMUser(
                name: name.text, realName: nil, playCount: nil, registered: nil, imageURL: nil)
    }

    /// `user.getWeeklyChartList`: every week there is, in order.
    ///
    /// The list in the cache is good for as long as the instant asked for lies in it.
    ///
    /// - Throws: ``LastFMError``
    public func weeks(for name: UserName, until instant: Timestamp) async throws(LastFMError) -> WeekList {
        let answer = try await ask(
            "user.getWeeklyChartList", [("user", name.text)],
            freshness: .valid { Self.weeks($0).last.map { $0.to > instant.seconds } ?? false },
            isWhole: { if case .object = $0["weeklychartlist"] { true } else { false } })
        return WeekList(Self.weeks(answer))
    }

    /// `user.getWeeklyAlbumChart`; a week that has been over for a day is kept for ever.
    ///
    /// - Throws: ``LastFMError``
    public func albumChart(of name: UserName, week: ChartWeek, now: Timestamp = .now) async throws(LastFMError)
        -> AlbumChart
    {
        let isPast = week.to + 86_400 < now.seconds
        let answer = try await ask(
            "user.getWeeklyAlbumChart",
            [("user", name.text), ("from", "\(week.from)"), ("to", "\(week.to)"), ("limit", "1000")],
            freshness: isPast ? .permanent : .offlineOnly,
            isWhole: { if case .object = $0["weeklyalbumchart"] { true } else { false } })
        let chart = answer["weeklyalbumchart"]
        let albums = chart["album"].list.enumerated().compactMap { index, value -> ChartAlbum? in
            guard let album = value["name"].text, let plays = value["playcount"].wholeNumber else { return nil }
            return ChartAlbum(
                rank: value["@attr"]["rank"].wholeNumber.map { Int($0) } ?? index + 1,
                artist: value["artist"]["#text"].text ?? value["artist"]["name"].text ?? value["artist"].text ?? "",
                name: album, playCount: Int(plays), url: value["url"].text, mbid: value["mbid"].text)
        }
        return AlbumChart(
            user: chart["@attr"]["user"].text ?? name.text, week: week, albums: albums.sorted { $0.rank < $1.rank })
    }

    /// `user.getFriends`, all pages of it.
    ///
    /// - Throws: ``LastFMError``
    public func friends(of name: UserName) async throws(LastFMError) -> [LastFMUser] {
        var friends: [LastFMUser] = []
        var page: Int64 = 1
        while true {
            let answer: DataValue
            do throws(LastFMError) {
                answer = try await ask(
                    "user.getFriends", [("user", name.text), ("page", "\(page)"), ("limit", "200")],
                    freshness: .offlineOnly, isWhole: { if case .object = $0["friends"] { true } else { false } })
            } catch .noFriends { return friends }
            let found = answer["friends"]["user"].list.compactMap(Self.user)
            friends += found
            let pageCount = answer["friends"]["@attr"]["totalPages"].wholeNumber ?? 1
            guard page < pageCount, !found.isEmpty else { return friends }
            page += 1
        }
    }

    /// `album.getInfo`, with the plays of a user.
    ///
    /// - Throws: ``LastFMError``
    public func details(of album: ChartAlbum, for name: UserName?) async throws(LastFMError) -> AlbumDetails {
        var parameters = [("artist", album.artist), ("album", album.name)]
        if let name { parameters.append(("username", name.text)) }
        let answer = try await ask("album.getInfo", parameters, freshness: .offlineOnly) {
            if case .object = $0["album"] { true } else { false }
        }
        let value = answer["album"]
        return AlbumDetails(
            artist: value["artist"].text ?? value["artist"]["name"].text ?? album.artist,
            name: value["name"].text ?? album.name, imageURL: value["image"].pictureURL,
            playCount: value["playcount"].wholeNumber, userPlayCount: value["userplaycount"].wholeNumber,
            summary: value["wiki"]["summary"].text.map(Self.plainText), url: value["url"].text ?? album.url)
    }

    private static func user(_ value: DataValue) -> LastFMUser? {
        guard let name = value["name"].text else { return nil }
        // In a friends list the text of `registered` is a date in words; the number has a key of its own.
        let registered = value["registered"]["unixtime"].wholeNumber ?? value["registered"]["#text"].wholeNumber
        return LastFMUser(
            name: name, realName: value["realname"].text, playCount: value["playcount"].wholeNumber,
            registered: registered.flatMap { (0..<1 << 40).contains($0) ? Timestamp(seconds: $0) : nil },
            imageURL: value["image"].pictureURL)
    }

    private static func weeks(_ answer: DataValue) -> [ChartWeek] {
        answer["weeklychartlist"]["chart"].list.compactMap { value in
            guard let from = value["from"].wholeNumber, let to = value["to"].wholeNumber else { return nil }
            return try? ChartWeek(from: from, to: to)
        }.sorted { $0.from < $1.from }
    }

    /// A description without the link at its end and other mark-up.
    static func plainText(_ html: String) -> String {
        let withoutLink = html.replacing(#/<a\s[^>]*>\s*Read more on Last\.fm\s*</a>\.?/#, with: "")
        let text = withoutLink.replacing(#/<[^>]*>/#, with: "")
        let entities = [
            ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&"),
        ]
        return singleLine(entities.reduce(text) { $0.replacing($1.0, with: $1.1) })
    }
}
