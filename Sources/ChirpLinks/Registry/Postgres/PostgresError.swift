/// What a PostgreSQL server or the way to it refused.
struct PostgresError: Error, Sendable, Hashable {
    /// Five characters (PostgreSQL documentation, appendix A), or nil when no server said anything.
    let state: String?
    /// One line.
    let message: String
    /// Whether the connection is gone with it.
    let isConnectionLost: Bool

    /// Whether the same request may succeed on another connection: the connection broke, the server is starting or
    /// stopping, or two transactions were in each other's way.
    var isWorthRepeating: Bool {
        guard let state else { return isConnectionLost }
        // Wrong credentials, no such database, no right to it: these stay so.
        if ["28", "3D", "42"].contains(state.prefix(2)) { return false }
        return state.hasPrefix("08") || state.hasPrefix("57P0") || state.hasPrefix("40") || isConnectionLost
    }

    /// What the state means.
    var reason: StoreFailure.Reason {
        // With a connection, or without a library to make one with, waiting is of no use.
        guard let state else { return isConnectionLost ? .unreachable : .other }
        return switch state {
        case "53100": .full
        case "25006": .readOnly
        case "42501": .accessDenied
        case "53300", "55P03", "57014": .busy
        default:
            switch state.prefix(2) {
            case "28": .accessDenied
            case "08", "57": .unreachable
            case "XX": .corrupt
            default: .other
            }
        }
    }
}
