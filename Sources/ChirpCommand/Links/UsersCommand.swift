internal import ArgumentParser
internal import ChirpLinks
internal import ChirpReport

struct UsersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "users", abstract: "Manage the list of Last.fm users that you follow.",
        subcommands: [
            UsersAddCommand.self, UsersImportCommand.self, UsersListCommand.self, UsersMoveCommand.self,
            UsersRemoveCommand.self, UsersRenameCommand.self,
        ], defaultSubcommand: UsersListCommand.self)

    /// A name as Last.fm spells it.
    static func properName(_ name: String) async throws -> String {
        let known = try await LastFMClient(LastFMClient.Configuration(environment: environment)).user(UserName(name))
        // The list is read again by the same rule.
        return try UserName(known.name).text
    }
}

extension RegistryOptions {
    func usersFile() throws -> FollowedUsersFile {
        FollowedUsersFile(beside: try location(), environment: environment)
    }
}

struct UsersListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "Print the list.")

    @OptionGroup var choice: RegistryOptions

    @Flag(help: "Print one JSON object per line.")
    var json = false

    func run() throws {
        let users = try choice.usersFile().load().users
        for user in users {
            let report = JSONValue.object([.init("name", .string(user.name)), .init("me", .boolean(user.isMe))])
            try StandardOutput.print(json ? report.text : user.name + (user.isMe ? "  (me)" : ""))
        }
        if users.isEmpty {
            StandardError.say("the list is empty: add users with chirp users add NAME, and yourself with --me")
            throw ExitCode.nothingFound
        }
    }
}

struct UsersAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a user. Last.fm confirms the name and its spelling.")

    @Argument(help: "A Last.fm name.")
    var name: String

    @Flag(help: "Mark the user as yourself.")
    var me = false

    @OptionGroup var choice: RegistryOptions

    func run() async throws {
        let name = try await UsersCommand.properName(name)
        try choice.usersFile().update { users throws(FollowedUsersError) in try users.add(name, isMe: me) }
        try StandardOutput.print(name)
    }
}

struct UsersRenameCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename", abstract: "Rename a user, keeping the position in the list.")

    @Argument(help: "The name in the list.")
    var old: String

    @Argument(help: "The new name; it is checked with Last.fm.")
    var new: String

    @OptionGroup var choice: RegistryOptions

    func run() async throws {
        let name = try await UsersCommand.properName(new)
        try choice.usersFile().update { users throws(FollowedUsersError) in try users.rename(old, to: name) }
        try StandardOutput.print(name)
    }
}

struct UsersRemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "remove", abstract: "Remove a user from the list.")

    @Argument(help: "The name in the list.")
    var name: String

    @OptionGroup var choice: RegistryOptions

    func run() throws {
        try choice.usersFile().update { users throws(FollowedUsersError) in try users.remove(name) }
    }
}

struct UsersMoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move", abstract: "Move a user to another position in the list.")

    @Argument(help: "The name in the list.")
    var name: String

    @Option(parsing: .unconditional, help: ArgumentHelp("The position, counted from 1.", valueName: "n"))
    var to: Int

    @OptionGroup var choice: RegistryOptions

    func run() throws {
        try choice.usersFile().update { users throws(FollowedUsersError) in try users.move(name, to: to) }
    }
}

struct UsersImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Add your Last.fm friends; users already in the list are kept.")

    @Argument(help: "A Last.fm user name. Default: the user marked with --me in chirp users.")
    var name: String?

    @OptionGroup var choice: RegistryOptions

    func run() async throws {
        let name = try UserName(try name ?? FollowedUsers.me(choice))
        let client = LastFMClient(LastFMClient.Configuration(environment: environment))
        let all = try await client.friends(of: name).map(\.name)
        // The list would not be read with any other in it.
        let friends = all.filter { (try? UserName($0)) != nil }
        if friends.count < all.count {
            StandardError.warn("\(all.count - friends.count) of the names are none of Last.fm's form, and are left out")
        }
        let count = try choice.usersFile().update { users throws(FollowedUsersError) in users.addMissing(friends) }
        StandardError.say("\(friends.count) \(friends.count == 1 ? "friend" : "friends"), \(count) of them new")
        if friends.isEmpty { throw ExitCode.nothingFound }
    }
}
