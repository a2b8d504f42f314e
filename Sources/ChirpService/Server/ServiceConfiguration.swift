public import ChirpLinks

/// What a service is started with.
public struct ServiceConfiguration: Sendable {
    /// The address it listens on.
    public var host: String
    /// 0 has the system choose one.
    public var port: Int
    /// The public address, without a slash at its end; nil to use each request's `Host`.
    public var publicURL: String?
    /// Proxies whose `X-Forwarded-*` headers are trusted.
    public var trustedProxies: [AddressRange]
    /// The key with which other machines may list, export and import; nil allows none.
    public var registryKey: String?
    /// How much one client may ask for, see ``RateLimit``; nil for no limit.
    public var rateLimit: RateLimit?
    public var limits: ServiceLimits
    /// The addresses that may see the metrics.
    public var metricsReaders: [AddressRange] = []
    /// Where charts come from; nil for a service without.
    public var lastFM: LastFMClient?

    public init(host: String = "127.0.0.1", port: Int = 8_080) {
        self.host = host
        self.port = port
        trustedProxies = []
        rateLimit = RateLimit()
        limits = ServiceLimits()
    }
}

/// How large a request may be and how long it may take.
public struct ServiceLimits: Sendable {
    /// Bytes of a form or JSON object: a note of 1,000 characters with every one escaped, and room.
    public var textBytes = 128 * 1_024
    /// Bytes of an upload, beside the file's own 10 MB.
    public var uploadOverheadBytes = 64 * 1_024
    /// Bytes of a link as JSON with a file in it, see ``ChirpLinks/RegistryAPI``.
    public var registryLinkBytes = 15 * 1_048_576
    /// Bytes of a page of imported entries.
    public var registryEntriesBytes = 32 * 1_048_576
    /// Bytes of a sound to decode.
    public var soundBytes = 32 * 1_048_576
    /// Samples of a sound to decode, all channels together: ten minutes of stereo at 48 kHz.
    public var soundSamples = 57_600_000
    /// Processor seconds that any sound may take to decode.
    public var soundProcessorSeconds = 1.0
    /// Processor seconds that each second of each of its channels adds. Random tones on the chirp's own pitches take 0.003
    /// at 44.1 kHz and 0.008 at 192 kHz.
    public var soundProcessorShare = 0.03
    /// What each further format adds to that share: with all four such tones take 0.007 at 44.1 kHz and 0.013 at 192 kHz.
    public var furtherFormatProcessorShare = 0.015
    /// Bytes that the bodies of all requests together may take in memory.
    public var memoryBytes = 256 * 1_048_576
    /// Bytes that all sounds together may take in temporary files.
    public var spoolBytes = 1_024 * 1_048_576
    /// Bytes of all of a request's header fields.
    public var headerBytes = 16 * 1_024
    /// The longest time that a request may take to arrive.
    public var requestTime = Duration.seconds(60)
    /// How long an open connection may be without a request.
    public var idleTime = Duration.seconds(30)
    /// The longest that a stopping service waits for the requests in flight.
    public var stopTime = Duration.seconds(30)
    /// Connections open at once.
    public var connections = 4_096

    public init() {}

    /// The most bytes that the body of any request may have.
    var largestBodyBytes: Int { max(soundBytes, registryEntriesBytes, registryLinkBytes) }
}
