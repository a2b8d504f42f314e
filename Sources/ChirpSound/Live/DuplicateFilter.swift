public import Chirp

/// Passes each transmission of a code once.
public struct DuplicateFilter: Sendable {
    private let ignored: Set<Shortcode>
    /// Start and duration of the last chirp of each code, in seconds.
    private var last: [Shortcode: (start: Double, duration: Double)] = [:]

    /// - Parameter ignored: codes that never pass, such as those that this machine sends.
    public init(ignoring ignored: Set<Shortcode> = []) { self.ignored = ignored }

    /// Whether a detection is to be reported: its code is not ignored, and it is not an echo of a reported one.
    ///
    /// The same sound may be found twice, over a wall or in an odd place; a code sent again begins at least a whole frame
    /// later.
    public mutating func passes(_ chirp: DetectedChirp) -> Bool {
        let code = chirp.shortcode
        guard !ignored.contains(code) else { return false }
        if let other = last[code] {
            // The one that begins first has ended, if in another format, before the next is sent.
            let first = chirp.startSeconds < other.start ? chirp.durationSeconds : other.duration
            if abs(chirp.startSeconds - other.start) < 0.9 * first { return false }
        }
        // What is further back than the longest frame cannot be met again.
        last = last.filter { chirp.startSeconds - $0.value.start < 10 }
        last[code] = (chirp.startSeconds, chirp.durationSeconds)
        return true
    }
}
