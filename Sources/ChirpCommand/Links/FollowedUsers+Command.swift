internal import ChirpLinks

extension FollowedUsers {
    /// The user's own name in the list that belongs to a registry.
    ///
    /// - Throws: ``OneselfUnknown``
    static func me(_ choice: RegistryOptions) throws -> String {
        let file = FollowedUsersFile(beside: try choice.location(), environment: environment)
        guard let me = try file.load().me else { throw OneselfUnknown() }
        return me.name
    }
}

/// No name is given, and the list does not mark one as the user's own.
struct OneselfUnknown: UserFacingError {
    var userMessage: String { "no Last.fm name given: give one, or add yourself with chirp users add NAME --me" }
}
