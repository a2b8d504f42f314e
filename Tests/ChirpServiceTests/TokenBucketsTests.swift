import Testing

@testable import ChirpService

@Suite struct TokenBucketsTests {
    @Test func `tokens is spent, and fills again evenly`() {
        let buckets = TokenBuckets(RateLimit(perSecond: 2, burst: 10))
        let start = ContinuousClock.now
        for _ in 0..<10 { #expect(buckets.consume("192.0.2.1", cost: 1, now: start) == nil) }
        #expect(buckets.consume("192.0.2.1", cost: 1, now: start) == 0.5)
        #expect(buckets.consume("192.0.2.2", cost: 10, now: start) == nil)
        #expect(buckets.consume("192.0.2.1", cost: 3, now: start + .seconds(1)) == 0.5)
        #expect(buckets.consume("192.0.2.1", cost: 3, now: start + .seconds(2)) == nil)
        #expect(buckets.consume("192.0.2.1", cost: 10, now: start + .seconds(1_000)) == nil)
        #expect(buckets.consume("192.0.2.1", cost: 1, now: start + .seconds(1_000)) == 0.5)
    }

    @Test(arguments: [0.001, 0.1, 0.49, 0.5, 1, 20, 1_000])
    func `whatever the rate, a client that waits for long enough can write`(perSecond: Double) {
        let buckets = TokenBuckets(RateLimit(perSecond: perSecond))
        let start = ContinuousClock.now
        _ = buckets.consume("192.0.2.1", cost: 1, now: start)
        let later = start + .seconds(RateLimit.writeCost / perSecond)
        #expect(buckets.consume("192.0.2.1", cost: RateLimit.writeCost, now: later) == nil)
    }

    @Test func `two spellings of an address are one client`() {
        let buckets = TokenBuckets(RateLimit(perSecond: 1, burst: 1))
        let now = ContinuousClock.now
        #expect(buckets.consume("::ffff:192.0.2.1", cost: 1, now: now) == nil)
        #expect(buckets.consume("192.0.2.1", cost: 1, now: now) == 1)
        #expect(buckets.consume("2001:db8::1", cost: 1, now: now) == nil)
        #expect(buckets.consume("2001:0db8:0:0:ffff::2", cost: 1, now: now) == 1)
    }

    @Test func `a crowd of clients beyond memory is served, and counted anew`() {
        let buckets = TokenBuckets(RateLimit(perSecond: 1, burst: 1))
        let now = ContinuousClock.now
        for index in 0..<150_000 {
            let client = "10.\(index >> 16).\(index >> 8 & 255).\(index & 255)"
            #expect(buckets.consume(client, cost: 1, now: now) == nil)
        }
        #expect(buckets.consume("10.2.73.239", cost: 1, now: now) != nil)
    }

    @Test func `work that is charged afterwards makes a client wait, and nobody else`() {
        let buckets = TokenBuckets(RateLimit(perSecond: 10, burst: 10))
        let now = ContinuousClock.now
        buckets.charge("192.0.2.1", cost: 100, now: now)
        #expect(buckets.consume("192.0.2.1", cost: 1, now: now) == 9.1)
        #expect(buckets.consume("192.0.2.1", cost: 1, now: now + .seconds(9)) != nil)
        #expect(buckets.consume("192.0.2.1", cost: 1, now: now + .seconds(10)) == nil)
        #expect(buckets.consume("192.0.2.2", cost: 1, now: now) == nil)
    }
}
