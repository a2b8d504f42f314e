internal import Chirp
internal import ChirpLinks
internal import ChirpReport
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import Synchronization

/// Weekly album charts as parts of pages: of a chart's code its week, of a user's code this week a year ago, and from
/// both the years before and after.
final class ChartPages: Sendable {
    private let client: LastFMClient
    private let metrics: ServiceMetrics
    /// How many ask Last.fm, by the client's address.
    private let waiting = Mutex<[String: Int]>([:])
    private let known = Mutex<[String: (details: AlbumDetails, time: ContinuousClock.Instant)]>([:])

    /// Last.fm is asked a few times a second at most, so those who wait behind so many others would wait in vain.
    private static let waitingLimit = 24
    /// Those of one client, so that others get theirs.
    private static let clientLimit = 12
    private static let timeLimit = Duration.seconds(15)
    /// Pictures and plays of albums are good for an hour.
    private static let detailsAge = Duration.seconds(3_600)
    private static let detailsCapacity = 5_000

    init(_ client: LastFMClient, metrics: ServiceMetrics) {
        self.client = client
        self.metrics = metrics
    }

    /// What the page of a code shows of a chart; nil for codes of other kinds.
    func chart(of record: LinkRecord, request: Request, context: ServiceContext) async throws -> [String: Any]? {
        guard let view = try ChartView(record, request: request) else { return nil }
        do throws(ChartFailure) {
            let found = try await find(view, context)
            return view.values(found.chart, earlier: found.earlier, later: found.later)
        } catch {
            return view.values(failure: error.message)
        }
    }

    /// An album of the chart of a code, in full.
    func album(rank: Int, of record: LinkRecord, request: Request, context: ServiceContext) async throws -> JSONValue {
        guard let view = try ChartView(record, request: request) else {
            throw ServiceError(.notFound, "\(record.code) stands for no chart.", reason: .unknownCode)
        }
        let client = client
        do throws(ChartFailure) {
            return try await inTime(context) { [self] in
                let chart = try await view.charts(client).chart(yearsAgo: view.years)
                guard let album = chart.albums.first(where: { $0.rank == rank }) else { throw ChartFailure.noAlbum }
                return try await details(of: album, user: chart.user).json(album)
            }
        } catch {
            // What may be otherwise soon is no failure of the service, and is not logged as one.
            throw ServiceError(
                error.status, error.message,
                headers: error.status == .serviceUnavailable ? [.retryAfter: "5"] : [:])
        }
    }

    private func find(_ view: ChartView, _ context: ServiceContext) async throws(ChartFailure) -> (
        chart: AlbumChart, earlier: ChartWeek?, later: ChartWeek?
    ) {
        let client = client
        return try await inTime(context) {
            let charts = view.charts(client)
            let chart = try await charts.chart(yearsAgo: view.years)
            async let earlier = charts.neighbour(yearsAgo: view.years + 1)
            async let later = charts.neighbour(yearsAgo: view.years - 1)
            return (chart, await earlier, await later)
        }
    }

    private func details(of album: ChartAlbum, user: String) async throws -> AlbumDetails {
        let key = "\(user.lowercased())\0\(album.artist)\0\(album.name)"
        let now = ContinuousClock.now
        if let entry = known.withLock({ $0[key] }), now - entry.time < Self.detailsAge { return entry.details }
        let details = try await client.details(of: album, for: try UserName(user))
        known.withLock { known in
            if known.count >= Self.detailsCapacity { known.removeAll() }
            known[key] = (details, now)
        }
        return details
    }

    /// The result of a body that asks Last.fm, unless too many ask or it takes too long; what fails, but for what the visitor
    /// asked for, is logged and counted.
    private func inTime<T: Sendable>(
        _ context: ServiceContext, _ body: @escaping @Sendable () async throws -> T
    ) async throws(ChartFailure) -> T {
        do throws(ChartFailure) {
            let client = context.clientAddress
            try enter(client)
            defer { leave(client) }
            return try await Self.inTime(body)
        } catch {
            if let reason = error.reason {
                metrics.chartFailed(reason: reason.rawValue)
                context.logger.warning(
                    "no chart", metadata: ["cause": "\(error.cause)", "reason": "\(reason.rawValue)"])
            }
            throw error
        }
    }

    private func enter(_ client: String) throws(ChartFailure) {
        let isAllowed = waiting.withLock { waiting in
            let own = waiting[client, default: 0]
            guard own < Self.clientLimit, waiting.values.reduce(0, +) < Self.waitingLimit else { return false }
            waiting[client] = own + 1
            return true
        }
        guard isAllowed else { throw .tooMany }
    }

    private func leave(_ client: String) {
        waiting.withLock { waiting in
            let others = waiting[client, default: 1] - 1
            waiting[client] = others > 0 ? others : nil
        }
    }

    private static func inTime<T: Sendable>(_ body: @escaping @Sendable () async throws -> T) async throws(ChartFailure)
        -> T
    {
        do {
            return try await withThrowingTaskGroup(of: T.self) { group in
                group.addTask { try await body() }
                group.addTask {
                    try await Task.sleep(for: timeLimit)
                    throw ChartFailure.late
                }
                defer { group.cancelAll() }
                guard let result = try await group.next() else { throw ChartFailure.late }
                return result
            }
        } catch let failure as ChartFailure {
            throw failure
        } catch let error as ChartError {
            throw .chart(error)
        } catch let error as LastFMError {
            throw .chart(.lastFM(error))
        } catch {
            throw .late
        }
    }
}
