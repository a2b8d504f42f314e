internal import Foundation
internal import GRDB
internal import Synchronization

/// The connections to a file: one that writes, made when first needed, one that reads beside it, and more for look-ups at
/// the same time.
///
/// Several processes may have the same file open: the journal is a write-ahead log, every commit is synchronised in
/// full before it returns, and a process that finds the file locked tries again for as long as ``retryTimeout``.
actor SQLiteFile {
    nonisolated let path: String
    private let schema: SQLiteSchema
    nonisolated let retryTimeout: Duration
    private nonisolated let writeDeadline = WriteDeadline()
    /// Whether only the owner may read it.
    private let isPrivate: Bool
    private var writer: DatabaseQueue?
    private var reader: DatabaseQueue?
    /// Readers for look-ups that none of them uses now: as many as there have been at the same time.
    private nonisolated let idleReaders = Mutex<[DatabaseQueue]>([])

    /// The path as SQLite takes it for a file's, and for nothing else: `:memory:` and `file:…` have other meanings there.
    private nonisolated var filePath: String { path.hasPrefix("/") ? path : "./" + path }

    init(path: String, schema: SQLiteSchema, retryTimeout: Duration, isPrivate: Bool = false) {
        self.path = path
        self.schema = schema
        self.retryTimeout = retryTimeout
        self.isPrivate = isPrivate
    }

    /// The connection that writes; makes file and folder if need be.
    func writing() throws -> DatabaseQueue {
        if let writer { return writer }
        // Whether it is ours is looked at before anything in it changes, even the mode of its journal.
        _ = try reading()
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            let failure = error as NSError
            let reason = systemReason(for: error, path: folder.path)
            throw NSError(
                domain: failure.domain, code: failure.code,
                userInfo: [NSLocalizedDescriptionKey: "its folder \(folder.path) cannot be made: \(reason)"])
        }
        if isPrivate { hide(path) }
        var configuration = configuration(deadline: { [writeDeadline] in writeDeadline.time.withLock { $0 } })
        configuration.prepareDatabase { db in
            _ = try Self.retrying { try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL") }
            try db.execute(sql: "PRAGMA synchronous = FULL; PRAGMA cache_size = -16384")
        }
        let queue = try DatabaseQueue(path: filePath, configuration: configuration)
        try queue.inDatabase { try schema.migrate($0, location: path) }
        writer = queue
        return queue
    }

    /// Runs a transaction that waits for the file until some time.
    nonisolated func waiting<T>(until deadline: ContinuousClock.Instant, _ body: () throws -> T) rethrows -> T {
        writeDeadline.time.withLock { $0 = deadline }
        defer { writeDeadline.time.withLock { $0 = nil } }
        return try body()
    }

    /// The connection that reads, or nil while there is no file or nothing in it. Needs no right to write.
    func reading() throws -> DatabaseQueue? {
        if let reader { return reader }
        guard let (queue, isLasting) = try openReader(isWaiting: true) else { return nil }
        if isLasting { reader = queue }
        return queue
    }

    /// Runs a short read on the thread that asks; nil while there is no file or nothing in it.
    ///
    /// A log lets it read beside who writes. A file without one, such as a copy that nobody has written to yet, can be locked: the thread,
    /// one of as few as there are processors, then serves others until it is free.
    nonisolated func readingInline<T>(_ body: (Database) throws -> T) async throws -> T? {
        let deadline = ContinuousClock.now + retryTimeout
        while true {
            do {
                return try await readInlineOnce(body)
            } catch let error as DatabaseError
                where error.resultCode == .SQLITE_BUSY && ContinuousClock.now < deadline
            {
                try await Task.sleep(for: .milliseconds(Int.random(in: 1...8)))
            }
        }
    }

    private nonisolated func readInlineOnce<T>(_ body: (Database) throws -> T) async throws -> T? {
        var reader = idleReaders.withLock { $0.popLast() }.map { (queue: $0, isLasting: true) }
        if reader == nil { reader = try await openReader(isWaiting: false) }
        guard let (queue, isLasting) = reader else { return nil }
        defer { if isLasting { idleReaders.withLock { $0.append(queue) } } }
        return try queue.unsafeRead(body)
    }

    /// A connection that reads, and whether it may be used more than once.
    ///
    /// - Parameter isWaiting: whether it waits for a file that is locked.
    private func openReader(isWaiting: Bool) throws -> (queue: DatabaseQueue, isLasting: Bool)? {
        var isFolder: ObjCBool = false
        guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            guard !isMissing(path) else { return nil }
            throw StoreFailure(
                reason: .accessDenied, location: path, operation: "open", message: "permission denied")
        }
        guard !isFolder.boolValue else {
            throw StoreFailure(reason: .corrupt, location: path, operation: "open", message: "it is a folder")
        }
        var configuration = configuration()
        configuration.readonly = true
        if !isWaiting { configuration.busyMode = .immediateError }
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA cache_size = -16384") }
        do {
            let queue = try DatabaseQueue(path: filePath, configuration: configuration)
            guard try queue.inDatabase({ try schema.version(of: $0, location: path) }) > 0 else { return nil }
            return (queue, true)
        } catch let error as DatabaseError where Self.logFailures.contains(error.resultCode) && hasNoLog {
            return try readingWithoutLog(configuration).map { ($0, false) }
        }
    }

    /// What it says when the log or its index cannot be made: no right to write there, or no room.
    private static let logFailures: [ResultCode] = [.SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_IOERR]

    private var hasNoLog: Bool {
        let size = (try? FileManager.default.attributesOfItem(atPath: path + "-wal"))?[.size] as? Int
        return (size ?? 0) == 0
    }

    /// Where no log can be made, a file without one is read as it is (https://www.sqlite.org/wal.html, "Read-Only
    /// Databases"). Others may write to it later, so such a connection serves one call.
    private func readingWithoutLog(_ configuration: Configuration) throws -> DatabaseQueue? {
        let name = filePath.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? path
        let queue = try DatabaseQueue(path: "file:\(name)?immutable=1", configuration: configuration)
        return try queue.inDatabase { try schema.version(of: $0, location: path) } > 0 ? queue : nil
    }

    func close() {
        try? reader?.close()
        try? writer?.close()
        for queue in idleReaders.withLock({ readers in
            defer { readers = [] }
            return readers
        }) { try? queue.close() }
        reader = nil
        writer = nil
    }

    /// - Parameter deadline: until when to wait, where it is another time than ``retryTimeout`` from the first try on.
    private func configuration(
        deadline: @escaping @Sendable () -> ContinuousClock.Instant? = { nil }
    ) -> Configuration {
        var configuration = Configuration()
        // SQLite's own waiting grows to a tenth of a second, in which a crowd of writers leaves the file idle: waits of
        // 0.5–8 ms at random keep it busy. The mean of the longest is 4.25 ms, which turns the retryTimeout into tries.
        let tries = Int(retryTimeout / .microseconds(4_250))
        configuration.busyMode = .callback { count in
            guard deadline().map({ ContinuousClock.now < $0 }) ?? (count < tries) else { return false }
            usleep(UInt32.random(in: 500...UInt32(min(8_000, 1_000 * (count + 1)))))
            return true
        }
        return configuration
    }

    /// Runs a statement for which SQLite does not ask the busy callback.
    private static func retrying<T>(_ body: () throws -> T) throws -> T {
        for _ in 0..<200 {
            do {
                return try body()
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                usleep(UInt32.random(in: 1_000...20_000))
            }
        }
        return try body()
    }
}

/// Until when the transaction that runs waits for the file; nil for the usual time from when it begins to. Apart from the file's
/// connections, whose configuration refers to it.
private final class WriteDeadline: Sendable {
    let time = Mutex<ContinuousClock.Instant?>(nil)
}

/// Makes a file, if need be, that its owner alone may read, and what SQLite keeps beside it. Failures are reported
/// when the file is opened.
///
/// One that is there must not be opened for this: with any of its descriptors that is closed a process loses all of its
/// locks on a file (https://www.sqlite.org/howtocorrupt.html, 2.2), and a connection may be reading.
private func hide(_ path: String) {
    if let realPath = unsafe realpath(path, nil) {
        defer { unsafe free(realPath) }
        let path = unsafe String(cString: realPath)
        for suffix in ["", "-wal", "-shm"] { unsafe chmod(path + suffix, 0o600) }
    } else {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        if descriptor >= 0 { close(descriptor) }
    }
}
