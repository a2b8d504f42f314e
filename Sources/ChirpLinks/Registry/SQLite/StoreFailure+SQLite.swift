internal import Foundation
internal import GRDB

extension StoreFailure {
    /// What SQLite's result codes mean (https://www.sqlite.org/rescode.html).
    init(_ error: any Error, path: String, operation: String) {
        switch error {
        case let failure as StoreFailure: self = failure
        case let error as DatabaseError:
            self.init(
                reason: Self.isOutOfRoom(error, path: path) ? .full : Self.reason(error.resultCode), location: path,
                operation: operation,
                message: error.message ?? error.resultCode.description)
        default:
            let error = error as NSError
            let isFull = error.domain == NSCocoaErrorDomain && error.code == CocoaError.fileWriteOutOfSpace.rawValue
            let isDenied =
                error.domain == NSCocoaErrorDomain
                && [CocoaError.fileWriteNoPermission.rawValue, CocoaError.fileWriteVolumeReadOnly.rawValue]
                    .contains(error.code)
            self.init(
                reason: isFull ? .full : isDenied ? .accessDenied : .other, location: path, operation: operation,
                message: error.localizedDescription)
        }
    }

    /// Where there is no room for the index of the log, SQLite tells of a failure of the disk.
    private static func isOutOfRoom(_ error: DatabaseError, path: String) -> Bool {
        guard error.resultCode == .SQLITE_IOERR else { return false }
        var state = statvfs()
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        guard unsafe statvfs(folder, &state) == 0 else { return false }
        return state.f_bavail * state.f_frsize < 65_536
    }

    private static func reason(_ code: ResultCode) -> Reason {
        switch code {
        case .SQLITE_FULL: .full
        case .SQLITE_READONLY: .readOnly
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: .corrupt
        case .SQLITE_BUSY, .SQLITE_LOCKED: .busy
        case .SQLITE_CANTOPEN: .unreachable
        case .SQLITE_PERM, .SQLITE_AUTH: .accessDenied
        default: .other
        }
    }
}
