public import Chirp

/// Lets a code through once for every time that it was sung.
public struct DuplicateFilter: Sendable {
    private let ignored: Set<Shortcode>
    private var lastStart: [Shortcode: Double] = [:]

    /// - Parameter ignored: codes that are never let through, such as those that this machine sings itself.
    public init(ignoring ignored: Set<Shortcode> = []) { self.ignored = ignored }

    /// Whether a chirp is to be told of: it is not ignored, and not an echo of one told of before.
    ///
    /// The same sound may be found twice, over a wall or in an odd place; a code sung again begins at least a whole frame
    /// later.
    public mutating func passes(_ chirp: DetectedChirp) -> Bool {
        let code = chirp.shortcode
        guard !ignored.contains(code) else { return false }
        if let last = lastStart[code], abs(chirp.startSeconds - last) < 0.9 * chirp.durationSeconds { return false }
        // What is further back than the longest frame cannot be met again.
        lastStart = lastStart.filter { chirp.startSeconds - $0.value < 10 }
        lastStart[code] = chirp.startSeconds
        return true
    }
}
