internal import Foundation

/// The answers to each method, as JSON.
struct LastFMAnswers {
    let manners: LastFMStandIn.Manners
    let now: Int64

    private static let friendCount = 450
    private static let firstWeek: Int64 = 1_108_296_000
    private static let weekLength: Int64 = 604_800
    private static let greyStar =
        "https://lastfm.freetls.fastly.net/i/u/300x300/2a96cbd8b46e442fc41c2b86b821562f.png"

    func answer(_ query: [String: String]) throws(LastFMAnswerError) -> String {
        guard query["format"] == "json" else {
            throw .init(5, "Invalid format - This service doesn't exist in that format", 400)
        }
        guard query["api_key"] == LastFMStandIn.key else {
            throw .init(10, "Invalid API key - You must be granted a valid key by last.fm", 403)
        }
        let value: [String: Any] =
            switch query["method"] {
            case "user.getInfo": ["user": try user(query)]
            case "user.getWeeklyChartList": try chartList(query)
            case "user.getWeeklyAlbumChart": try albumChart(query)
            case "user.getFriends": try friends(query)
            case "album.getInfo": try album(query)
            default: throw .init(3, "Invalid Method - No method with that name in this package", 400)
            }
        guard let data = try? JSONSerialization.data(withJSONObject: value, options: [.sortedKeys]) else {
            throw .init(8, "Operation failed - Most likely the backend service failed", 500)
        }
        return String(decoding: data, as: UTF8.self)
    }

    /// The proper spelling of the user asked for.
    private func name(_ query: [String: String]) throws(LastFMAnswerError) -> String {
        guard let name = query["user"], !name.isEmpty else {
            throw .init(6, "Invalid parameters - Your request is missing a required parameter", 400)
        }
        let known = ["RJ", "lonely", "nobody-here", "secret"] + (1...Self.friendCount).map { "Friend\($0)" }
        guard let found = known.first(where: { $0.lowercased() == name.lowercased() }) else {
            throw .init(6, "User not found", 404)
        }
        return found
    }

    private func publicName(_ query: [String: String]) throws(LastFMAnswerError) -> String {
        let name = try name(query)
        if name == "secret" { throw .init(17, "Login: User required to be logged in", 403) }
        return name
    }

    private func user(_ query: [String: String]) throws(LastFMAnswerError) -> [String: Any] {
        profile(try name(query), isInFriendsList: false)
    }

    private func profile(_ name: String, isInFriendsList: Bool) -> [String: Any] {
        let words = "2002-11-20 11:50"
        return [
            "name": name, "realname": name == "RJ" ? "Richard Jones " : "", "url": "https://www.last.fm/user/\(name)",
            "playcount": number(157_123), "image": pictures(nil),
            "registered": ["unixtime": number(1_037_793_040), "#text": isInFriendsList ? words : 1_037_793_040]
                as [String: Any],
        ]
    }

    private func chartList(_ query: [String: String]) throws(LastFMAnswerError) -> [String: Any] {
        let name = try publicName(query)
        let count = (now - Self.firstWeek) / Self.weekLength
        let weeks = (0..<count).map { index -> [String: Any] in
            let (from, to) = bounds(index)
            return ["from": number(from), "to": number(to), "#text": ""]
        }
        return ["weeklychartlist": ["chart": list(weeks), "@attr": ["user": name]] as [String: Any]]
    }

    /// As LASTFM.md quotes them: 1108296002–1108900802, then 1108900801–1109505601.
    private func bounds(_ index: Int64) -> (from: Int64, to: Int64) {
        let start = Self.firstWeek + index * Self.weekLength
        if manners.weeksTouch { return (start, start + Self.weekLength) }
        return index == 0
            ? (start + 2, start + Self.weekLength + 2) : (start + 1, start + Self.weekLength + 1)
    }

