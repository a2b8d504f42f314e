internal import Synchronization

/// Records by the rows that they were read from, so that a row that is read often is taken apart once. What a row says
/// depends on nothing but the row, so nothing here can be out of date.
final class RecordCache: Sendable {
    /// 16 MB of the longest notes.
    private let known = Mutex(BoundedCache<LinkRow, LinkRecord>(capacity: 1_000))

    /// The record that a row keeps, or nil when no version of this program wrote it so.
    func record(of stored: LinkRow) -> LinkRecord? {
        if let record = known.withLock({ $0[stored] }) { return record }
        guard let record = stored.record else { return nil }
        known.withLock { $0.insert(record, for: stored) }
        return record
    }
}
