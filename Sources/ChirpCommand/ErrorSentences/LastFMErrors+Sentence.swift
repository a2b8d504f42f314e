internal import ChirpLinks

extension LastFMError: ExplainedError {
    var sentence: String {
        switch self {
        case .keyMissing:
            "Last.fm wants an API key: get one at https://www.last.fm/api/account/create and put it into LASTFM_API_KEY"
        case .keyRefused(let message): "Last.fm does not take the key in LASTFM_API_KEY: \(message)"
        case .unknownUser(let name): "Last.fm knows no user “\(name)”"
        case .privateUser(let name): "“\(name)” does not show their charts to others"
        case .noFriends(let name): "“\(name)” has no friends on Last.fm"
        case .unknownAlbum: "Last.fm knows nothing of this album"
        case .busy(_, let message): "Last.fm cannot answer at the moment (\(message)): try again later"
        case .refused(let number, let message): "Last.fm refuses: \(message) (error \(number))"
        case .unreachable(let message): "Last.fm is out of reach (\(message)): check the connection, or use --offline"
        case .malformedAnswer(let method): "Last.fm's answer to \(method) is not what it should be: try again later"
        case .notInCache(let method): "this was not asked before, so that --offline has no answer (\(method))"
        }
    }
}

extension ChartError: ExplainedError {
    var sentence: String {
        switch self {
        case .beforeFirstWeek(let day, let first):
            "\(day) lies before Last.fm's first week, which begins on \(first.firstDay)"
        case .weekNotOver(let day, let last): "the week of \(day) is not over: the last one begins on \(last.firstDay)"
        case .noWeek(let day): "Last.fm's list has no week with \(day) in it"
        case .lastFM(let error): error.sentence
        }
    }
}

extension FollowedUsersError: ExplainedError {
    var sentence: String {
        switch self {
        case .alreadyThere(let name): "“\(name)” is in the list already"
        case .notThere(let name): "“\(name)” is not in the list: chirp users list shows it"
        case .noSuchPlace(let place, let count): "there is no place \(place) in a list of \(count)"
        case .malformed(let path): "\(path): is not a list of users: correct it or move it away"
        case .file(let path, let reason): "\(path): \(reason)"
        }
    }
}
