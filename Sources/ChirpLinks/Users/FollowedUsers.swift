/// A Last.fm user whose charts one looks at.
public struct FollowedUser: Sendable, Hashable, Codable {
    private enum CodingKeys: String, CodingKey {
        case name
        case isMe = "me"
    }

    /// In its proper spelling.
    public var name: String
    /// Whether this is the user of this machine.
    public var isMe: Bool

    public init(name: String, isMe: Bool) {
        self.name = name
        self.isMe = isMe
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try UserName(container.decode(String.self, forKey: .name)).text
        isMe = try container.decodeIfPresent(Bool.self, forKey: .isMe) ?? false
    }
}

/// Why the list of users is not changed.
public enum FollowedUsersError: Error, Sendable, Hashable {
    /// A user of this name is in the list.
    case alreadyThere(String)
    /// No user of this name is in the list.
    case notThere(String)
    /// Places count from 1 to the length of the list.
    case noSuchPlace(Int, count: Int)
    /// The file cannot be read as a list of users.
    case malformed(path: String)
    /// The file cannot be read or written.
    case file(path: String, reason: String)
}

/// The followed users in the order of the list; at most one is marked as the user of this machine.
public struct FollowedUsers: Sendable, Hashable, Codable {
    public private(set) var users: [FollowedUser] = []

    public init() {}

    /// Oneself, if known.
    public var me: FollowedUser? { users.first(where: \.isMe) }

    /// Adds a user at the end. A user who is there already may be marked as the own one.
    ///
    /// - Throws: ``FollowedUsersError/alreadyThere(_:)``
    public mutating func add(_ name: String, isMe: Bool) throws(FollowedUsersError) {
        if let index = index(of: name) {
            guard isMe, !users[index].isMe else { throw .alreadyThere(users[index].name) }
            users[index].name = name
        } else {
            users.append(FollowedUser(name: name, isMe: false))
        }
        guard isMe else { return }
        for index in users.indices { users[index].isMe = users[index].name == name }
    }

    /// Gives a user another name.
    ///
    /// - Throws: ``FollowedUsersError``
    public mutating func rename(_ old: String, to name: String) throws(FollowedUsersError) {
        guard let index = index(of: old) else { throw .notThere(old) }
        if let other = self.index(of: name), other != index { throw .alreadyThere(name) }
        users[index].name = name
    }

    /// - Throws: ``FollowedUsersError/notThere(_:)``
    public mutating func remove(_ name: String) throws(FollowedUsersError) {
        guard let index = index(of: name) else { throw .notThere(name) }
        users.remove(at: index)
    }

    /// Moves a user to a place, counted from 1.
    ///
    /// - Throws: ``FollowedUsersError``
    public mutating func move(_ name: String, to place: Int) throws(FollowedUsersError) {
        guard let index = index(of: name) else { throw .notThere(name) }
        guard (1...users.count).contains(place) else { throw .noSuchPlace(place, count: users.count) }
        users.insert(users.remove(at: index), at: place - 1)
    }

    /// Adds the users that are missing; existing ones are not changed.
    ///
    /// - Returns: how many were added.
    public mutating func addMissing(_ names: [String]) -> Int {
        let before = users.count
        for name in names where index(of: name) == nil { users.append(FollowedUser(name: name, isMe: false)) }
        return users.count - before
    }

    private func index(of name: String) -> Int? { users.firstIndex { $0.name.lowercased() == name.lowercased() } }
}
