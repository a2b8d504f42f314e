extension RegistryLocation {
    /// The registry there; whether it can be reached shows at the first call.
    ///
    /// - Parameters:
    ///   - retryTimeout: how long a call tries again when a server is away.
    ///   - fileTimeout: how long one waits for other processes that write to a file.
    ///   - key: what lets one list, export and import over HTTP; see ``RegistryAPI``.
    public func open(
        retryTimeout: Duration = .seconds(10), fileTimeout: Duration = .seconds(30), key: String? = nil
    ) -> any Registry {
        switch self {
        case .sqlite(let path): SQLiteRegistry(path: path, retryTimeout: fileTimeout)
        case .postgresql(let url): PostgresRegistry(url: url, retryTimeout: retryTimeout)
        case .http(let url): HTTPRegistry(url: url, key: key, retryTimeout: retryTimeout)
        }
    }
}
