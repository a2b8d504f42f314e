internal import ChirpLinks

extension FollowedUsers {
    /// The name of oneself in the list that belongs to a registry.
    ///
    /// - Throws: ``OneselfUnknown``
    static func me(_ choice: RegistryChoice) throws -> String {
        let file = FollowedUsersFile(beside: try choice.location(), environment: environment)
        guard let me = try file.load().me else { throw OneselfUnknown() }
        return me.name
    }
}

/// No name is given, and the list of users does not say who oneself is.
struct OneselfUnknown: UserFacingError {
    var userMessage: String { "no Last.fm name given: give one, or add yourself with chirp users add NAME --me" }
}