    private func albumChart(_ query: [String: String]) throws(LastFMAnswerError) -> [String: Any] {
        let name = try publicName(query)
        let last = (now - Self.firstWeek) / Self.weekLength - 1
        var (from, to) = bounds(last)
        // Both are given, or both are ignored.
        if let givenFrom = query["from"].flatMap({ Int64($0) }), let givenTo = query["to"].flatMap({ Int64($0) }) {
            (from, to) = (givenFrom, givenTo)
        }
        let index = (from + Self.weekLength / 2 - Self.firstWeek) / Self.weekLength
        let year = Calendar(identifier: .gregorian).component(
            .year, from: Date(timeIntervalSince1970: TimeInterval(from)))
        let count =
            switch name {
            case "RJ": year == 2010 || year == 2013 ? 0 : 40
            case "lonely": 1
            default: 0
            }
        let limit = min(count, query["limit"].flatMap { Int($0) } ?? 1_000)
        let albums = (0..<limit).map { album(rank: $0 + 1, week: index) }
        var chart: [String: Any] = [
            "@attr": ["user": name, "from": "\(from)", "to": "\(to)"]
        ]
        if let list = optionalList(albums) { chart["album"] = list }
        return ["weeklyalbumchart": chart]
    }

    private func album(rank: Int, week: Int64) -> [String: Any] {
        let awkward: [(String, String)] = [
            ("Björk", "Homogenic & <more>"), ("“Weird Al” Yankovic", "Even Worse / “Fat”"),
            ("坂本龍一", "戦場のメリークリスマス"),
            ("An Artist Whose Name Goes On and On and On", "A Title That Is No Shorter by Any Means"),
            ("Sigur Rós", "( )"), ("Evil\u{1B}[31mArtist", "Line\nBreak"),
        ]
        let (artist, title) =
            rank <= awkward.count ? awkward[rank - 1] : ("Artist \(rank)", "Album \(rank) of week \(week)")
        return [
            "artist": ["#text": artist, "mbid": ""], "name": title, "mbid": "",
            "playcount": number(Int64(max(1, 80 >> rank))), "url": "https://www.last.fm/music/a/\(rank)",
            "@attr": ["rank": number(Int64(rank))],
        ]
    }

    private func friends(_ query: [String: String]) throws(LastFMAnswerError) -> [String: Any] {
        let name = try publicName(query)
        let all =
            switch name {
            case "RJ": (1...Self.friendCount).map { "Friend\($0)" }
            case "lonely": ["RJ"]
            default: [String]()
            }
        guard !all.isEmpty else { throw .init(6, "no friends", 400) }
        let limit = query["limit"].flatMap { Int($0) } ?? 50
        let page = query["page"].flatMap { Int($0) } ?? 1
        let found = all.dropFirst((page - 1) * limit).prefix(limit).map { profile($0, isInFriendsList: true) }
        return [
            "friends": [
                "user": list(found),
                "@attr": [
                    "user": name, "page": number(Int64(page)), "perPage": number(Int64(limit)),
                    "totalPages": number(Int64((all.count + limit - 1) / limit)), "total": number(Int64(all.count)),
                ],
            ] as [String: Any]
        ]
    }

    private func album(_ query: [String: String]) throws(LastFMAnswerError) -> [String: Any] {
        guard let artist = query["artist"], let title = query["album"] else {
            throw .init(6, "Invalid parameters - Your request is missing a required parameter", 400)
        }
        guard !title.contains("( )") else { throw .init(6, "Album not found", 404) }
        var album: [String: Any] = [
            "artist": artist, "name": title, "playcount": number(1_234_567), "url": "https://www.last.fm/music/x/y",
            "image": pictures(artist == "Björk" ? "https://lastfm.freetls.fastly.net/i/u/300x300/abc.png" : nil),
            "wiki": [
                "summary": "Released in <b>1997</b> &amp; loved. "
                    + "<a href=\"https://www.last.fm/music/x/y\">Read more on Last.fm</a>."
            ],
        ]
        if query["username"] != nil { album["userplaycount"] = 417 }
        return ["album": album]
    }

    // MARK: - Shapes

    private func number(_ value: Int64) -> Any { manners.numbersAreStrings ? "\(value)" : value }

    /// A list of one comes as the object itself.
    private func list(_ values: [[String: Any]]) -> Any { optionalList(values) ?? "" }

    private func optionalList(_ values: [[String: Any]]) -> Any? {
        switch (values.count, manners.emptiness) {
        case (1, _): values[0]
        case (0, .text): ""
        case (0, .list): [Any]()
        case (0, .absent): nil
        default: values
        }
    }

    private func pictures(_ url: String?) -> [[String: Any]] {
        ["small", "medium", "large", "extralarge"].map { ["size": $0, "#text": url ?? Self.greyStar] }
    }
}
