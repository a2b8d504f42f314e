public import Chirp
internal import Foundation
internal import HTTPTypes

/// The registry of a `chirp serve`, over ``RegistryAPI``.
///
/// A request that met a broken connection is repeated for as long as `retryTimeout`: all of them may be. One that the service has no
/// time for is repeated when it says, so that copies of a registry get to their end.
public final class HTTPRegistry: Registry {
    private let base: String
    private let key: String?
    private let retryTimeout: Duration
    private let client = WebClient()
    /// The longest that a file of 10 MB may be on its way, there or back.
    private static let transferTimeout = Duration.seconds(120)
    /// How long a service that is busy is asked again for parts of a copy of it.
    private static let copyPatience = Duration.seconds(300)
    /// How much longer a service may take to write than to look up: its file may be locked.
    private static let writingTime = Duration.seconds(10)
    /// What a connection takes at least, in bytes a second.
    private static let slowestUpload = 100_000

    /// - Parameters:
    ///   - url: the service's address.
    ///   - key: what lets one list, export and import; see ``RegistryAPI``.
    public init(url: String, key: String? = nil, retryTimeout: Duration = .seconds(10)) {
        var base = url
        while base.hasSuffix("/") { base.removeLast() }
        self.base = base
        self.key = key
        self.retryTimeout = retryTimeout
    }

    public func register(_ draft: LinkDraft) async throws(RegistryError) -> Registration {
        let answer: RegisterAnswer = try await ask(
            .post, "/links", operation: "register", body: encode(RegisterRequest(draft)))
        return Registration(
            record: answer.link, isNew: answer.isNew, deletionToken: answer.deletionToken.flatMap(DeletionToken.init))
    }

    public func record(of code: Shortcode) async throws(RegistryError) -> LinkRecord? {
        try await find("/links/\(code)", operation: "look up").map { body throws(RegistryError) in
            try decode(body, operation: "look up")
        }
    }

    public func content(of code: Shortcode) async throws(RegistryError) -> [UInt8]? {
        try await find("/links/\(code)/content", operation: "read a file", patience: Self.copyPatience)
    }

    public func delete(_ code: Shortcode, token: DeletionToken) async throws(RegistryError) -> Bool {
        let (answer, attempt) = try await request(
            .delete, "/links/\(code)", operation: "delete", authorization: token.text)
        if Self.isUnknownCode(answer) { return attempt > 0 }
        try check(answer, operation: "delete")
        return true
    }

    public func list(_ query: LinkQuery) async throws(RegistryError) -> [LinkRecord] {
        var items = ["limit=\(query.limit)"]
        if let search = query.search { items.append("search=\(Self.escaped(search))") }
        if let kind = query.kind { items.append("kind=\(kind.rawValue)") }
        if let after = query.after {
            items += ["created=\(Self.escaped(after.created.description))", "code=\(after.code)"]
        }
        let body: RegistryAPI.LinksBody = try await ask(
            .get, "/links?\(items.joined(separator: "&"))", operation: "list", authorization: key)
        return body.links
    }

    public func entries(after code: Shortcode?, limit: Int) async throws(RegistryError) -> [RegistryEntry] {
        let after = code.map { "&after=\($0)" } ?? ""
        let body: RegistryAPI.EntriesBody = try await ask(
            .get, "/entries?limit=\(limit)\(after)", operation: "export", authorization: key,
            patience: Self.copyPatience)
        return body.entries
    }

    public func add(_ entries: [RegistryEntry]) async throws(RegistryError) -> ImportOutcome {
        if let entry = entries.first(where: { ($0.record.link.kind == .file) != ($0.content != nil) }) {
            throw .contentMissing(entry.record.code)
        }
        return try await ask(
            .post, "/entries", operation: "import", body: encode(RegistryAPI.EntriesBody(entries: entries)),
            authorization: key, patience: Self.copyPatience)
    }

    public func removeExpired() async throws(RegistryError) -> Int {
        let body: RegistryAPI.RemovedBody = try await ask(
            .delete, "/expired", operation: "remove what has expired", authorization: key)
        return body.removed
    }

    public func check() async throws(RegistryError) -> RegistryState {
        let state: RegistryState = try await ask(.get, "", operation: "check")
        return RegistryState(store: "http", schemaVersion: state.schemaVersion)
    }

    public func close() async {}

    // MARK: - Requests

    private func ask<T: Decodable>(
        _ method: HTTPRequest.Method, _ path: String, operation: String, body: [UInt8]? = nil,
        authorization: String? = nil, patience: Duration? = nil
    ) async throws(RegistryError) -> T {
        let (answer, _) = try await request(
            method, path, operation: operation, body: body, authorization: authorization, patience: patience)
        try check(answer, operation: operation)
        return try decode(answer.body, operation: operation)
    }

    private func find(
        _ path: String, operation: String, patience: Duration? = nil
    ) async throws(RegistryError) -> [UInt8]? {
        let (answer, _) = try await request(.get, path, operation: operation, patience: patience)
        if Self.isUnknownCode(answer) { return nil }
        try check(answer, operation: operation)
        return answer.body
    }

