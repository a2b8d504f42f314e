import Foundation
import LastFMStandIn
import Testing

@testable import ChirpLinks

/// A client of a stand-in, quick to try again.
func lastFMClient(
    _ standIn: LastFMStandIn, cachePath: String = temporaryPath("cache"),
    _ change: (inout LastFMClient.Configuration) -> Void = { _ in }
) -> LastFMClient {
    var configuration = LastFMClient.Configuration(cachePath: cachePath)
    configuration.url = standIn.url
    configuration.key = LastFMStandIn.key
    configuration.pace = .zero
    configuration.firstPause = .milliseconds(1)
    // A machine that builds something else meanwhile is slow, and no test is about that.
    configuration.timeLimit = .seconds(60)
    change(&configuration)
    return LastFMClient(configuration)
}

/// The shapes that answers come in.
let allManners: [LastFMStandIn.Manners] = LastFMStandIn.Emptiness.allCases.flatMap { emptiness in
    [true, false].map { flag in
        var manners = LastFMStandIn.Manners()
        (manners.emptiness, manners.numbersAreStrings, manners.weeksTouch) = (emptiness, flag, flag)
        return manners
    }
}

@Suite struct LastFMClientTests {
    private static let week = try! ChartWeek(from: 1_108_900_801, to: 1_109_505_601)

    @Test(arguments: allManners)
    func `a user is read in any shape, in the proper spelling`(manners: LastFMStandIn.Manners) async throws {
        let user = try await lastFMClient(LastFMStandIn(manners)).user(UserName("rj"))
        #expect(user.name == "RJ" && user.realName == "Richard Jones ")
        #expect(user.playCount == 157_123 && user.registered == Timestamp(seconds: 1_037_793_040))
        #expect(user.imageURL == nil, "the grey star is no picture")
    }

    @Test(arguments: allManners)
    func `a chart of many albums, of one and of none is read in any shape`(manners: LastFMStandIn.Manners)
        async throws
    {
        let standIn = try LastFMStandIn(manners)
        let client = lastFMClient(standIn)
        let many = try await client.albumChart(of: UserName("rj"), week: Self.week)
        #expect(many.user == "RJ" && many.albums.map(\.rank) == Array(1...40))
        #expect(many.albums[0].artist == "Björk" && many.albums[0].name == "Homogenic & <more>")
        #expect(many.albums.prefix(3).map(\.playCount) == [40, 20, 10] && many.albums[39].playCount == 1)
        #expect(many.albums[0].url == "https://www.last.fm/music/a/1" && many.albums[0].mbid == nil)
        #expect(try await client.albumChart(of: UserName("lonely"), week: Self.week).albums.count == 1)
        #expect(try await client.albumChart(of: UserName("nobody-here"), week: Self.week).albums.isEmpty)
        let query = try #require(standIn.requests.first?.query)
        #expect(query["from"] == "1108900801" && query["to"] == "1109505601" && query["limit"] == "1000")
    }

