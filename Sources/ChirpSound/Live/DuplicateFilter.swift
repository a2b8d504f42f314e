public import Chirp

/// Passes each transmission of a code once.
public struct DuplicateFilter: Sendable {
    private let ignored: Set<Shortcode>
    private var lastStart: [Shortcode: Double] = [:]

    /// - Parameter ignored: codes that never pass, such as those that this machine sends.
    public init(ignoring ignored: Set<Shortcode> = []) { self.ignored = ignored }

    /// Whether a detection is to be reported: its code is not ignored, and it is not an echo of a reported one.
    ///
    /// The same sound may be found twice, over a wall or in an odd place; a code sent again begins at least a whole frame
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
