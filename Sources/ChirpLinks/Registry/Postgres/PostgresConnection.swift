internal import CPostgres
internal import Dispatch
internal import Glibc

/// A connection to a PostgreSQL server through libpq.
///
/// "One thread restriction is that no two threads attempt to manipulate the same PGconn object at the same time"
/// (PostgreSQL 15 documentation, 34.20): ``PostgresPool`` lends a connection to one borrower at a time, and a borrower's
/// calls follow one another on ``queue``. That is the proof of `@unchecked Sendable`.
@safe final class PostgresConnection: @unchecked Sendable {
    /// Where the borrower's blocking calls run.
    let queue = DispatchQueue(label: "chirp.postgresql")
    private let libpq: PostgresLibrary
    private let handle: OpaquePointer
    /// How long an answer is waited for: longer than the server's own limit for a statement, as a server that is frozen
    /// keeps none.
    private let answerLimit: Duration
    private var isAbandoned = false
    /// Names of prepared statements by their text.
    private var prepared: [String: String] = [:]

    /// Connects to the first of the URL's servers that answers and lets it; blocks for at most `seconds` for each.
    ///
    /// A password in the URL, the environment or `~/.pgpass` is used as libpq does.
    init(url: String, timeoutSeconds seconds: Int, answerLimit: Duration) throws(PostgresError) {
        let libpq = try PostgresLibrary.load()
        unsafe handle = try unsafe Self.connect(toFirstOf: url, libpq, timeoutSeconds: seconds)
        self.libpq = libpq
        self.answerLimit = answerLimit
    }

    /// - Throws: the failure of the last server.
    private static func connect(
        toFirstOf url: String, _ libpq: PostgresLibrary, timeoutSeconds: Int
    ) throws(PostgresError) -> OpaquePointer {
        let servers = servers(of: url, libpq)
        for server in servers.dropLast() {
            if let handle = try? unsafe connect(to: url, server, libpq, timeoutSeconds: timeoutSeconds) {
                return unsafe handle
            }
        }
        return try unsafe connect(to: url, servers[servers.count - 1], libpq, timeoutSeconds: timeoutSeconds)
    }

    /// The servers of a URL, at least one, the keywords of each in place of those that name several: libpq itself goes on from a server that
    /// refuses to the next, but through PQconnectPoll not from one that is silent.
    static func servers(of url: String, _ libpq: PostgresLibrary) -> [[(keyword: String, value: String)]] {
        guard let options = unsafe libpq.conninfoParse(url, nil) else { return [[]] }
        defer { unsafe libpq.conninfoFree(options) }
        var lists: [(keyword: String, values: [String])] = []
        var next = unsafe options
        while let keyword = unsafe next.pointee.keyword.map({ unsafe String(cString: $0) }) {
            if ["host", "hostaddr", "port"].contains(keyword), let value = unsafe next.pointee.val {
                let values = unsafe String(cString: value).split(separator: ",", omittingEmptySubsequences: false)
                if values.count > 1 { lists.append((keyword, values.map(String.init))) }
            }
            unsafe next += 1
        }
        // Lists that do not fit each other are for libpq to refuse.
        guard let count = lists.first?.values.count, lists.allSatisfy({ $0.values.count == count }) else { return [[]] }
        return (0..<count).map { server in lists.map { ($0.keyword, $0.values[server]) } }
    }

    /// - Parameter server: keywords that take the place of the URL's.
    private static func connect(
        to url: String, _ server: [(keyword: String, value: String)], _ libpq: PostgresLibrary, timeoutSeconds: Int
    ) throws(PostgresError) -> OpaquePointer {
        // Of two values for one keyword the later one holds, so that the URL, expanded in its place, overrides those before it.
        let parameters =
            [
                ("fallback_application_name", "chirp"), ("client_encoding", "UTF8"), ("keepalives_idle", "10"),
                ("keepalives_interval", "5"), ("keepalives_count", "3"), ("tcp_user_timeout", "20000"), ("dbname", url),
            ] + server
        let handle = unsafe withCStrings(parameters.map(\.0)) { keywords in
            unsafe withCStrings(parameters.map(\.1)) { values in
                // "If expand_dbname is non-zero, dbname is expanded as a connection string" (34.1).
                unsafe libpq.connectStartParams(keywords, values, 1)
            }
        }
        guard let handle = unsafe handle else {
            throw PostgresError(state: nil, message: "out of memory", isConnectionLost: true)
        }
        // A notice would otherwise be written to standard error.
        _ = unsafe libpq.setNoticeProcessor(handle, { _, _ in }, nil)
        // Only verbose messages contain the states of errors while connecting.
        _ = unsafe libpq.setErrorVerbosity(handle, PQERRORS_VERBOSE)
        do {
            try unsafe finishConnecting(handle, libpq, timeoutSeconds: timeoutSeconds)
        } catch {
            unsafe libpq.finish(handle)
            throw error
        }
        return unsafe handle
    }

