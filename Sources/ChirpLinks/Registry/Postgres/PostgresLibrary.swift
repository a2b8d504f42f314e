internal import CPostgres
internal import Glibc

/// The functions of libpq, which is loaded when the first connection is made: with it come two dozen libraries for TLS,
/// Kerberos and LDAP, which take 5 MB and a quarter of the time that the program needs to start.
///
/// Names and types are those of libpq-fe.h (PostgreSQL 15 documentation, chapter 34) without their prefix.
@safe struct PostgresLibrary: Sendable {
    typealias Connection = OpaquePointer
    typealias Result = OpaquePointer
    typealias Strings = UnsafePointer<UnsafePointer<CChar>?>

    let conninfoParse:
        @convention(c) @Sendable (
            UnsafePointer<CChar>?, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        ) -> UnsafeMutablePointer<PQconninfoOption>?
    let conninfoFree: @convention(c) @Sendable (UnsafeMutablePointer<PQconninfoOption>?) -> Void
    let connectStartParams: @convention(c) @Sendable (Strings?, Strings?, Int32) -> Connection?
    let connectPoll: @convention(c) @Sendable (Connection?) -> PostgresPollingStatusType
    let finish: @convention(c) @Sendable (Connection?) -> Void
    let status: @convention(c) @Sendable (Connection?) -> ConnStatusType
    let socket: @convention(c) @Sendable (Connection?) -> Int32
    let errorMessage: @convention(c) @Sendable (Connection?) -> UnsafeMutablePointer<CChar>
    let setErrorVerbosity: @convention(c) @Sendable (Connection?, PGVerbosity) -> PGVerbosity
    let setNoticeProcessor:
        @convention(c) @Sendable (Connection?, PQnoticeProcessor?, UnsafeMutableRawPointer?) -> PQnoticeProcessor?
    let sendQuery: @convention(c) @Sendable (Connection?, UnsafePointer<CChar>?) -> Int32
    let sendPrepare:
        @convention(c) @Sendable (
            Connection?, UnsafePointer<CChar>?, UnsafePointer<CChar>?, Int32, UnsafePointer<Oid>?
        ) -> Int32
    let sendQueryPrepared:
        @convention(c) @Sendable (
            Connection?, UnsafePointer<CChar>?, Int32, Strings?, UnsafePointer<Int32>?, UnsafePointer<Int32>?, Int32
        ) -> Int32
    let consumeInput: @convention(c) @Sendable (Connection?) -> Int32
    let isBusy: @convention(c) @Sendable (Connection?) -> Int32
    let getResult: @convention(c) @Sendable (Connection?) -> Result?
    let clear: @convention(c) @Sendable (Result?) -> Void
    let resultStatus: @convention(c) @Sendable (Result?) -> ExecStatusType
    let resultErrorField: @convention(c) @Sendable (Result?, Int32) -> UnsafeMutablePointer<CChar>?
    let nfields: @convention(c) @Sendable (Result?) -> Int32
    let ntuples: @convention(c) @Sendable (Result?) -> Int32
    let getisnull: @convention(c) @Sendable (Result?, Int32, Int32) -> Int32
    let getvalue: @convention(c) @Sendable (Result?, Int32, Int32) -> UnsafeMutablePointer<CChar>?
    let getlength: @convention(c) @Sendable (Result?, Int32, Int32) -> Int32
    let cmdTuples: @convention(c) @Sendable (Result?) -> UnsafeMutablePointer<CChar>

    /// Loaded once, and never unloaded; nor is it looked for again when it was missing.
    private static let loaded = Swift.Result { () throws(PostgresError) in
        try PostgresLibrary(named: "libpq.so.5")
    }

    /// The library of this system.
    ///
    /// - Throws: when it is not installed.
    static func load() throws(PostgresError) -> PostgresLibrary { try loaded.get() }

    /// Loads a library of libpq's interface.
    init(named file: String) throws(PostgresError) {
        guard let library = unsafe dlopen(file, RTLD_NOW | RTLD_LOCAL) else {
            throw .library(unsafe dlerror().map { unsafe String(cString: $0) } ?? file)
        }
        func function<Function>(_ name: String) throws(PostgresError) -> Function {
            guard let address = unsafe dlsym(library, name) else { throw .library("\(file) has no \(name)") }
            return unsafe unsafeBitCast(address, to: Function.self)
        }
        try unsafe conninfoParse = unsafe function("PQconninfoParse")
        try unsafe conninfoFree = unsafe function("PQconninfoFree")
        try unsafe connectStartParams = unsafe function("PQconnectStartParams")
        try unsafe connectPoll = unsafe function("PQconnectPoll")
        try unsafe finish = unsafe function("PQfinish")
        try unsafe status = unsafe function("PQstatus")
        try unsafe socket = unsafe function("PQsocket")
        try unsafe errorMessage = unsafe function("PQerrorMessage")
        try unsafe setErrorVerbosity = unsafe function("PQsetErrorVerbosity")
        try unsafe setNoticeProcessor = unsafe function("PQsetNoticeProcessor")
        try unsafe sendQuery = unsafe function("PQsendQuery")
        try unsafe sendPrepare = unsafe function("PQsendPrepare")
        try unsafe sendQueryPrepared = unsafe function("PQsendQueryPrepared")
        try unsafe consumeInput = unsafe function("PQconsumeInput")
        try unsafe isBusy = unsafe function("PQisBusy")
        try unsafe getResult = unsafe function("PQgetResult")
        try unsafe clear = unsafe function("PQclear")
        try unsafe resultStatus = unsafe function("PQresultStatus")
        try unsafe resultErrorField = unsafe function("PQresultErrorField")
        try unsafe nfields = unsafe function("PQnfields")
        try unsafe ntuples = unsafe function("PQntuples")
        try unsafe getisnull = unsafe function("PQgetisnull")
        try unsafe getvalue = unsafe function("PQgetvalue")
        try unsafe getlength = unsafe function("PQgetlength")
        try unsafe cmdTuples = unsafe function("PQcmdTuples")
    }
}

extension PostgresError {
    /// libpq is missing, or not what it should be.
    fileprivate static func library(_ reason: String) -> PostgresError {
        PostgresError(
            state: nil, message: "PostgreSQL's library cannot be loaded (package libpq5): \(reason)",
            isConnectionLost: false)
    }
}
