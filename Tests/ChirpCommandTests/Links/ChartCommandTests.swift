import Foundation
import LastFMStandIn
import Testing

/// `chirp chart`, `chirp share chart` and `chirp users` against a stand-in for Last.fm.
@Suite struct ChartCommandTests {
    @Test func `a chart is a table of rank, artist, album and plays with the neighbouring years`() async throws {
        let home = try Household(lastFM: try LastFMStandIn())
        let run = try await home.chirp("chart", "rj", "--week", "2012-02-29")
        #expect(run.status == 0 && run.errors == "", "\(run.errors)")
        let lines = run.outputLines
        #expect(lines[0] == "RJ, week of 2012-02-26 to 2012-03-03")
        #expect(lines[1].hasPrefix(" 1  Björk") && lines[1].hasSuffix("  40 plays"))
        #expect(lines[5].hasSuffix("   2 plays") && lines[6].hasSuffix("    1 play"))
        #expect(lines[6].contains("Evil·[31mArtist") && lines[6].contains("Line·Break"))
        #expect(lines.count == 42, "2013 has no data")
        #expect(lines[41] == "a year earlier, 2011-02-27: chirp chart RJ --week 2012-02-29 --years-ago 1")
        let later = try await home.chirp("chart", "rj", "--week", "2015-06-07", "--years-ago", "1").outputLines
        #expect(later[0] == "RJ, week of 2014-06-01 to 2014-06-07, 1 year ago")
        #expect(later.last == "a year later, 2015-06-07: chirp chart RJ --week 2015-06-07 --years-ago 0")
    }

    @Test func `albums of few plays are hidden, and an album's details are shown by its rank`() async throws {
        let home = try Household(lastFM: try LastFMStandIn())
        let few = try await home.chirp("chart", "rj", "--week", "2012-02-29", "--min-plays", "4", "--json").objects()[0]
        let albums = try #require(few["albums"] as? [[String: Any]])
        #expect(albums.map { $0["plays"] as? Int } == [40, 20, 10, 5] && few["from"] as? Int == 1_330_257_601)
        #expect((few["earlier"] as? [String: Any])?["years_ago"] as? Int == 1)
        let none = try await home.chirp("chart", "rj", "--week", "2012-02-29", "--min-plays", "40")
        #expect(none.status == 1 && none.errors == "chirp: none of the 40 albums has more than 40 plays\n")
        let album = try await home.chirp("chart", "rj", "--week", "2012-02-29", "--album", "1").outputLines
        #expect(album[0] == "Björk – Homogenic & <more>")
        #expect(album[1] == "40 plays that week, 417 plays by RJ, 1234567 plays by everybody")
        #expect(album.last == "Released in 1997 & loved.")
        #expect(try await home.chirp("chart", "rj", "--week", "2012-02-29", "--album", "41").status == 1)
    }

    @Test func `an empty week and a failure are distinguished`() async throws {
        let standIn = try LastFMStandIn()
        let home = try Household(lastFM: standIn)
        let empty = try await home.chirp("chart", "rj", "--week", "2013-06-01")
        #expect(empty.status == 1 && empty.errors == "chirp: no charts that week\n")
        #expect(empty.output.contains("a year earlier, 2012-05-27: "))
        let unknown = try await home.chirp("chart", "unheard-of").failure()
        #expect(unknown == "chirp: Last.fm does not know the user “unheard-of”; check the spelling")
        #expect(try await home.chirp("chart", "secret").failure().contains("are private"))
        #expect(try await home.chirp("chart", "rj", "--week", "2005-02-01").failure().contains("first week"))
        #expect(try await home.chirp("chart", "rj", "--offline").failure().contains("not available with --offline"))
        standIn.fail([.error(26, "Suspended API key", status: 403)])
        #expect(try await home.chirp("chart", "lonely").failure().contains("rejects the key"))
        #expect(try await Household().chirp("chart", "rj").failure().contains("LASTFM_API_KEY"))
    }

    @Test func `what was shown once is shown offline, and asks nothing`() async throws {
        let standIn = try LastFMStandIn()
        let home = try Household(lastFM: standIn)
        let shown = try await home.chirp("chart", "rj", "--years-ago", "3")
        standIn.forgetRequests()
        let again = try await home.chirp("chart", "rj", "--years-ago", "3", "--offline")
        #expect(again == shown && standIn.requests.isEmpty && shown.status == 0)
    }

    @Test func `a chart is shared under one code, whatever second its week begins at`() async throws {
        let standIn = try LastFMStandIn()
        let home = try Household(lastFM: standIn)
        let code = try await home.share("chart", "rj", "--week", "2012-02-29")
        standIn.setManners { $0.weeksTouch = true }
        var other = try Household(registry: home.registryPath, lastFM: standIn)
        other.environment["CHIRP_HISTORY"] = "off"
        #expect(try await other.share("chart", "RJ", "--week", "2012-03-01", "-o", "chart.wav") == code)
        #expect(try await other.chirp("decode", "chart.wav").codes == [code])
        let line = try await home.chirp("resolve", code).output
        #expect(
            line == "chart  rj, week of 2012-02-26  "
                + "https://www.last.fm/user/rj/library/albums?from=2012-02-26&to=2012-03-03\n")
    }

    @Test func `the list of users is kept in order, with oneself and friends`() async throws {
        let home = try Household(lastFM: try LastFMStandIn())
        #expect(try await home.chirp("users").status == 1)
        #expect(try await home.chirp("chart").failure().contains("chirp users add NAME --me"))
        #expect(try await home.chirp("users", "add", "LONELY", "--me").output == "lonely\n")
        #expect(try await home.chirp("users", "add", "friend7").output == "Friend7\n")
        #expect(try await home.chirp("users", "add", "Friend7").failure().contains("already in the list"))
        #expect(try await home.chirp("users", "add", "unheard-of").failure().contains("does not know the user"))
        let imported = try await home.chirp("users", "import")
        #expect(imported.status == 0 && imported.errors == "chirp: 1 friend, 1 of them new\n")
        #expect(try await home.chirp("users").outputLines == ["lonely  (me)", "Friend7", "RJ"])
        #expect(try await home.chirp("users", "move", "rj", "--to", "1").status == 0)
        #expect(try await home.chirp("users", "rename", "friend7", "friend8").output == "Friend8\n")
        #expect(try await home.chirp("users", "import", "rj").errors == "chirp: 450 friends, 449 of them new\n")
        #expect(
            try await home.chirp("users", "list").outputLines.prefix(4) == ["RJ", "lonely  (me)", "Friend8", "Friend1"])
        #expect(try await home.chirp("users", "remove", "LONELY").status == 0)
        #expect(try await home.chirp("users", "remove", "lonely").failure().contains("not in the list"))
        #expect(try await home.chirp("users", "move", "rj", "--to", "999").failure().contains("position 999"))
        let chart = try await home.chirp("users", "add", "lonely", "--me").status
        #expect(chart == 0)
        #expect(try await home.chirp("chart", "--week", "2012-02-29").output.contains("lonely, week of 2012-02-26"))
    }
}
