internal import Foundation
internal import HTTPTypes

/// Asks Last.fm, a few times a second at most, again where that is worth it, and from the cache where answers never
/// change.
public actor LastFMClient {
    public struct Configuration: Sendable {
        /// Where the service answers.
        public var url = "https://ws.audioscrobbler.com/2.0/"
        public var key: String?
        /// The folder of the cache.
        public var cachePath: String
        public var cacheByteLimit = 50_000_000
        /// Whether to answer from the cache alone.
        public var isOffline = false
        /// The longest that one request takes.
        public var timeLimit = Duration.seconds(10)
        /// The shortest time between two requests.
        public var pace = Duration.milliseconds(250)
        /// How long to wait before the second attempt; twice as long before each further one.
        public var firstPause = Duration.milliseconds(500)
        public var attemptLimit = 4

        public init(cachePath: String) { self.cachePath = cachePath }

        /// What a person's environment says: `LASTFM_API_KEY`, `LASTFM_API_URL` and the XDG cache folder.
        public init(environment: [String: String]) {
            self.init(cachePath: DataFolder.cachePath(environment: environment) + "/lastfm")
            key = environment["LASTFM_API_KEY"].flatMap { $0.isEmpty ? nil : $0 }
            if let url = environment["LASTFM_API_URL"], !url.isEmpty { self.url = url }
        }
    }

    /// Which answers may come from the cache while online.
    enum Freshness: Sendable {
        /// It never changes.
        case permanent
        /// It is kept for offline use alone.
        case offlineOnly
        /// It is good while this holds.
        case valid(@Sendable (DataValue) -> Bool)

        func allows(_ answer: DataValue) -> Bool {
            switch self {
            case .permanent: true
            case .offlineOnly: false
            case .valid(let holds): holds(answer)
            }
        }
    }

    private let configuration: Configuration
    private let cache: DiskCache
    private let web = WebClient()
    private let clock = ContinuousClock()
    private var nextRequest: ContinuousClock.Instant

    public init(_ configuration: Configuration) {
        self.configuration = configuration
        cache = DiskCache(folder: configuration.cachePath, byteLimit: configuration.cacheByteLimit)
        nextRequest = ContinuousClock().now
    }

    /// Whether answers come from the cache alone.
    public nonisolated var isOffline: Bool { configuration.isOffline }

    /// One call of a method.
    ///
    /// - Parameters:
    ///   - isWhole: whether an answer without an error number is what such an answer is; others are not kept.
    func ask(
        _ method: String, _ parameters: [(String, String)], freshness: Freshness,
        isWhole: @Sendable (DataValue) -> Bool
    ) async throws(LastFMError) -> DataValue {
        let query = parameters.sorted { $0.0 < $1.0 }
        let folded = query.map { "\($0.0)=\($0.0 == "user" || $0.0 == "username" ? $0.1.lowercased() : $0.1)" }
        let name = "\(configuration.url) \(method) \(folded.joined(separator: "&"))"
        if let bytes = cache.bytes(for: name) {
            if let answer = Self.read(bytes), isWhole(answer) {
                if configuration.isOffline || freshness.allows(answer) { return answer }
            } else {
                cache.remove(name)
            }
        }
        guard !configuration.isOffline else { throw .notInCache(method: method) }
        guard let key = configuration.key else { throw .keyMissing }
        let items = [("method", method), ("api_key", key), ("format", "json")] + query
        let user = parameters.first { $0.0 == "user" }?.1 ?? ""
        let bytes = try await request(items, method: method, user: user)
        guard let answer = Self.read(bytes), isWhole(answer) else { throw .malformedAnswer(method: method) }
        cache.keep(bytes, for: name)
        return answer
    }

    /// Sends a request until it is answered, refused for good, or has failed too often.
    private func request(_ items: [(String, String)], method: String, user: String) async throws(LastFMError)
        -> [UInt8]
    {
        let query = items.map { "\($0.0)=\(Self.escaped($0.1))" }.joined(separator: "&")
        let url = "\(configuration.url)\(configuration.url.contains("?") ? "&" : "?")\(query)"
        var pause = configuration.firstPause
        var attempt = 1
        while true {
            await keepPace()
            let failure: LastFMError
            var wish: Duration?
            switch await send(url) {
            case .success(let answer):
                guard let error = Self.error(in: answer, method: method, user: user) else { return answer.body }
                guard case .busy = error else { throw error }
                failure = error
                wish = answer.header("retry-after").flatMap { Int($0) }.map { .seconds(min($0, 30)) }
            case .failure(let error):
                failure = .unreachable(error.message)
                guard error.reason == .interrupted else { throw failure }
            }
            guard attempt < configuration.attemptLimit else { throw failure }
            do { try await Task.sleep(for: max(pause, wish ?? .zero)) } catch { throw failure }
            pause *= 2
            attempt += 1
        }
    }

    private func send(_ url: String) async -> Result<WebAnswer, WebFailure> {
        do throws(WebFailure) {
            return .success(
                try await web.send(.get, url, timeout: configuration.timeLimit, byteLimit: 16_000_000))
        } catch { return .failure(error) }
    }

    /// Waits until the next request may go out. Who was late does not make the next one early.
    private func keepPace() async {
        while clock.now < nextRequest {
            do { try await Task.sleep(until: nextRequest, clock: clock) } catch { return }
        }
        nextRequest = clock.now + configuration.pace
    }

    /// The error that an answer is, under whichever status.
    private static func error(in answer: WebAnswer, method: String, user: String) -> LastFMError? {
        let value = read(answer.body)
        if let value, let number = value["error"].wholeNumber {
            return LastFMError(
                number: Int(number), message: value["message"].text ?? "", status: answer.status, method: method,
                user: user)
        }
        switch answer.status {
        case 200...299: return nil
        case 429, 500...599: return .busy(number: 0, message: "status \(answer.status)")
        default: return .refused(number: 0, message: "status \(answer.status)")
        }
    }

    private static func read(_ bytes: [UInt8]) -> DataValue? {
        try? JSONDecoder().decode(DataValue.self, from: Data(bytes))
    }

    private static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    /// RFC 3986, 2.3.
    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
