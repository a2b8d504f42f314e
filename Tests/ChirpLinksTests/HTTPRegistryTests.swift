import Chirp
import ChirpLinks
import Foundation
import LastFMStandIn
import Synchronization
import Testing

/// What the client of a service's registry makes of answers and of their lack; whether it keeps the rules of a registry
/// is tested beside the service.
@Suite struct HTTPRegistryTests {
    private static let code = try! Shortcode(parsing: "gsm2h88c7u")

    private static func failure(_ reason: StoreFailure.Reason) -> RegistryError {
        .store(StoreFailure(reason: reason, location: "there", operation: "register", message: "said"))
    }

    private static func respond(_ status: Int, _ body: some Encodable) throws -> LoopbackServer.Answer {
        .respond(
            status: status, headers: [("Content-Type", "application/json")], body: Array(try JSONEncoder().encode(body))
        )
    }

    private func isSame(_ a: RegistryError, _ b: RegistryError) -> Bool {
        switch (a, b) {
        case (.store(let a), .store(let b)): a.reason == b.reason
        default: a == b
        }
    }

    @Test(arguments: [
        RegistryError.codeTaken(code), .linkHasCode(code), .wrongToken(code), .contentMissing(code), failure(.full),
        failure(.readOnly), failure(.corrupt), failure(.busy), failure(.unreachable),
    ])
    func `a refusal of the service's registry is the same error here`(error: RegistryError) async throws {
        let refusal = RegistryAPI.refusal(for: error)
        let body = RegistryAPI.ErrorBody(
            status: refusal.status, message: "said", reason: refusal.reason, shortcode: refusal.shortcode)
        let answer = try Self.respond(refusal.status, body)
        let registry = HTTPRegistry(url: try LoopbackServer { _ in answer }.url)
        let draft = try LinkDraft(.url(WebAddress("https://example.org/")), clientKind: "tests")
        await #expect {
            try await registry.register(draft)
        } throws: {
            ($0 as? RegistryError).map { isSame($0, error) } ?? false
        }
    }

    @Test func `a service that is busy is asked again when it says`() async throws {
        let count = Mutex(0)
        let known = try Self.respond(404, RegistryAPI.ErrorBody(status: 404, message: "", reason: .unknownCode))
        let server = try LoopbackServer { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            guard number < 3 else { return known }
            return .respond(status: 429, headers: [("Retry-After", "1")], body: [])
        }
        let registry = HTTPRegistry(url: server.url, retryTimeout: .seconds(600))
        #expect(try await registry.record(of: Self.code) == nil)
        #expect(count.withLock { $0 } == 3)
    }

    @Test(arguments: [
        (401, StoreFailure.Reason.accessDenied), (403, .accessDenied), (429, .busy), (502, .unreachable),
        (503, .unreachable), (500, .other), (404, .other), (200, .other),
    ])
    func `an answer that is no registry's is an error, and no code is unknown by it`(
        status: Int, reason: StoreFailure.Reason
    ) async throws {
        let server = try LoopbackServer { _ in .respond(status: status, body: Array("<html></html>".utf8)) }
        await #expect {
            try await HTTPRegistry(url: server.url).record(of: Self.code)
        } throws: {
            if case RegistryError.store(let failure)? = $0 as? RegistryError { failure.reason == reason } else { false }
        }
    }

    /// A service that breaks its first connections off.
    private func breaking(_ count: Int, then answer: LoopbackServer.Answer) throws -> LoopbackServer {
        let left = Mutex(count)
        return try LoopbackServer { _ in
            let isLeft = left.withLock { left in
                left -= 1
                return left >= 0
            }
            return isLeft ? .breakOff : answer
        }
    }

    @Test func `a request whose connection breaks is repeated, and a deletion that then finds nothing has happened`()
        async throws
    {
        let body = RegistryAPI.ErrorBody(status: 404, message: "nothing", reason: .unknownCode)
        let nothing = try Self.respond(404, body)
        // Patience enough for a machine that is busy with all the other tests.
        func registry(breaking count: Int) throws -> HTTPRegistry {
            HTTPRegistry(url: try breaking(count, then: nothing).url, retryTimeout: .seconds(300))
        }
        #expect(try await registry(breaking: 0).record(of: Self.code) == nil)
        #expect(try await registry(breaking: 2).record(of: Self.code) == nil)
        let token = DeletionToken()
        #expect(try await !registry(breaking: 0).delete(Self.code, token: token))
        #expect(try await registry(breaking: 1).delete(Self.code, token: token))
    }

    @Test func `a file may come slowly once it has begun to come`() async throws {
        let server = try LoopbackServer { _ in .drip(count: 80) }
        // Patience is for the answer to begin; what follows takes four seconds.
        let registry = HTTPRegistry(url: server.url, retryTimeout: .seconds(3))
        #expect(try await registry.content(of: Self.code) == [UInt8](repeating: 32, count: 80))
    }

    @Test func `a service that breaks every connection is given up when retryTimeout is over`() async throws {
        let server = try LoopbackServer { _ in .breakOff }
        await #expect {
            try await HTTPRegistry(url: server.url, retryTimeout: .milliseconds(500)).record(of: Self.code)
        } throws: {
            if case RegistryError.store(let failure)? = $0 as? RegistryError {
                failure.reason == .unreachable
            } else {
                false
            }
        }
    }
}
