internal import Hummingbird

/// The least that a Hummingbird service can be: what chirp serve is measured beside, see Tests/EndToEnd/benchmark.py.
@main
struct HelloService {
    static func main() async throws {
        let router = Router()
        router.get("/") { _, _ in "Hello, world!\n" }
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { print("http://127.0.0.1:\($0.localAddress?.port ?? 0)") })
        try await application.runService()
    }
}
