internal import Chirp
internal import ChirpLinks
internal import ChirpReport
internal import NIOCore
internal import Synchronization

/// The JSON of links that were asked for lately. The registry is asked every time; this saves writing down again what it
/// said.
final class ResponseCache: Sendable {
    private struct Key: Hashable {
        let record: LinkRecord
        let baseURL: String
    }

    /// Some 50 MB of the longest notes: each is in what is written down, and in the key.
    private let known = Mutex(BoundedCache<Key, ByteBuffer>(capacity: 1_000))

    /// The answer of `/CODE.json`.
    func chirp(_ record: LinkRecord, baseURL: String) -> ByteBuffer {
        let key = Key(record: record, baseURL: baseURL)
        if let answer = known.withLock({ $0[key] }) { return answer }
        let answer = ByteBuffer(string: OriginalResponses.chirp(record, baseURL: baseURL).text + "\n")
        known.withLock { $0.insert(answer, for: key) }
        return answer
    }
}
