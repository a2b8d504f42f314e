public import Chirp
internal import Foundation
internal import GRDB

/// What this machine sent and heard, and the tokens that delete what it registered, in a SQLite file of its user's.
///
/// Codes heard while the registry was out of reach wait in it until ``resolvePending(limit:timeLimit:_:serviceURL:)`` finds it again.
public final class History: Sendable {
    private let file: SQLiteFile

    public init(path: String) {
        file = SQLiteFile(path: path, schema: .history, retryTimeout: .seconds(10), isPrivate: true)
    }

    /// The history of a person's environment, or nil when `CHIRP_HISTORY` is `off`.
    public convenience init?(environment: [String: String]) {
        guard environment["CHIRP_HISTORY"]?.lowercased() != "off" else { return nil }
        self.init(path: Self.path(environment: environment))
    }

    /// Where the history of a person's environment is.
    public static func path(environment: [String: String]) -> String {
        DataFolder.path(environment: environment) + "/history.sqlite"
    }

    /// Notes what happened.
    public func add(_ events: [HistoryEvent]) async throws(RegistryError) {
        guard !events.isEmpty else { return }
        try await writing { db in
            for event in events {
                try db.execute(
                    sql: "INSERT INTO event (time, direction, code, link, is_pending) VALUES (?, ?, ?, ?, ?)",
                    arguments: [
                        event.time.milliseconds, event.direction.rawValue, event.code.number,
                        try event.link.map(Self.text), event.isPending,
                    ])
            }
        }
    }

    /// What happened, the latest last.
    ///
    /// - Parameter limit: how many of the latest events; nil for all.
    public func events(limit: Int? = nil) async throws(RegistryError) -> [HistoryEvent] {
        let events = try await reading { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT time, direction, code, link, is_pending FROM event ORDER BY time DESC, id DESC LIMIT ?
                    """, arguments: [limit ?? -1]
            ).compactMap(Self.event)
        }
        return (events ?? []).reversed()
    }

    /// Forgets what happened; tokens stay.
    public func clear() async throws(RegistryError) {
        do {
            guard try await file.reading() != nil else { return }
            try await file.writing().writeWithoutTransaction { db in
                // Nothing of it stays legible in the file or its log.
                try db.execute(sql: "PRAGMA secure_delete = ON")
                try db.inTransaction(.immediate) {
                    try db.execute(sql: "DELETE FROM event")
                    return .commit
                }
                _ = try Row.fetchAll(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
            }
        } catch { throw failure(error, "write the history") }
    }

    /// Looks up what waits, until the registry cannot be asked or the time is over.
    ///
    /// - Returns: how many codes got an answer.
    @discardableResult
    public func resolvePending(
        limit: Int = 100, timeLimit: Duration = .seconds(3), _ answer: (Shortcode) async -> LinkLookup.Answer,
        serviceURL: String? = nil
    ) async throws(RegistryError) -> Int {
        let waiting = try await reading { db in
            try Int64.fetchAll(
                db, sql: "SELECT code FROM event WHERE is_pending GROUP BY code ORDER BY min(time) LIMIT ?",
                arguments: [limit])
        }
        var count = 0
        let deadline = ContinuousClock.now + timeLimit
        for number in waiting ?? [] where ContinuousClock.now < deadline {
            guard let code = Shortcode(number: number) else { continue }
            let link: LinkSummary?
            switch await answer(code) {
            case .link(let record): link = LinkSummary(record, serviceURL: serviceURL)
            case .unknown: link = nil
            case .unreachable(let error):
                if error.concernsAllCodes { return count }
                // What cannot be read of one code says nothing of the others.
                continue
            }
            try await writing { db in
                try db.execute(
                    sql: "UPDATE event SET link = ?, is_pending = 0 WHERE code = ? AND is_pending",
                    arguments: [try link.map(Self.text), number])
            }
            count += 1
        }
        return count
    }

    /// Keeps the token that deletes a link.
    public func keep(_ token: DeletionToken, for code: Shortcode) async throws(RegistryError) {
        try await writing { db in
            try db.execute(
                sql: "INSERT OR REPLACE INTO token (code, text) VALUES (?, ?)", arguments: [code.number, token.text])
        }
    }

    /// The token that deletes a link, when it was registered from here.
    public func token(for code: Shortcode) async throws(RegistryError) -> DeletionToken? {
        let text = try await reading { db in
            try String.fetchOne(db, sql: "SELECT text FROM token WHERE code = ?", arguments: [code.number])
        }
        return text?.flatMap { DeletionToken($0) }
    }

    /// Forgets a token that has served.
    public func forgetToken(for code: Shortcode) async throws(RegistryError) {
        try await writing { try $0.execute(sql: "DELETE FROM token WHERE code = ?", arguments: [code.number]) }
    }

    // MARK: - Rows

    private static func text(_ link: LinkSummary) throws -> String {
        String(decoding: try JSONEncoder().encode(link), as: UTF8.self)
    }

    private static func event(_ row: Row) -> HistoryEvent? {
        guard let direction = HistoryEvent.Direction(rawValue: row[1]), let code = Shortcode(number: row[2]) else {
            return nil
        }
        let link = (row[3] as String?).flatMap {
            try? JSONDecoder().decode(LinkSummary.self, from: Data($0.utf8))
        }
        return HistoryEvent(
            time: Timestamp(milliseconds: row[0]), direction: direction, code: code, link: link, isPending: row[4])
    }

    private func reading<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T)
        async throws(RegistryError) -> T?
    {
        do { return try await file.reading()?.read(body) } catch { throw failure(error, "read the history") }
    }

    private func writing(_ body: @escaping @Sendable (Database) throws -> Void) async throws(RegistryError) {
        do {
            try await file.writing().writeWithoutTransaction { db in
                try db.inTransaction(.immediate) {
                    try body(db)
                    return .commit
                }
            }
        } catch { throw failure(error, "write the history") }
    }

    private func failure(_ error: any Error, _ operation: String) -> RegistryError {
        .store(StoreFailure(error, path: file.path, operation: operation))
    }
}

extension SQLiteSchema {
    /// A history's file; its mark is "chrh" in ASCII.
    static let history = SQLiteSchema(
        applicationID: 0x6368_7268,
        steps: [
            """
            CREATE TABLE event (
                id INTEGER PRIMARY KEY,
                time INTEGER NOT NULL,
                direction TEXT NOT NULL CHECK (direction IN ('sent', 'heard')),
                code INTEGER NOT NULL CHECK (code BETWEEN 0 AND 1125899906842623),
                link TEXT,
                is_pending INTEGER NOT NULL CHECK (is_pending IN (0, 1))
            ) STRICT;
            CREATE INDEX event_time ON event (time);
            CREATE INDEX event_pending ON event (code) WHERE is_pending;
            CREATE TABLE token (
                code INTEGER PRIMARY KEY,
                text TEXT NOT NULL CHECK (length(text) = 32)
            ) STRICT;
            """
        ])
}
