/// Why Last.fm gave no answer.
public enum LastFMError: Error, Sendable, Hashable {
    /// `LASTFM_API_KEY` is not set.
    case keyMissing
    /// Last.fm does not take the key, with its words.
    case keyRefused(String)
    /// There is no such user.
    case unknownUser(String)
    /// The user's data is not public.
    case privateUser(String)
    /// The user has no friends there.
    case noFriends(String)
    /// There is no such album.
    case unknownAlbum
    /// It is away or overburdened, and was after several attempts; its number for that and its words.
    case busy(number: Int, message: String)
    /// Any other error number of its list.
    case refused(number: Int, message: String)
    /// No connection, or none that lasts, or no answer in time.
    case unreachable(String)
    /// The answer is not what such an answer is.
    case malformedAnswer(method: String)
    /// Offline, and not in the cache.
    case notInCache(method: String)
}

extension LastFMError {
    /// Numbers that are worth another try later: something went wrong, offline, temporary failure, too many requests.
    static let passing: Set<Int> = [8, 11, 16, 29]

    /// What an error number means. Number 6 has several meanings, which the message and the method distinguish.
    init(number: Int, message: String, status: Int, method: String, user: String) {
        let message = singleLine(message)
        let words = message.lowercased()
        self =
            switch number {
            case 6 where words.contains("album"): .unknownAlbum
            case 6 where method == "user.getFriends" && status != 404 && !words.contains("user not found"):
                .noFriends(user)
            case 6 where method.hasPrefix("user.") && (status == 404 || words.contains("not found")): .unknownUser(user)
            case 17: .privateUser(user)
            case 4, 10, 26: .keyRefused(message)
            case _ where Self.passing.contains(number): .busy(number: number, message: message)
            default: .refused(number: number, message: message)
            }
    }
}
