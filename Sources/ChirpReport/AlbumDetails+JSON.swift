public import ChirpLinks

extension AlbumDetails {
    /// An album of a chart with its details, as command and service give it out.
    ///
    /// - Parameter album: its place and plays in the chart.
    public func json(_ album: ChartAlbum) -> JSONValue {
        func number(_ value: Int64?) -> JSONValue { value.map { .integer(Int($0)) } ?? .null }
        func text(_ value: String?) -> JSONValue { value.map(JSONValue.string) ?? .null }
        return .object([
            .init("rank", .integer(album.rank)), .init("artist", .string(artist)), .init("album", .string(name)),
            .init("plays_that_week", .integer(album.playCount)), .init("plays_by_user", number(userPlayCount)),
            .init("plays", number(playCount)), .init("image", text(imageURL)), .init("summary", text(summary)),
            .init("url", text(url)),
        ])
    }
}

/// “1 play”, “2 plays”.
public func counted(_ plays: Int) -> String { plays == 1 ? "1 play" : "\(plays) plays" }
