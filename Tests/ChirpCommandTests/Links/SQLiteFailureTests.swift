import Chirp
import ChirpLinks
import Foundation
import RegistryConformance
import Testing

/// What people read when a registry's file cannot be used, and that nothing is lost by it.
@Suite struct SQLiteFailureTests {
    struct Damage: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Python that spoils the file `path`, which is a registry of 500 links.
        let python: String
        let says: String
        var readsFail = true
    }

    static let damages = [
        Damage(
            testDescription: "a text", python: "open(path, 'w').write('This is no database. ' * 100)",
            says: "it is damaged or not a registry (file is not a database); restore it from a backup"),
        Damage(
            testDescription: "another program's database",
            python: "import os; os.remove(path); c = sqlite3.connect(path); c.execute('CREATE TABLE t (x)'); c.close()",
            says: "it is damaged or not a registry (it is a database of another program); restore it from a backup"),
        Damage(
            testDescription: "overwritten pages",
            python: "f = open(path, 'r+b'); n = f.seek(0, 2); f.seek(4096); f.write(bytes([255]) * (n - 4096))",
            says: "it is damaged or not a registry (database disk image is malformed); restore it from a backup"),
        Damage(
            testDescription: "half of it missing",
            python: "f = open(path, 'r+b'); f.truncate(f.seek(0, 2) // 8192 * 4096)",
            says: "it is damaged or not a registry (database disk image is malformed); restore it from a backup"),
        Damage(
            testDescription: "a schema that a later version made",
            python: "c = sqlite3.connect(path); c.execute('PRAGMA user_version = 99'); c.close()",
            says: "was created by a newer version (schema 99, this one supports "),
    ]

    @Test(arguments: damages)
    func `a file that cannot be a registry is reported in one line and left as it is`(damage: Damage) async throws {
        let home = try Household()
        let code = try await home.share("url", "https://example.org/")
        try await fill(home.registryPath)
        _ = try await blocking {
            try run(["python3", "-c", "import sqlite3, sys; path = sys.argv[1]\n" + damage.python, home.registryPath])
        }
        let content = try Data(contentsOf: URL(fileURLWithPath: home.registryPath))
        for arguments in [["share", "text", "a new note"], ["resolve", code], ["export"], ["list"]] {
            let line = try await home.chirp(arguments).failure()
            #expect(line.hasPrefix("chirp: \(home.registryPath): ") && line.contains(damage.says), "\(line)")
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: home.registryPath)) == content)
    }

    @Test func `a folder in the file's place is reported in one line`() async throws {
        let home = try Household()
        try FileManager.default.createDirectory(atPath: home.registryPath, withIntermediateDirectories: true)
        #expect(try await home.chirp("share", "text", "x").failure().contains("(it is a folder)"))
    }

    @Test func `a folder that cannot be made is reported in one line`() async throws {
        let line = try await Household(registry: "/proc/chirp/registry.sqlite").chirp("share", "text", "x").failure()
        #expect(
            line.hasPrefix(
                "chirp: /proc/chirp/registry.sqlite: cannot register: its folder /proc/chirp cannot be made: No such file"
            ))
    }

    @Test func `a history that is open loses nothing when another program that used it ends`() async throws {
        let home = try Household()
        let code = try Shortcode(parsing: "gsm2h88c7u")
        func send() async throws { #expect(try await home.chirp("send", "kingfisher", "-o", "x.wav").status == 0) }
        try await send()
        let history = History(path: home.historyPath)
        #expect(try await history.events().count == 1)
        try await history.add([HistoryEvent(direction: .heard, code: code, link: nil)])
        // The last one to close the file folds the log into it and removes the log, unless others hold their locks.
        try await send()
        try await history.add([HistoryEvent(direction: .heard, code: code, link: nil)])
        try await send()
        #expect(try await home.chirp("history", "--json", "--no-resolve").outputLines.count == 5)
        let mode = try FileManager.default.attributesOfItem(atPath: home.historyPath)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    // MARK: - Without the right to write

    /// A copy of the program that the user `nobody` may run, as root may write whatever it likes.
    private static let unprivileged: [String]? = {
        guard getuid() == 0 else { return [ChirpProcess.binary] }
        let path = NSTemporaryDirectory() + "chirp-tests-binary-\(getpid())"
        atexit {
            try? FileManager.default.removeItem(atPath: NSTemporaryDirectory() + "chirp-tests-binary-\(getpid())")
        }
        guard (try? FileManager.default.copyItem(atPath: ChirpProcess.binary, toPath: path)) != nil else { return nil }
        let command = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", path]
        return (try? run(command + ["--help"])) == nil ? nil : command
    }()

    @Test(.enabled(if: unprivileged != nil), arguments: [0o755, 0o555])
    func `a file that may not be written is read, and a share says so in one line`(folderMode: Int) async throws {
        let home = try Household()
        let code = try await home.share("url", "https://example.org/", "--title", "An example")
        let folder = URL(fileURLWithPath: home.registryPath).deletingLastPathComponent().path
        // A root's file in a root's folder is one that nobody else may write, whatever the modes say.
        try run(["chmod", "-R", "a+rX", home.folder.path])
        try run(["chmod", "444", home.registryPath])
        try run(["chmod", String(folderMode, radix: 8), folder])
        defer { _ = try? run(["chmod", "755", folder]) }
        let content = try Data(contentsOf: URL(fileURLWithPath: home.registryPath))
        let command = try #require(Self.unprivileged)
        var environment = home.environment
        environment["CHIRP_HISTORY"] = "off"
        func chirp(_ arguments: String...) async throws -> Run {
            let ended = try await blocking { [environment] in
                try RunningProgram(command + arguments, environment: environment).wait()
            }
            return Run(status: ended.status, output: ended.output, errors: ended.errors)
        }
        let found = try await chirp("resolve", code)
        #expect(found.status == 0 && found.output.contains("An example"), "\(found)")
        let line = try await chirp("share", "text", "x").failure()
        #expect(line.hasPrefix("chirp: \(home.registryPath): cannot register: it is read-only"), "\(line)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: home.registryPath)) == content)
    }

    @Test(
        .enabled(if: unprivileged != nil),
        arguments: [["history", "--clear"], ["history"], ["users", "list"], ["list"]])
    func `what is in a folder that may not be entered is not missing`(arguments: [String]) async throws {
        let home = try Household()
        let code = try Shortcode(parsing: try await home.share("url", "https://example.org/"))
        let event = HistoryEvent(direction: .heard, code: code, link: nil)
        try await History(path: home.historyPath).add([event])
        let folder = URL(filePath: home.registryPath).deletingLastPathComponent().path
        try run(["chmod", "0", folder])
        defer { _ = try? run(["chmod", "755", folder]) }
        let command = try #require(Self.unprivileged)
        let ended = try await blocking { [home] in
            try RunningProgram(command + arguments, environment: home.environment).wait()
        }
        #expect(ended.status == 2 && ended.errors.lowercased().contains("denied"), "\(ended)")
        try run(["chmod", "755", folder])
        #expect(try await home.chirp("history", "--json").outputLines.count == 1)
    }

    // MARK: - A full disk

    /// What mounts a small disk that nobody else sees, or nil where this system does not let us.
    private static let ownMounts: [String]? = {
        let command = ["unshare", "--mount"] + (getuid() == 0 ? [] : ["--user", "--map-root-user"])
        return (try? run(command + ["mount", "-t", "tmpfs", "none", "/mnt"])) == nil ? nil : command
    }()

    @Test(.enabled(if: ownMounts != nil))
    func `on a full disk everything is found, a share says so in one line, and with space it goes on`() async throws {
        let home = try Household()
        let disk = home.folder.path("disk")
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
        let script = """
            set -eu
            mount -t tmpfs -o size=2m none "$DISK"
            export CHIRP_REGISTRY="$DISK/registry.sqlite"
            for i in 1 2 3 4 5; do "$CHIRP" share text "note $i" >>codes; done
            cat /dev/zero >"$DISK/filler" 2>/dev/null || true
            "$CHIRP" share text "$(printf '%01000d' 1)" 2>full >>codes || echo "status $?"
            for code in $(cat codes); do "$CHIRP" resolve $code; done
            rm "$DISK/filler"
            # It fills up under a crowd of them.
            i=0
            while "$CHIRP" share text "$(printf '%0990d' $i)" 2>full2 >>codes; do
              i=$((i + 1)); [ $i -lt 2000 ] || exit 3
              head -c 100000 /dev/zero >>"$DISK/filler" 2>/dev/null || true
            done
            for code in $(cat codes); do "$CHIRP" resolve $code >/dev/null; done
            rm -f "$DISK/filler"
            "$CHIRP" share text "there is room again" >>codes
            for code in $(cat codes); do "$CHIRP" resolve $code >/dev/null; done
            python3 -c "
            import sqlite3, sys
            print(sqlite3.connect(sys.argv[1]).execute('PRAGMA integrity_check').fetchone()[0])" "$CHIRP_REGISTRY"
            """
        var environment = home.environment
        environment["DISK"] = disk
        environment["CHIRP"] = ChirpProcess.binary
        environment["CHIRP_HISTORY"] = "off"
        let command = try #require(Self.ownMounts) + ["sh", "-c", "cd \(home.folder.path)\n" + script]
        let output = try await blocking { [environment] in try run(command, environment: environment) }
        let lines = output.split(separator: "\n").map(String.init)
        #expect(lines == ["status 2"] + (1...5).map { "text  “note \($0)”" } + ["ok"])
        for file in ["full", "full2"] {
            let line = String(decoding: try home.folder.read(file), as: UTF8.self)
            #expect(line.hasPrefix("chirp: \(disk)/registry.sqlite: cannot register: the disk is full"), "\(line)")
            #expect(line.hasSuffix("free some space and try again\n") && line.filter(\.isNewline).count == 1)
        }
    }

    @Test(.withoutSanitizer)
    func `where files may not grow everything is found, and a share says so in one line`() async throws {
        let home = try Household(registry: "registry.sqlite")
        let code = try await home.share("text", "a note")
        var environment = home.environment
        environment["CHIRP_HISTORY"] = "off"
        let full = try await ChirpProcess.shell(
            "ulimit -f 16; chirp share text 'another'", in: home.folder.path, environment: environment)
        #expect(try full.failure().contains("the disk is full (files may have 16384 bytes at most, see ulimit -f)"))
        let found = try await ChirpProcess.shell(
            "ulimit -f 16; chirp resolve \(code)", in: home.folder.path, environment: environment)
        #expect(found == Run(status: 0, output: "text  “a note”\n", errors: ""))
        _ = try await home.share("text", "another")
    }

    /// Adds 500 links, enough for many pages.
    private func fill(_ path: String) async throws {
        let registry = SQLiteRegistry(path: path)
        for index in 0..<500 {
            let note = Link.text(try NoteText("\(index) " + String(repeating: "a", count: 200)))
            _ = try await registry.register(LinkDraft(note, clientKind: "tests"))
        }
        await registry.close()
    }
}
