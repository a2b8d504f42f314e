public import Chirp

/// One chirp that this machine sent or heard.
public struct HistoryEvent: Sendable, Hashable {
    public enum Direction: String, Sendable, Hashable, Codable { case sent, heard }

    public let time: Timestamp
    public let direction: Direction
    public let code: Shortcode
    /// What it stood for when it was last looked up.
    public let link: LinkSummary?
    /// Whether the registry was out of reach, so that it is still to be looked up.
    public let isPending: Bool

    public init(
        time: Timestamp = .now, direction: Direction, code: Shortcode, link: LinkSummary?, isPending: Bool = false
    ) {
        self.time = time
        self.direction = direction
        self.code = code
        self.link = link
        self.isPending = isPending
    }
}
