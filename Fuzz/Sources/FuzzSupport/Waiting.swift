internal import Dispatch
internal import Synchronization

/// The result of a body that runs in tasks; libFuzzer calls what does not.
public func waiting<T: Sendable>(_ body: @escaping @Sendable () async -> T) -> T {
    let outcome = Outcome<T>()
    let isDone = DispatchSemaphore(value: 0)
    Task.detached {
        let result = await body()
        outcome.result.withLock { $0 = result }
        isDone.signal()
    }
    isDone.wait()
    guard let result = outcome.result.withLock({ $0 }) else { fatalError("a task ends with its result") }
    return result
}

private final class Outcome<T: Sendable>: Sendable {
    let result = Mutex<T?>(nil)
}
