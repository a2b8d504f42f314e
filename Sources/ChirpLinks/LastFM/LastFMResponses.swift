/// A Last.fm user.
public struct LastFMUser: Sendable, Hashable {
    /// In its proper spelling.
    public let name: String
    public let realName: String?
    public let playCount: Int64?
    /// When they joined.
    public let registered: Timestamp?
    public let imageURL: String?
}

/// One album of a weekly chart.
public struct ChartAlbum: Sendable, Hashable {
    /// From 1 on.
    public let rank: Int
    public let artist: String
    public let name: String
    public let playCount: Int
    /// Its page on Last.fm.
    public let url: String?
    /// Its MusicBrainz identifier.
    public let mbid: String?
}

/// The albums that a user heard in a week, most played first.
public struct AlbumChart: Sendable, Hashable {
    /// In its proper spelling.
    public let user: String
    public let week: ChartWeek
    public let albums: [ChartAlbum]

    /// The albums with more plays than so many.
    public func albums(above plays: Int) -> [ChartAlbum] { albums.filter { $0.playCount > plays } }

    /// The steps that are offered for hiding albums of few plays, 0 hiding none.
    public static let playSteps = [0, 1, 2, 4, 8, 16, 32]
}

/// Details of an album.
public struct AlbumDetails: Sendable, Hashable {
    public let artist: String
    public let name: String
    public let imageURL: String?
    /// Plays by everybody.
    public let playCount: Int64?
    /// Plays by the user asked for.
    public let userPlayCount: Int64?
    /// Plain text.
    public let summary: String?
    public let url: String?
}
