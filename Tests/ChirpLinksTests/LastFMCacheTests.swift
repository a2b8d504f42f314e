import Foundation
import LastFMStandIn
import Testing

@testable import ChirpLinks

@Suite struct LastFMCacheTests {
    private let week = try! ChartWeek(from: 1_108_900_801, to: 1_109_505_601)

    @Test func `a week that is over is asked for once, whoever asks and however the name is spelled`() async throws {
        let standIn = try LastFMStandIn()
        let cachePath = temporaryPath("cache")
        let first = try await lastFMClient(standIn, cachePath: cachePath).albumChart(of: UserName("rj"), week: week)
        let second = try await lastFMClient(standIn, cachePath: cachePath).albumChart(of: UserName("RJ"), week: week)
        #expect(first == second && standIn.requests.count == 1)
        _ = try await lastFMClient(standIn, cachePath: cachePath).albumChart(of: UserName("lonely"), week: week)
        #expect(standIn.requests.count == 2)
    }

    @Test func `a week that is not over, or only just, is asked for again`() async throws {
        let standIn = try LastFMStandIn()
        let client = lastFMClient(standIn)
        for end in [week.to - 1, week.to + 86_400] {
            _ = try await client.albumChart(of: UserName("rj"), week: week, now: Timestamp(seconds: end))
        }
        #expect(standIn.requests.count == 2)
        _ = try await client.albumChart(of: UserName("rj"), week: week, now: Timestamp(seconds: week.to + 86_401))
        #expect(standIn.requests.count == 2, "over for more than a day, it is taken from the cache")
    }

    @Test func `the list of weeks is asked for again when an instant lies after its end`() async throws {
        let monthAgo = Timestamp.now.advanced(by: .seconds(-30 * 86_400))
        let standIn = try LastFMStandIn(now: monthAgo.seconds)
        let client = lastFMClient(standIn)
        let old = Timestamp.now.advanced(by: .seconds(-365 * 86_400))
        for _ in 0..<3 { _ = try await client.weeks(for: UserName("rj"), until: old) }
        #expect(standIn.requests.count == 1)
        for _ in 0..<3 { _ = try await client.weeks(for: UserName("rj"), until: .now) }
        #expect(standIn.requests.count == 4)
    }

    @Test func `offline serves what was asked before, and only that, without a request or a key`() async throws {
        let standIn = try LastFMStandIn()
        let cachePath = temporaryPath("cache")
        let online = lastFMClient(standIn, cachePath: cachePath)
        let chart = try await online.albumChart(of: UserName("rj"), week: week)
        let user = try await online.user(UserName("rj"))
        let friends = try await online.friends(of: UserName("lonely"))
        standIn.forgetRequests()
        let offline = lastFMClient(standIn, cachePath: cachePath) {
            $0.isOffline = true
            $0.key = nil
        }
        #expect(try await offline.albumChart(of: UserName("rj"), week: week) == chart)
        #expect(try await offline.user(UserName("rj")) == user)
        #expect(try await offline.friends(of: UserName("lonely")) == friends)
        await #expect(throws: LastFMError.notInCache(method: "user.getInfo")) {
            try await offline.user(UserName("lonely"))
        }
        #expect(standIn.requests.isEmpty)
    }

    @Test func `the cache stays within its limit by giving up what was unused for longest`() async throws {
        let standIn = try LastFMStandIn()
        let cachePath = temporaryPath("cache")
        let client = lastFMClient(standIn, cachePath: cachePath) { $0.cacheByteLimit = 40_000 }
        func ask(_ index: Int64) async throws {
            let start = 1_108_900_801 + index * 604_800
            _ = try await client.albumChart(of: UserName("rj"), week: ChartWeek(from: start, to: start + 604_800))
        }
        for index in 0..<20 as Range<Int64> {
            try await ask(index)
            try await ask(0)
        }
        let files = try FileManager.default.contentsOfDirectory(
            at: URL(fileURLWithPath: cachePath), includingPropertiesForKeys: [.fileSizeKey])
        let total = try files.reduce(0) { $0 + (try $1.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0) }
        #expect(total <= 40_000 && total > 20_000)
        #expect(standIn.requests.count == 20, "the answer in use was never given up")
        try await ask(1)
        #expect(standIn.requests.count == 21, "the one unused for longest was")
    }

    @Test(arguments: ["", "{\"weeklyalbumchart\":", "\0\0\0\0"])
    func `a damaged answer in the cache is asked for again`(content: String) async throws {
        let standIn = try LastFMStandIn()
        let cachePath = temporaryPath("cache")
        let client = lastFMClient(standIn, cachePath: cachePath)
        let chart = try await client.albumChart(of: UserName("rj"), week: week)
        let files = try FileManager.default.contentsOfDirectory(atPath: cachePath)
        for file in files { try content.write(toFile: "\(cachePath)/\(file)", atomically: false, encoding: .utf8) }
        #expect(try await client.albumChart(of: UserName("rj"), week: week) == chart)
        #expect(try await client.albumChart(of: UserName("rj"), week: week) == chart)
        #expect(standIn.requests.count == 2)
    }

    @Test func `a cache that cannot be written costs nothing but its use`() async throws {
        let standIn = try LastFMStandIn()
        let client = lastFMClient(standIn, cachePath: "/proc/no/cache")
        #expect(try await client.albumChart(of: UserName("rj"), week: week).albums.count == 40)
        #expect(try await client.albumChart(of: UserName("rj"), week: week).albums.count == 40)
        #expect(standIn.requests.count == 2)
    }
}
