internal import Foundation

/// Whether nothing is at a path. What is in a folder that may not be entered is not missing.
package func isMissing(_ path: String) -> Bool {
    unsafe access(path, F_OK) != 0 && errno != EACCES
}

/// Why a file or folder cannot be used, in the system's own words and not in Foundation's.
package func systemReason(for error: any Error, path: String) -> String {
    var isFolder: ObjCBool = false
    if unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
        return "is a folder"
    }
    let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
    let errors = [error, underlying].compactMap { $0.map { $0 as NSError } }
    if let number = errors.first(where: { $0.domain == NSPOSIXErrorDomain })?.code {
        return unsafe String(cString: strerror(Int32(number)))
    }
    let missing = [CocoaError.Code.fileNoSuchFile, .fileReadNoSuchFile].map(\.rawValue)
    let isMissing = errors.contains { $0.domain == NSCocoaErrorDomain && missing.contains($0.code) }
    return isMissing ? "no such file or folder" : error.localizedDescription
}
