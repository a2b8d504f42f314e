/// The result of a body, or nil when it takes longer or the task is cancelled. The body then goes on until it notices that it
/// was cancelled.
func withTimeout<T: Sendable>(_ limit: Duration, _ body: @escaping @Sendable () async -> T) async -> T? {
    let (results, continuation) = AsyncStream.makeStream(of: T?.self)
    let work = Task { continuation.yield(await body()) }
    let alarm = Task {
        try await Task.sleep(for: limit)
        continuation.yield(nil)
    }
    defer {
        work.cancel()
        alarm.cancel()
    }
    for await result in results { return result }
    return nil
}
