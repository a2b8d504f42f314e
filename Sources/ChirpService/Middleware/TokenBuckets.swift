internal import Synchronization

/// The rate limit of one client, as a token bucket. Reading a resource costs one token, writing or decoding costs
/// ``writeCost``.
public struct RateLimit: Sendable, Hashable {
    /// Tokens that a request consumes when it writes or decodes something.
    public static let writeCost = 10.0
    /// Tokens that a second of processor time costs which decoding a sound takes: with 20 tokens a second, one client has
    /// a fifth of one core.
    static let processorSecondCost = 100.0
    /// Tokens of a full bucket, in seconds of refill.
    private static let burstSeconds = 20.0

    /// Tokens added per second. 20 allow listening in three browser tabs at once.
    public var perSecond: Double
    /// Capacity of the bucket in tokens.
    public var burst: Double

    /// - Parameter burst: nil for 20 seconds of refill, and at least one write: a smaller bucket would refuse every write,
    ///   however long the client waits.
    public init(perSecond: Double = 20, burst: Double? = nil) {
        self.perSecond = perSecond
        self.burst = burst ?? max(Self.burstSeconds * perSecond, Self.writeCost)
    }
}

/// The tokens of every client that asked lately. Each process counts for itself.
final class TokenBuckets: Sendable {
    private struct Bucket {
        var tokens: Double
        var time: ContinuousClock.Instant
    }

    private let limit: RateLimit
    private let buckets = Mutex<[[UInt8]: Bucket]>([:])
    /// Clients remembered at most, 16 MB or so.
    private static let capacity = 100_000

    init(_ limit: RateLimit) { self.limit = limit }

    /// Takes tokens from a client's bucket.
    ///
    /// - Returns: nil, or how many seconds it has to wait for enough.
    func consume(_ client: String, cost: Double, now: ContinuousClock.Instant = .now) -> Double? {
        let key = Self.key(client)
        return buckets.withLock { buckets in
            if buckets.count >= Self.capacity, buckets[key] == nil { removeFull(&buckets, now: now) }
            var bucket = buckets[key] ?? Bucket(tokens: limit.burst, time: now)
            bucket.tokens = tokens(of: bucket, now: now)
            bucket.time = now
            defer { buckets[key] = bucket }
            guard bucket.tokens >= cost else { return (cost - bucket.tokens) / limit.perSecond }
            bucket.tokens -= cost
            return nil
        }
    }

    /// Takes tokens for what a request has cost by its end. The bucket may then hold less than none: the client waits until
    /// it is refilled.
    func charge(_ client: String, cost: Double, now: ContinuousClock.Instant = .now) {
        let key = Self.key(client)
        buckets.withLock { buckets in
            var bucket = buckets[key] ?? Bucket(tokens: limit.burst, time: now)
            bucket.tokens = tokens(of: bucket, now: now) - cost
            bucket.time = now
            buckets[key] = bucket
        }
    }

    private func tokens(of bucket: Bucket, now: ContinuousClock.Instant) -> Double {
        min(limit.burst, bucket.tokens + (now - bucket.time) / .seconds(1) * limit.perSecond)
    }

    /// Forgets those whose bucket is full again; if that makes no room, everybody.
    private func removeFull(_ buckets: inout [[UInt8]: Bucket], now: ContinuousClock.Instant) {
        buckets = buckets.filter { tokens(of: $0.value, now: now) < limit.burst }
        if buckets.count >= Self.capacity { buckets.removeAll() }
    }

    /// An IPv4 address, or the first half of an IPv6 one: the second half is the client's own to choose.
    static func key(_ client: String) -> [UInt8] {
        guard let bytes = AddressRange.bytes(of: client) else { return Array(client.utf8) }
        return bytes.count == 16 ? Array(bytes.prefix(8)) : bytes
    }
}
