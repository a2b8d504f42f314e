internal import Foundation
internal import Glibc

/// A real PostgreSQL server for tests, on a loopback port of its own, with its data in a temporary folder.
///
/// The server refuses to run as root, so as root it is run as the user `nobody`. A watcher stops it and removes the
/// folder when this process ends in whichever way.
public final class PostgresServer: Sendable {
    public static let user = "chirp"
    public static let password = "correct horse"
    public let port: Int
    private let folder: String
    private let lifeline: FileHandle

    /// The server that the tests of a process share; it is made when first needed.
    public static func shared() async throws -> PostgresServer { try await common.value }

    private static let common = Task { try await blocking { try PostgresServer() } }

    /// Makes and starts a server.
    public init() throws {
        folder = try Self.makeFolder()
        let passwordFile = folder + "/password"
        try Data((Self.password + "\n").utf8).write(to: URL(fileURLWithPath: passwordFile))
        // Whatever the umask says, the server's user reads it; the folder is that user's alone.
        chmod(passwordFile, 0o644)
        try run(
            Self.asUser + [
                Self.program("initdb"), "--pgdata=\(folder)/data", "--username=\(Self.user)", "--encoding=UTF8",
                "--locale=C.UTF-8", "--auth=scram-sha-256", "--pwfile=\(passwordFile)",
            ])
        let settings = """
            listen_addresses = '127.0.0.1'
            unix_socket_directories = '\(folder)'
            max_connections = 100
            shared_buffers = 64MB
            lc_messages = 'C'
            """
        let configuration = try FileHandle(forWritingTo: URL(fileURLWithPath: folder + "/data/postgresql.conf"))
        try configuration.seekToEnd()
        try configuration.write(contentsOf: Data(settings.utf8))
        try configuration.close()
        let watcher = Process()
        let pipe = Pipe()
        watcher.executableURL = URL(fileURLWithPath: "/bin/sh")
        watcher.arguments =
            [
                "-c",
                #"read line; folder=$1; shift; "$@" stop --pgdata="$folder/data" --mode=immediate; rm -rf "$folder""#,
                "watcher", folder,
            ] + Self.asUser + [Self.program("pg_ctl")]
        watcher.standardInput = pipe
        watcher.standardOutput = FileHandle.nullDevice
        watcher.standardError = FileHandle.nullDevice
        try watcher.run()
        lifeline = pipe.fileHandleForWriting
        // The watcher waits for the end of the pipe, which comes when nobody holds it, so no child may.
        _ = fcntl(lifeline.fileDescriptor, F_SETFD, FD_CLOEXEC)
        port = try Self.startAtFreePort(folder: folder)
    }

    deinit { try? lifeline.close() }

    /// Starts the server again and waits until it takes connections.
    public func start() throws { try Self.start(folder: folder, port: port) }

    /// Starts a server at a port that it could take: between the choice of a port and the start another program may have
    /// taken it.
    private static func startAtFreePort(folder: String) throws -> Int {
        for _ in 1..<10 {
            let port = try freeLoopbackPort()
            do {
                try start(folder: folder, port: port)
                return port
            } catch let error as TestServerError where "\(error)".contains("Address already in use") {
                try FileManager.default.removeItem(atPath: folder + "/log")
            }
        }
        let port = try freeLoopbackPort()
        try start(folder: folder, port: port)
        return port
    }

    private static func start(folder: String, port: Int) throws {
        do {
            try run(
                Self.asUser + [
                    Self.program("pg_ctl"), "start", "--pgdata=\(folder)/data", "--log=\(folder)/log", "--wait",
                    "--timeout=60", "--options=-p \(port)",
                ])
        } catch {
            let log = (try? String(contentsOfFile: folder + "/log", encoding: .utf8)) ?? ""
            throw TestServerError("\(error): \(log.suffix(1_000))")
        }
    }

    /// Stops it as a power cut would, without a checkpoint.
    public func stopAbruptly() throws {
        try run(
            Self.asUser + [Self.program("pg_ctl"), "stop", "--pgdata=\(folder)/data", "--mode=immediate", "--wait"])
    }

    /// Sends a signal such as `STOP` to the server's processes.
    public func signal(_ name: String) throws {
        try run([
            "sh", "-c", #"p=$(head -n 1 "$1"); kill -s "$2" "$p" $(cat "/proc/$p/task/$p/children")"#, "signal",
            "\(folder)/data/postmaster.pid", name,
        ])
    }

    /// The URL of a database of the server.
    public func url(database: String = "postgres", password: String = PostgresServer.password) -> String {
        let password = password.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? password
        return "postgresql://\(Self.user):\(password)@127.0.0.1:\(port)/\(database)"
    }

    /// Makes an empty database and returns its URL.
    public func makeDatabase() throws -> String {
        let name = "d" + UUID().uuidString.replacingOccurrences(of: "-", with: "").lowercased()
        try execute("CREATE DATABASE \(name)")
        return url(database: name)
    }

    /// Runs SQL through psql, as another program beside the registry.
    @discardableResult
    public func execute(_ sql: String, database: String = "postgres") throws -> String {
        try run([
            Self.program("psql"), "--no-psqlrc", "--tuples-only", "--no-align", "--set=ON_ERROR_STOP=1",
            "--command=\(sql)", url(database: database),
        ])
    }

    private static var asUser: [String] {
        getuid() == 0 ? ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] : []
    }

    private static func makeFolder() throws -> String {
        var template = Array("\(NSTemporaryDirectory())/chirp-postgresql-XXXXXX".utf8CString)
        guard let path = mkdtemp(&template).map({ String(cString: $0) }) else {
            throw TestServerError("mkdtemp failed")
        }
        if getuid() == 0, let nobody = getpwnam("nobody") { chown(path, nobody.pointee.pw_uid, nobody.pointee.pw_gid) }
        return path
    }

    /// A program of Debian's newest server, which are not in the search path.
    private static func program(_ name: String) -> String {
        let root = "/usr/lib/postgresql"
        let versions = ((try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []).compactMap { Int($0) }
            .sorted()
        return versions.last.map { "\(root)/\($0)/bin/\(name)" } ?? name
    }
}

/// A port that nobody uses at this moment, below those that connections are given (Linux: from 32768 on): whoever connects again
/// and again while the server is away might hold its port when it comes back.
public func freeLoopbackPort() throws -> Int {
    for port in (UInt16(20_000)..<32_768).shuffled().prefix(100) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        let isBound = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        if isBound { return Int(port) }
    }
    throw TestServerError("no free port: \(String(cString: strerror(errno)))")
}
