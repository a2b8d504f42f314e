internal import Chirp
public import ChirpLinks
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
public import Logging
internal import NIOCore
internal import ServiceLifecycle
internal import UnixSignals

/// The short-code service over a registry.
///
/// Any number of them over one registry are one service: nothing is kept in a process that another could miss.
public struct ChirpServer: Sendable {
    private let configuration: ServiceConfiguration
    private let registry: any Registry
    private let logger: Logger
    private let onRunning: @Sendable (Int) async -> Void
    let routes: [Route]
    let pages: Pages
    let waves: WAVCache
    private let metrics = ServiceMetrics()
    private let buckets: TokenBuckets?

    /// - Parameter onRunning: is given the port once requests are taken.
    public init(
        _ configuration: ServiceConfiguration, registry: any Registry, logger: Logger,
        onRunning: @escaping @Sendable (Int) async -> Void = { _ in }
    ) throws {
        self.configuration = configuration
        let registry = CountingRegistry(base: registry, metrics: metrics)
        self.registry = registry
        let buckets = configuration.rateLimit.map(TokenBuckets.init)
        self.buckets = buckets
        self.logger = logger
        self.onRunning = onRunning
        pages = try Pages()
        waves = try WAVCache()
        let limits = configuration.limits
        routes =
            AssetRoutes(pages: pages).routes
            + FirstGenerationRoutes(registry: registry, limits: limits).routes
            + LastGenerationRoutes(registry: registry, waves: waves, limits: limits).routes
            + SoundRoutes(
                registry: registry, waves: waves, pool: DecodePool(limits: limits, metrics: metrics), limits: limits,
                spool: ByteBudget(limits.spoolBytes, meter: metrics.spooledBytes),
                charge: { client, seconds in
                    buckets?.charge(client, cost: RateLimit.processorSecondCost * seconds)
                }
            ).routes
            + MetricsRoutes(metrics: metrics, allowed: configuration.metricsReaders).routes
            + RegistryRoutes(registry: registry, key: configuration.registryKey, limits: limits).routes
            + HealthRoutes(registry: registry).routes
            + CodeRoutes(
                registry: registry, pages: pages,
                charts: configuration.lastFM.map { [metrics] in ChartPages($0, metrics: metrics) }
            ).routes
    }

    /// Answers requests until SIGTERM or SIGINT asks it to stop, then finishes those in flight and closes the registry.
    public func run() async throws {
        var settings = ServiceGroupConfiguration(
            services: [application, Housekeeping(registry: registry, logger: logger)],
            gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        settings.maximumGracefulShutdownDuration = configuration.limits.stopTime
        try await ServiceGroup(configuration: settings).run()
        await registry.close()
    }

    /// The address it listens on, as it is written in URLs.
    private var host: String { configuration.host.contains(":") ? "[\(configuration.host)]" : configuration.host }

    /// Everything that answers requests.
    var router: Router<ServiceContext> {
        let router = Router(context: ServiceContext.self, options: [.autoGenerateHeadEndpoints])
        router.add(middleware: MetricsMiddleware(metrics: metrics))
        router.add(middleware: SecurityHeadersMiddleware())
        router.add(
            middleware: ForwardedHeadersMiddleware(
                publicURL: configuration.publicURL, proxies: configuration.trustedProxies,
                fallbackHost: "\(host):\(configuration.port)"))
        router.add(middleware: RequestLoggingMiddleware())
        router.add(middleware: ErrorMiddleware(pages: pages))
        if let buckets { router.add(middleware: RateLimitMiddleware(buckets: buckets, metrics: metrics)) }
        let limits = configuration.limits
        router.add(
            middleware: BodyBudgetMiddleware(budget: ByteBudget(limits.memoryBytes, meter: metrics.bodyBytes)))
        router.add(routes)
        return router
    }

    private var application: any Service {
        let limits = configuration.limits
        let (deadline, patience) = (TimeAmount(limits.requestTime), TimeAmount(limits.idleTime))
        let (onRunning, logger, metrics, host) = (onRunning, logger, metrics, host)
        return Application(
            router: router,
            server: .http1(
                configuration: .init(
                    additionalChannelHandlers: [
                        FramingInstaller(
                            framing: {
                                MessageFramingHandler(
                                    metrics: metrics, logger: logger, largestBody: limits.largestBodyBytes)
                            },
                            delivery: { AnswerDeliveryHandler(patience: patience) }),
                        RequestDeadlineHandler(limit: deadline),
                    ],
                    idleTimeout: patience,
                    httpDecoderConfiguration: .init(
                        maxHeaderFieldSize: limits.headerBytes, maxHeaderListSize: limits.headerBytes,
                        maxHeaderFieldCount: 100))),
            configuration: .init(
                address: .hostname(configuration.host, port: configuration.port), backlog: 1_024,
                availableConnectionsDelegate: MaximumAvailableConnections(limits.connections)),
            onServerRunning: { channel in
                let port = channel.localAddress?.port ?? 0
                logger.notice("listening", metadata: ["host": "\(host)", "port": "\(port)"])
                await onRunning(port)
            },
            logger: logger)
    }
}

/// Removes what has expired, once an hour.
private struct Housekeeping: Service {
    let registry: any Registry
    let logger: Logger

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                try await Task.sleep(for: .seconds(3_600))
                do throws(RegistryError) {
                    let count = try await registry.removeExpired()
                    if count > 0 { logger.info("removed expired links", metadata: ["count": "\(count)"]) }
                } catch {
                    logger.warning("cannot remove expired links", metadata: ["cause": "\(error)"])
                }
            }
        }
    }
}
