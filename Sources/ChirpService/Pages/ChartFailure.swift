internal import ChirpLinks
internal import HTTPTypes

/// Why a page has no chart to show.
enum ChartFailure: Error {
    case chart(ChartError)
    /// There are not so many albums.
    case noAlbum
    case tooMany
    case late

    var status: HTTPResponse.Status {
        switch self {
        case .noAlbum, .chart(.beforeFirstWeek), .chart(.weekNotOver), .chart(.noWeek): .notFound
        case .chart(.lastFM(.unknownUser)), .chart(.lastFM(.unknownAlbum)), .chart(.lastFM(.privateUser)): .notFound
        default: .serviceUnavailable
        }
    }

    /// A sentence for people.
    var message: String {
        switch self {
        case .noAlbum: "The chart has fewer albums."
        case .tooMany: "Too many people ask for charts at once: try again in a minute."
        case .late: "Last.fm takes too long to answer: try again later."
        case .chart(.beforeFirstWeek(_, let first)): "Last.fm’s charts begin on \(first.firstDay)."
        case .chart(.weekNotOver): "That week is not over."
        case .chart(.noWeek(let day)): "Last.fm has no week for \(day)."
        case .chart(.lastFM(let error)): Self.message(error)
        }
    }

    private static func message(_ error: LastFMError) -> String {
        switch error {
        case .keyMissing, .keyRefused: "This service cannot ask Last.fm: it has no key that Last.fm takes."
        case .unknownUser(let name): "Last.fm knows no user \(name)."
        case .privateUser(let name): "The charts of \(name) are private."
        case .unknownAlbum: "Last.fm knows no such album."
        case .noFriends, .malformedAnswer, .notInCache: "Last.fm’s answer makes no sense."
        case .busy: "Last.fm is busy: try again later."
        case .refused(_, let message): "Last.fm refuses: \(message)"
        case .unreachable: "Last.fm is out of reach: try again later."
        }
    }
}
