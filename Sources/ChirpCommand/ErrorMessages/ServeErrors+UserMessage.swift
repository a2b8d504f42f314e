internal import ChirpLinks
internal import Foundation
internal import NIOCore

/// A service is to keep its links at another service.
struct RemoteRegistry: UserFacingError {
    let location: RegistryLocation

    var userMessage: String {
        "\(location) is the registry of another service; give --registry \(RegistryLocation.formsForServices)"
    }
}

/// The service cannot listen, or stopped listening.
struct ServeProblem: UserFacingError {
    let host: String
    let port: Int
    let cause: any Error

    var userMessage: String {
        let place = "\(host.contains(":") ? "[\(host)]" : host):\(port)"
        guard !(cause is SocketAddressError.UnknownHost) else {
            return "\(place): cannot listen: this host name is unknown; name an address of this machine with --host"
        }
        guard let error = cause as? IOError else { return "\(place): cannot serve: \(cause)" }
        let hint =
            switch error.errnoCode {
            case EADDRINUSE: "; the port is in use: choose another with --port, or 0 for any"
            case EACCES: "; ports below 1024 need privileges: choose another with --port"
            case EADDRNOTAVAIL: "; this machine does not have that address: choose another with --host"
            default: ""
            }
        return "\(place): cannot listen: \(String(cString: strerror(error.errnoCode)).lowercased())\(hint)"
    }
}
