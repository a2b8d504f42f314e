internal import Foundation

/// A folder that lives as long as this object, with the folders in it that programs expect of a home.
package final class TemporaryFolder {
    package let path: String

    package init() throws {
        path = NSTemporaryDirectory() + "/chirp-live-\(UUID().uuidString.prefix(8))"
        for folder in ["", "/run", "/home/.config/pulse", "/data", "/bin"] {
            try FileManager.default.createDirectory(
                atPath: path + folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
    }

    package func write(_ name: String, _ text: String) throws {
        try text.write(toFile: path + "/" + name, atomically: true, encoding: .utf8)
    }

    package func read(_ name: String) throws -> String {
        try String(contentsOfFile: path + "/" + name, encoding: .utf8)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
