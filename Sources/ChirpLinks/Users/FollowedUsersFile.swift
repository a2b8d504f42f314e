internal import Foundation

/// The file that keeps the users one follows, beside the registry's file.
///
/// Processes that change it take turns, by a lock on a file beside it; it is replaced whole, so that a reader never sees
/// half of it.
public struct FollowedUsersFile: Sendable {
    public let path: String

    public init(path: String) { self.path = path }

    /// Beside a SQLite registry's file; in the data folder when the registry is elsewhere.
    public init(beside location: RegistryLocation, environment: [String: String]) {
        if case .sqlite(let registry) = location {
            path = URL(fileURLWithPath: registry).deletingLastPathComponent().path + "/users.json"
        } else {
            path = DataFolder.path(environment: environment) + "/users.json"
        }
    }

    /// - Throws: ``FollowedUsersError``
    public func load() throws(FollowedUsersError) -> FollowedUsers {
        guard !isMissing(path) else { return FollowedUsers() }
        let data: Data
        do { data = try Data(contentsOf: URL(fileURLWithPath: path)) } catch { throw failure(error) }
        do { return try JSONDecoder().decode(FollowedUsers.self, from: data) } catch { throw .malformed(path: path) }
    }

    /// Changes the list.
    ///
    /// - Throws: ``FollowedUsersError``; then nothing has changed.
    public func update<T>(_ change: (inout FollowedUsers) throws(FollowedUsersError) -> T)
        throws(FollowedUsersError) -> T
    {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch { throw .file(path: folder.path, reason: systemReason(for: error, path: folder.path)) }
        let lock = unsafe open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0 else {
            throw .file(path: path + ".lock", reason: unsafe String(cString: strerror(errno)))
        }
        defer { close(lock) }
        while flock(lock, LOCK_EX) != 0, errno == EINTR {}
        var users = try load()
        let result = try change(&users)
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            try encoder.encode(users).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch { throw failure(error) }
        return result
    }

    private func failure(_ error: any Error) -> FollowedUsersError {
        .file(path: path, reason: systemReason(for: error, path: path))
    }
}
