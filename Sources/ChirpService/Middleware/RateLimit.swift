internal import Synchronization

/// The rate limit of one client, as a token bucket. Reading a resource costs one token, writing or decoding costs
/// ``writeCost``.
public struct RateLimit: Sendable, Hashable {
    /// Tokens that a request consumes when it writes or decodes something.
    public static let writeCost = 10.0
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

/// The credit of every client that asked lately. Each process counts for itself.
final class RateLedger: Sendable {
    private struct Account {
        var credit: Double
        var time: ContinuousClock.Instant
    }

    private let limit: RateLimit
    private let accounts = Mutex<[[UInt8]: Account]>([:])
    /// Clients remembered at most, 16 MB or so.
    private static let capacity = 100_000

    init(_ limit: RateLimit) { self.limit = limit }

    /// Takes credit from a client's account.
    ///
    /// - Returns: nil, or how many seconds it has to wait for enough.
    func charge(_ client: String, cost: Double, now: ContinuousClock.Instant = .now) -> Double? {
        let key = Self.key(client)
        return accounts.withLock { accounts in
            if accounts.count >= Self.capacity, accounts[key] == nil { removeFull(&accounts, now: now) }
            var account = accounts[key] ?? Account(credit: limit.burst, time: now)
            account.credit = credit(of: account, now: now)
            account.time = now
            defer { accounts[key] = account }
            guard account.credit >= cost else { return (cost - account.credit) / limit.perSecond }
            account.credit -= cost
            return nil
        }
    }

    private func credit(of account: Account, now: ContinuousClock.Instant) -> Double {
        min(limit.burst, account.credit + (now - account.time) / .seconds(1) * limit.perSecond)
    }

    /// Forgets those whose account is full again; if that makes no room, everybody.
    private func removeFull(_ accounts: inout [[UInt8]: Account], now: ContinuousClock.Instant) {
        accounts = accounts.filter { credit(of: $0.value, now: now) < limit.burst }
        if accounts.count >= Self.capacity { accounts.removeAll() }
    }

    /// An IPv4 address, or the first half of an IPv6 one: the second half is the client's own to choose.
    private static func key(_ client: String) -> [UInt8] {
        guard let bytes = AddressRange.bytes(of: client) else { return Array(client.utf8) }
        return bytes.count == 16 ? Array(bytes.prefix(8)) : bytes
    }
}