    deinit { unsafe libpq.finish(handle) }

    /// Whether the connection is known to be broken, or an answer on it was given up.
    var isBroken: Bool { unsafe isAbandoned || libpq.status(handle) != CONNECTION_OK }

    /// Runs one statement, prepared when it is met for the first time on this connection.
    ///
    /// - Parameter isBinary: whether the answer's fields come in the binary format, for a `bytea` its bytes.
    func execute(_ sql: String, _ values: [PostgresValue] = [], isBinary: Bool = false)
        throws(PostgresError) -> PostgresRows
    {
        let name: String
        if let known = prepared[sql] {
            name = known
        } else {
            name = "s\(prepared.count)"
            _ = try answer(toSent: unsafe libpq.sendPrepare(handle, name, sql, Int32(values.count), nil))
            prepared[sql] = name
        }
        let wire = values.map(\.wireBytes)
        let lengths = wire.map { Int32(max(0, ($0?.count ?? 0) - 1)) }
        let formats = values.map { Int32($0.isBinary ? 1 : 0) }
        let sent = unsafe withPointers(wire) { pointers in
            unsafe libpq.sendQueryPrepared(
                handle, name, Int32(values.count), pointers, lengths, formats, isBinary ? 1 : 0)
        }
        return try answer(toSent: sent)
    }

    /// Runs statements without parameters, several of them as one transaction.
    func run(_ sql: String) throws(PostgresError) { _ = try answer(toSent: unsafe libpq.sendQuery(handle, sql)) }

    /// Runs a body between BEGIN and COMMIT; rolls back what throws.
    func transaction<T>(_ body: () throws -> T) throws -> T {
        try run("BEGIN")
        do {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            if !isBroken { try? run("ROLLBACK") }
            throw error
        }
    }

    // MARK: - Results

    /// Waits for what was sent, and reads its last result, as PQexec does: "PQgetResult must be called repeatedly until
    /// it returns a null pointer, indicating that the command is done" (34.4).
    private func answer(toSent sent: Int32) throws(PostgresError) -> PostgresRows {
        guard sent == 1 else { throw failure(state: nil) }
        var last: OpaquePointer?
        while true {
            do {
                try waitForResult()
            } catch {
                unsafe libpq.clear(last)
                throw error
            }
            guard let result = unsafe libpq.getResult(handle) else { return try unsafe rows(last) }
            unsafe libpq.clear(last)
            unsafe last = unsafe result
        }
    }

    /// Waits until PQgetResult would not block.
    private func waitForResult() throws(PostgresError) {
        let clock = ContinuousClock()
        let deadline = clock.now + answerLimit
        while unsafe libpq.isBusy(handle) != 0 {
            var descriptor = unsafe pollfd(fd: libpq.socket(handle), events: Int16(POLLIN), revents: 0)
            let ready = unsafe poll(&descriptor, 1, Int32(max(0, clock.now.duration(to: deadline) / .milliseconds(1))))
            if ready < 0 && errno == EINTR { continue }
            guard ready > 0 else {
                isAbandoned = true
                throw PostgresError(
                    state: nil, message: "no answer within \(answerLimit.components.seconds) s",
                    isConnectionLost: true)
            }
            guard unsafe libpq.consumeInput(handle) == 1 else { throw failure(state: nil) }
        }
    }

