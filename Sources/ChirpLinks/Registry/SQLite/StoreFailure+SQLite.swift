internal import Foundation
internal import GRDB

extension StoreFailure {
    /// What SQLite's result codes mean (https://www.sqlite.org/rescode.html).
    init(_ error: any Error, path: String, operation: String) {
        switch error {
        case let failure as StoreFailure: self = failure
        case let error as DatabaseError:
            let lack = error.resultCode == .SQLITE_IOERR ? Self.lackOfRoom(path) : nil
            self.init(
                reason: lack == nil ? Self.reason(error.resultCode) : .full, location: path, operation: operation,
                message: lack ?? Self.message(error))
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

    /// What SQLite says, and the number of what it knows more about a failure of the disk.
    private static func message(_ error: DatabaseError) -> String {
        let message = error.message ?? error.resultCode.description
        return error.resultCode == .SQLITE_IOERR ? "\(message) (\(error.extendedResultCode.rawValue))" : message
    }

    /// Why a file could not grow, which SQLite reports as an I/O error.
    private static func lackOfRoom(_ path: String) -> String? {
        var limit = rlimit()
        if unsafe getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0, limit.rlim_cur != rlim_t.max {
            return "files may have \(limit.rlim_cur) bytes at most, see ulimit -f"
        }
        var state = statvfs()
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        guard unsafe statvfs(folder, &state) == 0, state.f_bavail * state.f_frsize < 65_536 else { return nil }
        return "no space left on device"
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
