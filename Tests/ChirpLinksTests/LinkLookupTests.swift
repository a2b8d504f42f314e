import Chirp
import ChirpLinks
import Synchronization
import Testing

/// A registry of one link, which answers as it is told and counts how often it is asked.
private final class ToldRegistry: Registry {
    enum Mood { case answers, fails, hangs, cannotRead }

    private struct State {
        var mood = Mood.answers
        var count = 0
    }

    let link: LinkRecord
    private let state = Mutex(State())
    static let failure = RegistryError.store(
        StoreFailure(reason: .unreachable, location: "there", operation: "look up", message: "gone"))

    static let damage = RegistryError.store(
        StoreFailure(reason: .other, location: "there", operation: "look up", message: "another kind of link"))

    init() throws {
        link = LinkRecord(
            code: try Shortcode(parsing: "gsm2h88c7u"), link: .url(try WebAddress("https://example.org/")),
            title: nil, claimedMediaType: nil, created: .now, expires: nil, clientKind: "tests")
    }

    var count: Int { state.withLock(\.count) }
    func turn(_ mood: Mood) { state.withLock { $0.mood = mood } }

    func record(of code: Shortcode) async throws(RegistryError) -> LinkRecord? {
        let mood = state.withLock { state in
            state.count += 1
            return state.mood
        }
        switch mood {
        case .answers: return code == link.code ? link : nil
        case .fails: throw Self.failure
        case .cannotRead:
            if code == link.code { throw Self.damage }
            return nil
        case .hangs:
            while !Task.isCancelled { try? await Task.sleep(for: .seconds(3_600)) }
            throw Self.failure
        }
    }

    func register(_ draft: LinkDraft) async throws(RegistryError) -> Registration { throw Self.failure }
    func content(of code: Shortcode) async throws(RegistryError) -> [UInt8]? { throw Self.failure }
    func delete(_ code: Shortcode, token: DeletionToken) async throws(RegistryError) -> Bool { throw Self.failure }
    func list(_ query: LinkQuery) async throws(RegistryError) -> [LinkRecord] { throw Self.failure }
    func entries(after code: Shortcode?, limit: Int) async throws(RegistryError) -> [RegistryEntry] {
        throw Self.failure
    }
    func add(_ entries: [RegistryEntry]) async throws(RegistryError) -> ImportOutcome { throw Self.failure }
    func removeExpired() async throws(RegistryError) -> Int { throw Self.failure }
    func check() async throws(RegistryError) -> RegistryState { throw Self.failure }
    func close() async {}
}

@Suite struct LinkLookupTests {
    private let registry = try! ToldRegistry()
    private let clock = TestClock()
    private let unknown = try! Shortcode(parsing: "gsm2h88c7v")

    private func lookup(timeLimit: Duration = .seconds(60)) -> LinkLookup {
        LinkLookup(
            registry, location: "there", timeLimit: timeLimit, restTime: .seconds(30), memoryTime: .seconds(600),
            now: { [clock] in clock.now })
    }

    @Test func `a link is looked up once in ten minutes, and a code that is unknown once in thirty seconds`() async {
        let lookup = lookup()
        for _ in 0..<3 {
            #expect(await lookup.answer(for: registry.link.code) == .link(registry.link))
            #expect(await lookup.answer(for: unknown) == .unknown)
        }
        #expect(registry.count == 2)
        clock.advance(by: .seconds(30))
        _ = await lookup.answer(for: registry.link.code)
        _ = await lookup.answer(for: unknown)
        #expect(registry.count == 3)
        clock.advance(by: .seconds(570))
        _ = await lookup.answer(for: registry.link.code)
        #expect(registry.count == 4)
    }

    @Test func `a registry that failed is left alone for a while, and what is known is known all the same`() async {
        let lookup = lookup()
        _ = await lookup.answer(for: registry.link.code)
        registry.turn(.fails)
        for _ in 0..<3 { #expect(await lookup.answer(for: unknown) == .unreachable(ToldRegistry.failure)) }
        #expect(await lookup.answer(for: registry.link.code) == .link(registry.link))
        #expect(registry.count == 2)
        clock.advance(by: .seconds(30))
        registry.turn(.answers)
        #expect(await lookup.answer(for: unknown) == .unknown)
        #expect(registry.count == 3)
    }

    @Test func `what cannot be read of one code keeps no other from being looked up`() async {
        let lookup = lookup()
        registry.turn(.cannotRead)
        #expect(await lookup.answer(for: registry.link.code) == .unreachable(ToldRegistry.damage))
        #expect(await lookup.answer(for: unknown) == .unknown)
        #expect(registry.count == 2)
    }

    @Test func `a look-up that gets no answer ends with the time limit`() async {
        registry.turn(.hangs)
        let late = RegistryError.store(
            StoreFailure(
                reason: .unreachable, location: "there", operation: "look up", message: "no answer within 1 s"))
        #expect(await lookup(timeLimit: .seconds(1)).answer(for: unknown) == .unreachable(late))
    }

    @Test func `memory is bounded`() async {
        let lookup = lookup()
        var generator = SystemRandomNumberGenerator()
        _ = await lookup.answer(for: registry.link.code)
        for _ in 0..<LinkLookup.memory { _ = await lookup.answer(for: .random(using: &generator)) }
        let before = registry.count
        _ = await lookup.answer(for: registry.link.code)
        #expect(registry.count == before + 1, "it was the oldest")
    }
}

/// A clock that goes when it is told to.
private final class TestClock: Sendable {
    private let instant = Mutex(ContinuousClock.now)
    var now: ContinuousClock.Instant { instant.withLock { $0 } }
    func advance(by duration: Duration) { instant.withLock { $0 += duration } }
}
