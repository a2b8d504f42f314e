import Testing

@testable import ChirpService

@Suite struct RateLedgerTests {
    @Test func `credit is spent, and fills again evenly`() {
        let ledger = RateLedger(RateLimit(perSecond: 2, burst: 10))
        let start = ContinuousClock.now
        for _ in 0..<10 { #expect(ledger.charge("192.0.2.1", cost: 1, now: start) == nil) }
        #expect(ledger.charge("192.0.2.1", cost: 1, now: start) == 0.5)
        #expect(ledger.charge("192.0.2.2", cost: 10, now: start) == nil)
        #expect(ledger.charge("192.0.2.1", cost: 3, now: start + .seconds(1)) == 0.5)
        #expect(ledger.charge("192.0.2.1", cost: 3, now: start + .seconds(2)) == nil)
        #expect(ledger.charge("192.0.2.1", cost: 10, now: start + .seconds(1_000)) == nil)
        #expect(ledger.charge("192.0.2.1", cost: 1, now: start + .seconds(1_000)) == 0.5)
    }

    @Test(arguments: [0.001, 0.1, 0.49, 0.5, 1, 20, 1_000])
    func `whatever the rate, a client that waits for long enough can write`(perSecond: Double) {
        let ledger = RateLedger(RateLimit(perSecond: perSecond))
        let start = ContinuousClock.now
        _ = ledger.charge("192.0.2.1", cost: 1, now: start)
        let later = start + .seconds(RateLimit.writeCost / perSecond)
        #expect(ledger.charge("192.0.2.1", cost: RateLimit.writeCost, now: later) == nil)
    }

    @Test func `two spellings of an address are one client`() {
        let ledger = RateLedger(RateLimit(perSecond: 1, burst: 1))
        let now = ContinuousClock.now
        #expect(ledger.charge("::ffff:192.0.2.1", cost: 1, now: now) == nil)
        #expect(ledger.charge("192.0.2.1", cost: 1, now: now) == 1)
        #expect(ledger.charge("2001:db8::1", cost: 1, now: now) == nil)
        #expect(ledger.charge("2001:0db8:0:0:ffff::2", cost: 1, now: now) == 1)
    }

    @Test func `a crowd of clients beyond memory is served, and counted anew`() {
        let ledger = RateLedger(RateLimit(perSecond: 1, burst: 1))
        let now = ContinuousClock.now
        for index in 0..<150_000 {
            let client = "10.\(index >> 16).\(index >> 8 & 255).\(index & 255)"
            #expect(ledger.charge(client, cost: 1, now: now) == nil)
        }
        #expect(ledger.charge("10.2.73.239", cost: 1, now: now) != nil)
    }
}
