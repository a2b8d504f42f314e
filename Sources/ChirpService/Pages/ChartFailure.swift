internal import ChirpLinks
internal import HTTPTypes

/// Why a page has no chart to show.
enum ChartFailure: Error {
    case chart(ChartError)
    /// There are not so many albums.
    case noAlbum
    case tooMany
    case late

    /// What an operator is told and counts.
    enum Reason: String {
        case key
        case busy
        case refused
        case unreachable
        case malformed
        case late
        case tooMany = "too_many"
    }

    /// What went wrong; nil where it is what was asked for that is not there.
    var reason: Reason? {
        switch self {
        case .noAlbum, .chart(.beforeFirstWeek), .chart(.weekNotOver), .chart(.noWeek): nil
        case .tooMany: .tooMany
        case .late: .late
        case .chart(.lastFM(let error)):
            switch error {
            case .keyMissing, .keyRefused: .key
            case .unknownUser, .privateUser, .unknownAlbum: nil
            case .busy: .busy
            case .refused: .refused
            case .unreachable: .unreachable
            case .noFriends, .malformedAnswer, .notInCache: .malformed
            }
        }
    }

    var status: HTTPResponse.Status {
        reason == nil ? .notFound : .serviceUnavailable
    }

    /// For the log: what Last.fm or the connection said, which visitors are not told.
    var cause: String {
        switch self {
        case .chart(.lastFM(.keyRefused(let message))), .chart(.lastFM(.unreachable(let message))): message
        case .chart(.lastFM(.busy(let number, let message))), .chart(.lastFM(.refused(let number, let message))):
            number == 0 ? message : "\(message) (\(number))"
        case .chart(.lastFM(.malformedAnswer(let method))): "the answer to \(method) is not what such an answer is"
        default: message
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
