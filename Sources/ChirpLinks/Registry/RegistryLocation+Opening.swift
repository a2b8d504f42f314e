extension RegistryLocation {
    /// The registry there; whether it can be reached shows at the first call.
    ///
    /// - Parameters:
    ///   - patience: how long a call tries again when a server is away.
    ///   - key: what lets one list, export and import over HTTP; see ``RegistryContract``.
    public func open(patience: Duration = .seconds(10), key: String? = nil) -> any Registry {
        switch self {
        case .sqlite(let path): SQLiteRegistry(path: path, patience: max(patience, .seconds(30)))
        case .postgresql(let url): PostgresRegistry(url: url, patience: patience)
        case .http(let url): HTTPRegistry(url: url, key: key, patience: patience)
        }
    }
}
