internal import Foundation

/// Responses on disk, one file each, with a limit in bytes; the least recently used are removed first.
///
/// Processes share it: files are replaced atomically, and a missing file is a miss.
struct DiskCache: Sendable {
    let folder: String
    /// Bytes at most.
    let byteLimit: Int

    /// The bytes kept under a name; counts as a use.
    func bytes(for name: String) -> [UInt8]? {
        let path = path(name)
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        try? FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: path)
        return Array(data)
    }

    /// Stores bytes under a name. Failures are ignored: the caller has the response anyway.
    func keep(_ bytes: [UInt8], for name: String) {
        guard bytes.count <= byteLimit else { return }
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data(bytes).write(to: URL(fileURLWithPath: path(name)), options: .atomic)
            try shrink()
        } catch {}
    }

    func remove(_ name: String) { try? FileManager.default.removeItem(atPath: path(name)) }

    private func path(_ name: String) -> String {
        "\(folder)/\(hexadecimal(SHA256.digest(of: name))).json"
    }

    private func shrink() throws {
        let keys: Set<URLResourceKey> = [.fileSizeKey, .contentModificationDateKey]
        let files = try FileManager.default.contentsOfDirectory(
            at: URL(fileURLWithPath: folder), includingPropertiesForKeys: Array(keys)
        ).compactMap { url -> (url: URL, size: Int, date: Date)? in
            guard url.pathExtension == "json", let values = try? url.resourceValues(forKeys: keys) else { return nil }
            return (url, values.fileSize ?? 0, values.contentModificationDate ?? .distantPast)
        }
        var total = files.reduce(0) { $0 + $1.size }
        for file in files.sorted(by: { $0.date < $1.date }) where total > byteLimit {
            try? FileManager.default.removeItem(at: file.url)
            total -= file.size
        }
    }
}
