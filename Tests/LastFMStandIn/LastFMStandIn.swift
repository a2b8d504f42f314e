internal import Foundation
internal import Synchronization

/// Answers as Last.fm does, with its shapes, quirks and errors, on a loopback port.
///
/// There are the users `RJ` (with albums in every week but the years 2010 and 2013, and 450 friends), `lonely` (one
/// album a week, one friend), `nobody-here` (no albums, no friends) and `secret` (whose data is private).
public final class LastFMStandIn: Sendable {
    /// How an empty list comes.
    public enum Emptiness: String, Sendable, CaseIterable { case text, list, absent }

    /// What varies between answers.
    public struct Manners: Sendable {
        public var numbersAreStrings = true
        public var emptiness = Emptiness.text
        /// Whether a week's end is the next one's beginning, or a second later than that.
        public var weeksTouch = false
        /// Requests within a second, after which error 29 follows; nil for any number.
        public var rateLimit: Int?
        /// The status of every error; nil for its own.
        public var errorStatus: Int?

        public init() {}
    }

    /// What is answered instead of the truth, once.
    public enum Fault: Sendable {
        case error(Int, String, status: Int)
        case raw(status: Int, headers: [(String, String)] = [], body: String)
        case hang
        case breakOff
        case drip
    }

    private struct State {
        var manners: Manners
        var faults: [Fault] = []
        var requests: [LoopbackServer.Request] = []
        var refusedCount = 0
    }

    public static let key = "0123456789abcdef0123456789abcdef"
    private final class Shared: Sendable {
        let state: Mutex<State>
        let now: Int64
        init(_ manners: Manners, now: Int64) {
            state = Mutex(State(manners: manners))
            self.now = now
        }
    }

    private let shared: Shared
    private let server: LoopbackServer

    /// - Parameter now: the last week of the list is the last that is over then, in seconds since 1970; nil: at present.
    public init(_ manners: Manners = Manners(), now: Int64? = nil) throws {
        let shared = Shared(manners, now: now ?? Int64(Date().timeIntervalSince1970))
        self.shared = shared
        server = try LoopbackServer { Self.answer($0, shared) }
    }

    /// What LASTFM_API_URL is set to.
    public var url: String { server.url + "2.0/" }
    /// Every request so far.
    public var requests: [LoopbackServer.Request] { shared.state.withLock(\.requests) }
    /// The methods that were asked, in order.
    public var methods: [String] { requests.map { $0.query["method"] ?? "" } }
    /// How many requests were one too many.
    public var refusedCount: Int { shared.state.withLock(\.refusedCount) }

    /// Answers the next requests so.
    public func fail(_ faults: [Fault]) { shared.state.withLock { $0.faults += faults } }
    public func setManners(_ change: @Sendable (inout Manners) -> Void) {
        shared.state.withLock { change(&$0.manners) }
    }
    public func forgetRequests() { shared.state.withLock { $0.requests = [] } }

    private static func answer(_ request: LoopbackServer.Request, _ shared: Shared) -> LoopbackServer.Answer {
        let (fault, manners, isTooMany) = shared.state.withLock { state -> (Fault?, Manners, Bool) in
            state.requests.append(request)
            let recent = state.requests.count { request.time - $0.time < .seconds(1) }
            let isTooMany = state.manners.rateLimit.map { recent > $0 } ?? false
            if isTooMany { state.refusedCount += 1 }
            return (state.faults.isEmpty ? nil : state.faults.removeFirst(), state.manners, isTooMany)
        }
        switch fault {
        case .hang: return .hang
        case .breakOff: return .breakOff
        case .drip: return .drip(count: 200)
        case .raw(let status, let headers, let body):
            return .respond(status: status, headers: headers, body: Array(body.utf8))
        case .error(let number, let message, let status): return respond(.init(number, message, status), manners)
        case nil: break
        }
        if isTooMany {
            return respond(.init(29, "Rate Limit Exceeded - Your IP has made too many requests", 429), manners)
        }
        do throws(LastFMAnswerError) {
            let value = try LastFMAnswers(manners: manners, now: shared.now).answer(request.query)
            return .respond(status: 200, headers: [("Content-Type", "application/json")], body: Array(value.utf8))
        } catch {
            return respond(error, manners)
        }
    }

    private static func respond(_ error: LastFMAnswerError, _ manners: Manners) -> LoopbackServer.Answer {
        .respond(
            status: manners.errorStatus ?? error.status, headers: [("Content-Type", "application/json")],
            body: Array("{\"message\":\"\(error.message)\",\"error\":\(error.number)}".utf8))
    }
}

struct LastFMAnswerError: Error {
    let number: Int
    let message: String
    let status: Int

    init(_ number: Int, _ message: String, _ status: Int) {
        self.number = number
        self.message = message
        self.status = status
    }
}