    /// Sends a request, and repeats it when the connection broke, and when the service is busy; returns the number of repetitions.
    ///
    /// - Parameter patience: how long a busy service is asked again, if not for `retryTimeout`.
    private func request(
        _ method: HTTPRequest.Method, _ path: String, operation: String, body: [UInt8]? = nil,
        authorization: String? = nil, patience: Duration? = nil
    ) async throws(RegistryError) -> (WebAnswer, attempt: Int) {
        var headers = [("Accept", "application/json")]
        if body != nil { headers.append(("Content-Type", "application/json")) }
        if let authorization { headers.append(("Authorization", "Bearer \(authorization)")) }
        let clock = ContinuousClock()
        var deadline = clock.now + retryTimeout
        let busyDeadline = clock.now + (patience ?? retryTimeout)
        let upload = Duration.seconds(Double(body?.count ?? 0) / Double(Self.slowestUpload))
        let headTimeout =
            min(.seconds(30), max(patience ?? retryTimeout, .seconds(1)))
            + (body == nil ? .zero : Self.writingTime + min(upload, Self.transferTimeout))
        var pause = Duration.milliseconds(50)
        var attempt = 0
        while true {
            do throws(WebFailure) {
                let answer = try await client.send(
                    method, base + RegistryAPI.root + path, headers: headers, body: body,
                    timeout: Self.transferTimeout, headTimeout: headTimeout, byteLimit: 64 * 1_048_576)
                guard let wait = Self.wait(askedForBy: answer), clock.now + wait < busyDeadline,
                    (try? await Task.sleep(for: wait)) != nil
                else { return (answer, attempt) }
                deadline = clock.now + retryTimeout
            } catch {
                let mayPass = error.reason == .unreachable || error.reason == .interrupted
                guard mayPass, clock.now + pause < deadline, (try? await Task.sleep(for: pause)) != nil else {
                    throw failure(error.reason == .other ? .other : .unreachable, operation, error.message)
                }
                pause = min(pause * 2, .seconds(1))
                attempt += 1
            }
        }
    }

    /// How long a service that is busy asks to be left alone.
    private static func wait(askedForBy answer: WebAnswer) -> Duration? {
        guard [429, 503].contains(answer.status),
            let seconds = answer.header("retry-after").flatMap({ Int($0) }), (0...3_600).contains(seconds)
        else { return nil }
        return .seconds(max(1, seconds))
    }

    private static let notARegistry = "the answer is not that of a chirp registry"

    private static func errorBody(_ answer: WebAnswer) -> RegistryAPI.ErrorBody? {
        try? JSONDecoder().decode(RegistryAPI.ErrorBody.self, from: Data(answer.body))
    }

    /// Whether a registry says that a code stands for nothing. Any other server's 404 says nothing about codes.
    private static func isUnknownCode(_ answer: WebAnswer) -> Bool {
        answer.status == 404 && errorBody(answer)?.error.reason == .unknownCode
    }

    /// Throws the error that a response with a status other than 2xx carries.
    private func check(_ answer: WebAnswer, operation: String) throws(RegistryError) {
        guard !(200...299).contains(answer.status) else { return }
        let body = Self.errorBody(answer)
        let message =
            body?.error.msg
            ?? (answer.status == 404 ? Self.notARegistry : "status \(answer.status)")
        let code = body?.error.shortcode.flatMap { try? Shortcode(parsing: $0) }
        switch (body?.error.reason, code) {
        case (.codeTaken, let code?): throw .codeTaken(code)
        case (.linkHasCode, let code?): throw .linkHasCode(code)
        case (.wrongToken, let code?): throw .wrongToken(code)
        case (.contentMissing, let code?): throw .contentMissing(code)
        case (.keyRequired, _): throw failure(.accessDenied, operation, message)
        case (.storeFull, _): throw failure(.full, operation, message)
        case (.storeReadOnly, _): throw failure(.readOnly, operation, message)
        case (.storeCorrupt, _): throw failure(.corrupt, operation, message)
        case (.storeBusy, _): throw failure(.busy, operation, message)
        case (.storeUnreachable, _): throw failure(.unreachable, operation, message)
        default:
            let reason: StoreFailure.Reason =
                switch answer.status {
                case 401, 403: .accessDenied
                case 429: .busy
                case 502, 503, 504: .unreachable
                default: .other
                }
            throw failure(reason, operation, message)
        }
    }

    private func decode<T: Decodable>(_ body: [UInt8], operation: String) throws(RegistryError) -> T {
        do {
            return try JSONDecoder().decode(T.self, from: Data(body))
        } catch {
            throw failure(.other, operation, Self.notARegistry)
        }
    }

    private func encode(_ value: some Encodable) throws(RegistryError) -> [UInt8] {
        do {
            let encoder = JSONEncoder()
            // A file in base 64 may be made of them.
            encoder.outputFormatting = .withoutEscapingSlashes
            return Array(try encoder.encode(value))
        } catch {
            throw failure(.other, "encode", String(describing: error))
        }
    }

    private func failure(_ reason: StoreFailure.Reason, _ operation: String, _ message: String) -> RegistryError {
        .store(
            StoreFailure(
                reason: reason, location: RegistryLocation.withoutPassword(base), operation: operation,
                message: message))
    }

    private static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }
}
