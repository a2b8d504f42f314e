internal import DequeModule

/// Values by key. A full cache removes the entry that was added first, so that a look-up changes nothing.
package struct BoundedCache<Key: Hashable, Value> {
    private let capacity: Int
    private var values: [Key: Value] = [:]
    /// In the order in which they were added.
    private var keys: Deque<Key> = []

    /// - Parameter capacity: the largest number of entries, from 1 on.
    package init(capacity: Int) {
        precondition(capacity > 0, "a cache has room for an entry")
        self.capacity = capacity
    }

    package subscript(key: Key) -> Value? { values[key] }

    /// Adds a value, or replaces that of a key, which keeps its place in the order.
    package mutating func insert(_ value: Value, for key: Key) {
        guard values.updateValue(value, forKey: key) == nil else { return }
        keys.append(key)
        if keys.count > capacity { values[keys.removeFirst()] = nil }
    }
}

extension BoundedCache: Sendable where Key: Sendable, Value: Sendable {}