    /// Copies a result and frees it.
    private func rows(_ result: OpaquePointer?) throws(PostgresError) -> PostgresRows {
        guard let result = unsafe result else { throw failure(state: nil) }
        defer { unsafe libpq.clear(result) }
        let status = unsafe libpq.resultStatus(result)
        guard status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK else {
            // Field 'C' is PG_DIAG_SQLSTATE, 'M' is PG_DIAG_MESSAGE_PRIMARY (34.3.1).
            let state = unsafe libpq.resultErrorField(result, 0x43).map { unsafe String(cString: $0) }
            let message = unsafe libpq.resultErrorField(result, 0x4D).map { unsafe String(cString: $0) }
            throw failure(state: state, message: message)
        }
        let columns = unsafe libpq.nfields(result)
        let fields = unsafe (0..<libpq.ntuples(result)).map { row in
            (0..<columns).map { column -> [UInt8]? in
                guard unsafe libpq.getisnull(result, row, column) == 0,
                    let start = unsafe libpq.getvalue(result, row, column)
                else { return nil }
                let length = Int(unsafe libpq.getlength(result, row, column))
                return unsafe Array(UnsafeRawBufferPointer(start: start, count: length))
            }
        }
        return unsafe PostgresRows(fields: fields, changedCount: Int(String(cString: libpq.cmdTuples(result))) ?? 0)
    }

    private func failure(state: String?, message: String? = nil) -> PostgresError {
        let text = unsafe message ?? String(cString: libpq.errorMessage(handle))
        return PostgresError(state: state, message: singleLine(text), isConnectionLost: isBroken)
    }

    // MARK: - Connecting

    /// Polls as 34.1 describes for PQconnectPoll: wait until the socket is ready for what it asked last, then ask again.
    private static func finishConnecting(
        _ handle: OpaquePointer, _ libpq: PostgresLibrary, timeoutSeconds: Int
    ) throws(PostgresError) {
        let clock = ContinuousClock()
        let deadline = clock.now + .seconds(timeoutSeconds)
        var wanted = PGRES_POLLING_WRITING
        while unsafe libpq.status(handle) != CONNECTION_BAD {
            let left = clock.now.duration(to: deadline)
            var descriptor = unsafe pollfd(
                fd: libpq.socket(handle), events: Int16(wanted == PGRES_POLLING_READING ? POLLIN : POLLOUT), revents: 0)
            let milliseconds = Int32(max(0, left / .milliseconds(1)))
            let ready = unsafe poll(&descriptor, 1, milliseconds)
            if ready < 0 && errno == EINTR { continue }
            guard ready > 0 else {
                throw PostgresError(
                    state: nil, message: "no answer within \(timeoutSeconds) s", isConnectionLost: true)
            }
            wanted = unsafe libpq.connectPoll(handle)
            if wanted == PGRES_POLLING_OK { return }
            if wanted == PGRES_POLLING_FAILED { break }
        }
        throw unsafe connectError(String(cString: libpq.errorMessage(handle)))
    }

    /// Takes the state, which two spaces precede, out of `… FATAL:  28P01: password authentication failed for user "x"\nLOCATION:  …`.
    static func connectError(_ message: String) -> PostgresError {
        let lines = message.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("LOCATION:") }
        for line in lines {
            guard let match = line.firstMatch(of: #/:  ([0-9A-Z]{5}): (.*)$/#) else { continue }
            return PostgresError(state: String(match.1), message: singleLine(String(match.2)), isConnectionLost: true)
        }
        return PostgresError(
            state: nil, message: singleLine(lines.map(String.init).joined(separator: " ")), isConnectionLost: true)
    }
}

/// Lends texts as a null-terminated array of C strings.
private func withCStrings<R>(_ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> R) -> R {
    unsafe withPointers(texts.map { Array($0.utf8) + [0] } + [nil]) { unsafe body($0) }
}

/// Lends arrays of bytes as an array of pointers, null for nil.
private func withPointers<R>(_ arrays: [[UInt8]?], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> R) -> R {
    let flat = arrays.reduce(into: []) { $0 += $1 ?? [] } + [0]
    return unsafe flat.withUnsafeBytes { bytes in
        let base = unsafe bytes.bindMemory(to: CChar.self)
        var offset = 0
        var pointers: [UnsafePointer<CChar>?] = unsafe []
        for array in arrays {
            let start = unsafe base.baseAddress.map { unsafe $0 + offset }
            unsafe pointers.append(array == nil ? nil : start)
            offset += array?.count ?? 0
        }
        // An array of no elements still needs an address.
        unsafe pointers.append(nil)
        return unsafe pointers.withUnsafeBufferPointer { buffer in
            guard let address = buffer.baseAddress else { preconditionFailure("the array has an element") }
            return unsafe body(address)
        }
    }
}
