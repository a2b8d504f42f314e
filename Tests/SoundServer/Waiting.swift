/// Something that was waited for did not happen in time.
package struct Overdue: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// Waits for a condition that nothing announces, or throws after a time in which it must have come true on any machine.
package func waitUntil(_ what: String, seconds: Double = 60, _ condition: () async throws -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while try await !condition() {
        guard ContinuousClock.now < deadline else { throw Overdue("not in \(Int(seconds)) s: \(what)") }
        try await Task.sleep(for: .milliseconds(20))
    }
}