    @Test(arguments: allManners)
    func `friends are read page by page, one alone and none in any shape`(manners: LastFMStandIn.Manners)
        async throws
    {
        let standIn = try LastFMStandIn(manners)
        let client = lastFMClient(standIn)
        let friends = try await client.friends(of: UserName("rj"))
        #expect(friends.map(\.name) == (1...450).map { "Friend\($0)" })
        #expect(friends[0].registered == Timestamp(seconds: 1_037_793_040), "not the date in words")
        #expect(standIn.requests.map { $0.query["page"] } == ["1", "2", "3"])
        #expect(try await client.friends(of: UserName("lonely")).map(\.name) == ["RJ"])
        #expect(try await client.friends(of: UserName("nobody-here")).isEmpty)
        await #expect(throws: LastFMError.unknownUser("unheard-of")) {
            try await client.friends(of: UserName("unheard-of"))
        }
    }

    @Test(arguments: allManners)
    func `an album's details are read in any shape, its description as plain text`(manners: LastFMStandIn.Manners)
        async throws
    {
        let client = lastFMClient(try LastFMStandIn(manners))
        let albums = try await client.albumChart(of: UserName("rj"), week: Self.week).albums
        let details = try await client.details(of: albums[0], for: UserName("rj"))
        #expect(details.playCount == 1_234_567 && details.userPlayCount == 417)
        #expect(details.summary == "Released in 1997 & loved.")
        #expect(details.imageURL == "https://lastfm.freetls.fastly.net/i/u/300x300/abc.png")
        #expect(try await client.details(of: albums[1], for: nil).imageURL == nil)
        #expect(try await client.details(of: albums[1], for: nil).userPlayCount == nil)
        await #expect(throws: LastFMError.unknownAlbum) { try await client.details(of: albums[4], for: nil) }
    }

    @Test func `a request names the program, the key and the format`() async throws {
        let standIn = try LastFMStandIn()
        _ = try await lastFMClient(standIn).user(UserName("rj"))
        let request = try #require(standIn.requests.first)
        #expect(request.userAgent?.hasPrefix("chirp/") == true && request.path == "/2.0/")
        #expect(
            request.query == [
                "method": "user.getInfo", "api_key": LastFMStandIn.key, "format": "json", "user": "rj",
            ])
    }

    // MARK: - Errors

    @Test(
        arguments: [
            (2, 400, LastFMError.refused(number: 2, message: "said")), (3, 400, .refused(number: 3, message: "said")),
            (4, 403, .keyRefused("said")), (5, 400, .refused(number: 5, message: "said")),
            (7, 400, .refused(number: 7, message: "said")), (9, 403, .refused(number: 9, message: "said")),
            (10, 403, .keyRefused("said")), (13, 403, .refused(number: 13, message: "said")),
            (17, 403, .privateUser("rj")), (26, 403, .keyRefused("said")), (6, 404, .unknownUser("rj")),
            (6, 400, .refused(number: 6, message: "said")), (99, 418, .refused(number: 99, message: "said")),
        ], [false, true])
    func `an error that another try does not mend is reported at once, under whichever status`(
        fault: (number: Int, status: Int, error: LastFMError), comesWithStatus200: Bool
    ) async throws {
        // What status alone tells apart cannot be told under 200.
        let error =
            comesWithStatus200 && fault.number == 6 ? LastFMError.refused(number: 6, message: "said") : fault.error
        let standIn = try LastFMStandIn()
        standIn.fail([.error(fault.number, "said", status: comesWithStatus200 ? 200 : fault.status)])
        await #expect(throws: error) { try await lastFMClient(standIn).user(UserName("rj")) }
        #expect(standIn.requests.count == 1)
    }

    @Test(arguments: [(8, 500), (11, 503), (16, 503), (29, 429), (16, 200)])
    func `an error that passes is asked again until it has passed`(number: Int, status: Int) async throws {
        let standIn = try LastFMStandIn()
        let fault = LastFMStandIn.Fault.error(number, "busy", status: status)
        standIn.fail([fault, fault, fault])
        #expect(try await lastFMClient(standIn).user(UserName("rj")).name == "RJ")
        #expect(standIn.requests.count == 4)
        standIn.fail([fault, fault, fault, fault])
        await #expect(throws: LastFMError.busy(number: number, message: "busy")) {
            try await lastFMClient(standIn).user(UserName("rj"))
        }
        #expect(standIn.requests.count == 8)
    }

    @Test func `the pauses before further attempts double, and Retry-After is heeded`() async throws {
        let standIn = try LastFMStandIn()
        standIn.fail([
            .error(16, "", status: 503), .error(16, "", status: 503),
            .raw(status: 429, headers: [("Retry-After", "1")], body: "slow down"),
        ])
        _ = try await lastFMClient(standIn) { $0.firstPause = .milliseconds(100) }.user(UserName("rj"))
        let times = standIn.requests.map(\.time)
        #expect(times[1] - times[0] >= .milliseconds(100))
        #expect(times[2] - times[1] >= .milliseconds(200))
        #expect(times[3] - times[2] >= .seconds(1))
    }

    @Test func `a connection that breaks is made again`() async throws {
        let standIn = try LastFMStandIn()
        standIn.fail([.breakOff, .breakOff])
        #expect(try await lastFMClient(standIn).user(UserName("rj")).name == "RJ")
        #expect(standIn.requests.count == 3)
    }

    @Test(arguments: [LastFMStandIn.Fault.hang, .drip])
    func `an answer that does not come is waited for once, no longer than the time limit`(fault: LastFMStandIn.Fault)
        async throws
    {
        let standIn = try LastFMStandIn()
        standIn.fail([fault])
        await #expect(throws: LastFMError.unreachable("no answer in time")) {
            try await lastFMClient(standIn) { $0.timeLimit = .seconds(1) }.user(UserName("rj"))
        }
        #expect(standIn.requests.count <= 1, "one that is late in reaching it may not have")
    }

    @Test func `nobody at the other end is reported at once`() async throws {
        var configuration = LastFMClient.Configuration(cachePath: temporaryPath("cache"))
        configuration.url = "http://127.0.0.1:1/2.0/"
        configuration.key = "key"
        let client = LastFMClient(configuration)
        await #expect(throws: LastFMError.unreachable("connection refused")) { try await client.user(UserName("rj")) }
    }

    @Test(arguments: ["<html>Maintenance</html>", "{\"user\":", "", "[]", "{}", "{\"user\":{\"name\":\"\"}}"])
    func `an answer that is none is reported, and not kept`(body: String) async throws {
        let standIn = try LastFMStandIn()
        let cachePath = temporaryPath("cache")
        standIn.fail([.raw(status: 200, body: body)])
        await #expect(throws: LastFMError.malformedAnswer(method: "user.getInfo")) {
            try await lastFMClient(standIn, cachePath: cachePath).user(UserName("rj"))
        }
        await #expect(throws: LastFMError.notInCache(method: "user.getInfo")) {
            try await lastFMClient(standIn, cachePath: cachePath) { $0.isOffline = true }.user(UserName("rj"))
        }
    }

    @Test func `a gateway's page of an error that passes is asked again`() async throws {
        let standIn = try LastFMStandIn()
        standIn.fail([.raw(status: 502, body: "<html>Bad Gateway</html>")])
        #expect(try await lastFMClient(standIn).user(UserName("rj")).name == "RJ")
    }

    @Test func `without a key nothing is asked, and a wrong one is refused`() async throws {
        let standIn = try LastFMStandIn()
        await #expect(throws: LastFMError.keyMissing) {
            try await lastFMClient(standIn) { $0.key = nil }.user(UserName("rj"))
        }
        #expect(standIn.requests.isEmpty)
        await #expect(throws: LastFMError.keyRefused("Invalid API key - You must be granted a valid key by last.fm")) {
            try await lastFMClient(standIn) { $0.key = "wrong" }.user(UserName("rj"))
        }
    }

    @Test func `private data is distinguished from a user who is unknown`() async throws {
        let client = lastFMClient(try LastFMStandIn())
        await #expect(throws: LastFMError.privateUser("secret")) {
            try await client.weeks(for: UserName("secret"), until: .now)
        }
        await #expect(throws: LastFMError.unknownUser("unheard-of")) {
            try await client.weeks(for: UserName("unheard-of"), until: .now)
        }
    }

    // MARK: - Rate

    @Test func `the pace stays within a service's limit, which a client without one runs into`() async throws {
        var manners = LastFMStandIn.Manners()
        manners.rateLimit = 8
        let standIn = try LastFMStandIn(manners)
        func ask(_ client: LastFMClient, _ count: Int) async throws {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<count { group.addTask { _ = try await client.user(UserName("rj")) } }
                try await group.waitForAll()
            }
        }
        // Five slots of the limit are left for a machine that is late with one request and not with the next.
        try await ask(lastFMClient(standIn) { $0.pace = .milliseconds(400) }, 10)
        #expect(standIn.requests.count == 10 && standIn.refusedCount == 0)
        try? await ask(lastFMClient(standIn) { $0.attemptLimit = 1 }, 40)
        #expect(standIn.refusedCount > 0)
    }
}
