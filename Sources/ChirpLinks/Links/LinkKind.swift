/// The kinds of links.
public enum LinkKind: String, Sendable, Hashable, Codable, CaseIterable {
    /// A Last.fm user.
    case user
    /// A Last.fm user's albums of one week.
    case chart
    /// A web address.
    case url
    /// A note.
    case text
    /// A JSON object, as clients of the original service's last generation sent it.
    case data
    /// A picture or PDF.
    case file
}
