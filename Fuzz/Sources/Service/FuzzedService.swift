internal import Chirp
internal import Foundation
internal import FuzzSupport
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOEmbedded
internal import PageMarkup
internal import Synchronization

@testable internal import ChirpLinks
@testable internal import ChirpService

/// The service with all its routes and a registry in memory's file system, asked without a network.
enum FuzzedService {
    struct Answer: Sendable {
        let status: Int
        let headers: HTTPFields
        let body: [UInt8]
    }

    /// Codes that stand for something of each kind, for requests to name.
    static let entries = [
        #"{"code":"gsm2h88c7u","kind":"url","url":"https://example.org/a?b=c","title":"One"}"#,
        #"{"code":"0000000001","kind":"text","text":"a note"}"#,
        #"{"code":"0000000002","kind":"user","user":"rj"}"#,
        #"{"code":"0000000003","kind":"chart","user":"rj","from":1108296000,"to":1108900800}"#,
        #"{"code":"0000000004","kind":"data","data":{"a":[1,null,"x"]}}"#,
    ]
    static let key = "key"
    /// Its digest is that of the entries.
    static let token = "00000000000000000000000000000000"

    static let folder: String = {
        let root = FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm" : "/tmp"
        let path = "\(root)/chirp-fuzz-\(getpid())"
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        setenv("TMPDIR", path, 1)
        atexit { try? FileManager.default.removeItem(atPath: FuzzedService.folder) }
        return path
    }()

    static let registry: any Registry = {
        let registry = RegistryLocation.sqlite(path: folder + "/registry.sqlite").open()
        let token = DeletionToken(Self.token)
        let rest =
            #","created":"2020-01-01T00:00:00.000Z","asked_by":"fuzz","token_digest":"\#(hexadecimal(token?.digest ?? []))"}"#
        let lines = entries.map { $0.dropLast() + rest }
        let known = lines.compactMap { try? JSONDecoder().decode(RegistryEntry.self, from: Data($0.utf8)) }
        require(known.count == entries.count, "the entries are entries: \(lines)")
        let outcome = waiting { try? await registry.add(known) }
        require(outcome?.added == entries.count, "they are taken: \(String(describing: outcome))")
        return registry
    }()

    /// Requests are known by what the server adds to it.
    private static let logger: Logger = {
        var logger = Logger(label: "fuzz") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .critical
        logger[metadataKey: "hb.request.id"] = "fuzz"
        return logger
    }()
    private static let responder: any HTTPResponder<ServiceContext> = {
        var configuration = ServiceConfiguration()
        configuration.registryKey = key
        configuration.rateLimit = nil
        configuration.metricsReaders = [AddressRange("127.0.0.1")].compactMap(\.self)
        guard let server = try? ChirpServer(configuration, registry: registry, logger: logger) else {
            fatalError("the service can be made")
        }
        return server.router.buildResponder()
    }()

    /// What the service answers, and what holds of every answer.
    static func ask(_ request: HTTPRequest, body: [UInt8] = []) async -> Answer {
        // Answers are finished on whichever thread has them.
        let channel = NIOAsyncTestingChannel()
        let context = ServiceContext(source: ApplicationRequestContextSource(channel: channel, logger: logger))
        let body = RequestBody(buffer: ByteBuffer(bytes: body))
        do {
            let response = try await responder.respond(to: Request(head: request, body: body), context: context)
            let collector = Collector()
            try await response.body.write(collector)
            let answer = Answer(
                status: response.status.code, headers: response.headers, body: collector.bytes.withLock { $0 })
            check(answer, to: request)
            _ = try? await channel.finish()
            return answer
        } catch {
            require(false, "\(request) has an answer: \(error)")
            return Answer(status: 0, headers: [:], body: [])
        }
    }

    private static func check(_ answer: Answer, to request: HTTPRequest) {
        let name = "\(request.method) \(request.path ?? "")"
        require((200..<500).contains(answer.status) || answer.status == 503, "\(name) is answered \(answer.status)")
        require(answer.headers[.xContentTypeOptions] == "nosniff", "\(name) is not to be guessed at")
        require(answer.headers[.contentSecurityPolicy] != nil, "\(name) has a policy")
        if answer.status == 304 { require(answer.body.isEmpty, "\(name) has nothing new") }
        guard !answer.body.isEmpty else { return }
        let type = answer.headers[.contentType] ?? ""
        if type.hasPrefix("application/json") {
            let value = try? JSONSerialization.jsonObject(with: Data(answer.body), options: .fragmentsAllowed)
            require(value != nil, "\(name) is answered with JSON: \(String(decoding: answer.body, as: UTF8.self))")
        } else if type.hasPrefix("text/html") {
            check(String(decoding: answer.body, as: UTF8.self), name)
        }
    }

    private static func check(_ page: String, _ name: String) {
        let markup = PageMarkup(page)
        for element in markup.elements {
            require(TemplatePage.elements.contains(element), "the page of \(name) has \(element) of a template")
        }
        requireOwnOrWeb(markup)
    }

    /// A chart as the page shows it.
    static func check(_ chart: AlbumChart) {
        guard let code = try? Shortcode(parsing: "0000000003"), let user = try? UserName("rj") else { return }
        let record = LinkRecord(
            code: code, link: .chart(user, chart.week), title: nil, claimedMediaType: nil,
            created: Timestamp(seconds: 1_500_000_000), expires: nil, clientKind: "fuzz")
        let request = Request(
            head: HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/"),
            body: RequestBody(buffer: ByteBuffer()))
        guard let view = try? ChartView(record, request: request) else { return }
        let values = view.values(chart, earlier: chart.week, later: chart.week)
        check(TemplatePage.pages.code(record, baseURL: "http://localhost", chart: values), "a chart")
    }
}

/// Collects the bytes of a response.
private final class Collector: ResponseBodyWriter, Sendable {
    let bytes = Mutex<[UInt8]>([])

    func write(_ buffer: ByteBuffer) async throws { bytes.withLock { $0 += buffer.readableBytesView } }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
