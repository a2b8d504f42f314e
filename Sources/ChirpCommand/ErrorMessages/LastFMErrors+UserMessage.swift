internal import ChirpLinks

extension LastFMError: UserFacingError {
    var userMessage: String {
        switch self {
        case .keyMissing:
            "Last.fm needs an API key: get one at https://www.last.fm/api/account/create and set LASTFM_API_KEY"
        case .keyRefused(let message): "Last.fm rejects the key in LASTFM_API_KEY: \(message); check the key"
        case .unknownUser(let name): "Last.fm does not know the user “\(name)”; check the spelling"
        case .privateUser(let name): "the charts of “\(name)” are private"
        case .noFriends(let name): "“\(name)” has no friends on Last.fm"
        case .unknownAlbum: "Last.fm does not know this album"
        case .busy(_, let message): "Last.fm is temporarily unavailable (\(message)); try again later"
        case .refused(let number, let message): "Last.fm refused the request: \(message) (error \(number))"
        case .unreachable(let message): "Last.fm is unreachable (\(message)); check the connection, or use --offline"
        case .malformedAnswer(let method): "Last.fm sent an invalid response to \(method); try again later"
        case .notInCache(let method): "not in the cache, so not available with --offline (\(method))"
        }
    }
}

extension ChartError: UserFacingError {
    var userMessage: String {
        switch self {
        case .beforeFirstWeek(let day, let first):
            "\(day) is before Last.fm's first week, which begins on \(first.firstDay)"
        case .weekNotOver(let day, let last):
            "the week of \(day) is not over; the latest one begins on \(last.firstDay)"
        case .noWeek(let day): "Last.fm has no week that contains \(day)"
        case .lastFM(let error): error.userMessage
        }
    }
}

extension FollowedUsersError: UserFacingError {
    var userMessage: String {
        switch self {
        case .alreadyThere(let name): "“\(name)” is already in the list"
        case .notThere(let name): "“\(name)” is not in the list; see chirp users list"
        case .noSuchPlace(let place, let count): "position \(place) is outside the list; give one from 1 to \(count)"
        case .malformed(let path): "\(path): is not a list of users; correct it or remove it"
        case .file(let path, let reason): "\(path): \(reason)"
        }
    }
}
