internal import Synchronization

/// How much one client may ask for: a bucket of credit that fills evenly. A request costs 1, one that decodes or keeps
/// something 10.
public struct RateLimit: Sendable, Hashable {
    /// Credit a second. 20 suffice for listening in three tabs at once.
    public var perSecond: Double
    /// The most credit that is saved up.
    public var burst: Double

    public init(perSecond: Double = 20, burst: Double = 400) {
        self.perSecond = perSecond
        self.burst = burst
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
