internal import ChirpLinks
internal import Foundation
internal import NIOCore

/// A service is to keep its links at another service.
struct RemoteRegistry: ExplainedError {
    let location: RegistryLocation

    var sentence: String {
        "\(location) is another service: give --registry a SQLite file or a postgresql:// URL of this one's own"
    }
}

/// The service cannot listen, or stopped listening.
struct ServeProblem: ExplainedError {
    let host: String
    let port: Int
    let cause: any Error

    var sentence: String {
        let place = "\(host.contains(":") ? "[\(host)]" : host):\(port)"
        guard let error = cause as? IOError else { return "\(place): cannot serve there: \(cause)" }
        let hint =
            switch error.errnoCode {
            case EADDRINUSE: "; another program listens there: name another with --port, or 0 for any"
            case EACCES: "; ports below 1024 need permission: name another with --port"
            case EADDRNOTAVAIL: "; this machine has no such address: name another with --host"
            default: ""
            }
        return "\(place): cannot listen there: \(String(cString: strerror(error.errnoCode)).lowercased())\(hint)"
    }
}
