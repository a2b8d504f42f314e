internal import ArgumentParser
internal import ChirpLinks
internal import ChirpService
internal import Foundation
internal import Logging

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Run the short-code service and its web page.",
        discussion: """
            Prints the address that it listens on, and logs to standard error. After SIGTERM or SIGINT it completes the \
            requests in flight and exits. Charts need a Last.fm API key in LASTFM_API_KEY. Set \
            \(RegistryAPI.keyVariable) to let other machines list, export and import with that key.
            """)

    @Option(help: ArgumentHelp("The address to listen on.", valueName: "address"))
    var host = "127.0.0.1"

    @Option(
        parsing: .unconditional, help: ArgumentHelp("The port to listen on; 0 for any free port.", valueName: "port")
    )
    var port = 8_080

    @Option(
        help: ArgumentHelp(
            "Registry: \(RegistryLocation.formsForServices). Default: CHIRP_REGISTRY, or your local registry file.",
            valueName: "path or URL"))
    var registry: String?

    @Option(
        help: ArgumentHelp(
            "The public address of the service, such as https://chirp.example.org.", valueName: "URL"))
    var publicURL: String?

    @Option(
        help: ArgumentHelp(
            "A proxy whose X-Forwarded-* headers are trusted, as an address or a range such as 10.0.0.0/8 (repeatable).",
            valueName: "address"))
    var proxy: [String] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Average number of requests per second allowed for each client address; a request that writes or decodes "
                + "counts as ten. 0 disables the limit.", valueName: "n"))
    var rate = RateLimit().perSecond

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Timeout for receiving a request.", valueName: "seconds"))
    var requestTimeout = 60.0

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Timeout for idle connections.", valueName: "seconds"))
    var idleTimeout = 30.0

    @Option(help: ArgumentHelp("Minimum log level; debug logs every request.", valueName: "level"))
    var log = LogLevel.info

    @Option(help: ArgumentHelp("Log format: text, or json with one object per line.", valueName: "format"))
    var logFormat = LogFormat.text

    @Option(
        help: ArgumentHelp(
            "An address or range that may read /metrics, in Prometheus's text format (repeatable).",
            valueName: "address"))
    var metrics: [String] = []

    @Flag(
        help: ArgumentHelp(
            "Check the configuration, registry and keys, print the results, and exit; status 0 if everything works."))
    var check = false

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("--port takes a number from 0 to 65535.") }
        _ = try validated { try registry.map { try RegistryLocation(parsing: $0) } }
        guard rate >= 0, rate.isFinite else { throw ValidationError("--rate takes a number from 0 on.") }
        guard (0.1...86_400).contains(requestTimeout), (0.1...86_400).contains(idleTimeout) else {
            throw ValidationError("--request-timeout and --idle-timeout take a number of seconds from 0.1 to 86400.")
        }
        if let bad = proxy.first(where: { AddressRange($0) == nil }) {
            throw ValidationError("--proxy takes an IP address or a range such as 10.0.0.0/8, not “\(bad)”.")
        }
        if let bad = metrics.first(where: { AddressRange($0) == nil }) {
            throw ValidationError("--metrics takes an IP address or a range such as 10.0.0.0/8, not “\(bad)”.")
        }
        if let publicURL {
            let url = try? WebAddress(publicURL)
            let path = URLComponents(string: publicURL)?.path ?? ""
            guard url != nil, ["", "/"].contains(path), !publicURL.contains("?"), !publicURL.contains("#") else {
                throw ValidationError(
                    "--public-url takes an http or https URL of a host, without path, query and fragment.")
            }
        }
    }

    func run() async throws {
        let location = try RegistryOptions.location(registry)
        // What users ask for never makes the service ask somewhere else, so it keeps its links itself.
        if case .http = location { throw RemoteRegistry(location: location) }
        // A file that others write to is waited for as long as a request for it may be.
        let store = location.open(retryTimeout: .seconds(3), fileTimeout: .seconds(10))
        if check { return try await ServiceCheck(settings: settings, location: location, store: store).run() }
        Self.raiseDescriptorLimit()
        // A reader of the log that ends does not end the service.
        signal(SIGPIPE, SIG_IGN)
        let logger = makeLogger()
        try await checkStore(store, logger)
        let server = try ChirpServer(settings, registry: store, logger: logger) { port in
            let name = host.contains(":") ? "[\(host)]" : host
            try? StandardOutput.print("http://\(name):\(port)")
        }
        do { try await server.run() } catch { throw ServeProblem(host: host, port: port, cause: error) }
    }

    /// Lets as many descriptors be open as the system allows: shells start programs with 1,024, fewer than the connections that are taken, and a
    /// service that cannot accept one ends.
    private static func raiseDescriptorLimit() {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(resource, &limit)
    }

    private var settings: ServiceConfiguration {
        var settings = ServiceConfiguration(host: host, port: port)
        settings.publicURL = publicURL.map { String($0.trimmingSuffix(while: { $0 == "/" })) }
        settings.trustedProxies = proxy.compactMap { AddressRange($0) }
        settings.metricsReaders = metrics.compactMap { AddressRange($0) }
        settings.limits.requestTime = .seconds(requestTimeout)
        settings.limits.idleTime = .seconds(idleTimeout)
        settings.registryKey = environment[RegistryAPI.keyVariable]
        settings.rateLimit = rate > 0 ? RateLimit(perSecond: rate) : nil
        let lastFM = LastFMClient.Configuration(environment: environment)
        if lastFM.key != nil { settings.lastFM = LastFMClient(lastFM) }
        return settings
    }

    private func makeLogger() -> Logger {
        let (level, format) = (log.level, logFormat)
        LoggingSystem.bootstrap(
            { label, _ in
                var handler: any LogHandler =
                    format == .json ? JSONLogHandler(label: label) : StreamLogHandler.standardError(label: label)
                handler.logLevel = level
                return handler
            }, metadataProvider: nil)
        return Logger(label: "chirp")
    }

    /// A store that is away may come back; one that cannot be used ends the program at once.
    private func checkStore(_ store: any Registry, _ logger: Logger) async throws {
        do throws(RegistryError) {
            var state = try await store.check()
            // A file that is not there yet is made before anybody is told that it works.
            if let file = store as? SQLiteRegistry, state.schemaVersion == 0 {
                try await file.create()
                state = try await store.check()
            }
            logger.info(
                "registry", metadata: ["store": "\(state.store)", "schema": "\(state.schemaVersion)"])
        } catch {
            guard case .store(let failure) = error, [.unreachable, .busy].contains(failure.reason) else { throw error }
            logger.warning("the registry does not answer yet", metadata: ["cause": "\(error.userMessage)"])
        }
    }
}

/// How much is logged.
enum LogLevel: String, ExpressibleByArgument, CaseIterable {
    case debug, info, notice, warning, error

    var level: Logger.Level {
        switch self {
        case .debug: .debug
        case .info: .info
        case .notice: .notice
        case .warning: .warning
        case .error: .error
        }
    }
}

enum LogFormat: String, ExpressibleByArgument, CaseIterable { case text, json }

extension String {
    fileprivate func trimmingSuffix(while predicate: (Character) -> Bool) -> Substring {
        var rest = self[...]
        while let last = rest.last, predicate(last) { rest.removeLast() }
        return rest
    }
}
