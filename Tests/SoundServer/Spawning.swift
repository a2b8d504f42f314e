internal import Foundation

/// A program could not be started; the system's error number.
package struct NotStarted: Error {
    package let program: String
    package let code: Int32

    package init(program: String, code: Int32) {
        self.program = program
        self.code = code
    }
}

/// Starts programs as POSIX describes it.
enum Spawning {
    struct Child {
        let identifier: Int32
        /// The reading end of its output, or its terminal.
        let output: Int32
        /// The reading end of its errors, nil on a terminal.
        let errors: Int32?
    }

    /// Starts a program with all signals as the system sets them, and nothing to read but its terminal.
    static func start(
        _ line: [String], environment: [String: String], terminal: (columns: Int, lines: Int)?
    ) throws -> Child {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        var flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF

        // What the child writes to it opens itself, so that no other child that is started meanwhile holds it open.
        let (output, errors): (End, End?)
        if let terminal {
            output = try openTerminal(terminal, for: line[0])
            errors = nil
            // The first terminal that the leader of a session opens becomes the one that its keys and size are told by.
            flags |= 0x80  // POSIX_SPAWN_SETSID
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, output.path, O_RDWR, 0)
            posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDOUT_FILENO)
            posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDERR_FILENO)
        } else {
            let pipes = (try openPipe(for: line[0]), try openPipe(for: line[0]))
            (output, errors) = pipes
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
            posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, pipes.0.path, O_WRONLY, 0)
            posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, pipes.1.path, O_WRONLY, 0)
        }
        posix_spawnattr_setflags(&attributes, Int16(flags))

        let arguments = line.map { strdup($0) } + [nil]
        // What sanitizers are told holds for the programs under test too.
        let sanitizers = ProcessInfo.processInfo.environment.filter { $0.key.hasSuffix("SAN_OPTIONS") }
        let variables = environment.merging(sanitizers) { own, _ in own }.map { strdup("\($0)=\($1)") } + [nil]
        defer { for pointer in arguments + variables { free(pointer) } }
        var identifier: pid_t = 0
        // Returns when the child runs the program, and so has opened what it writes to.
        let code = posix_spawnp(&identifier, line[0], &actions, &attributes, arguments, variables)
        for pipe in [terminal == nil ? output : nil, errors].compactMap(\.self) {
            unlink(pipe.path)
            _ = fcntl(pipe.descriptor, F_SETFL, 0)
        }
        guard code == 0 else {
            for end in [output, errors].compactMap(\.self) { close(end.descriptor) }
            throw NotStarted(program: line[0], code: code)
        }
        return Child(identifier: identifier, output: output.descriptor, errors: errors?.descriptor)
    }

    /// Our end of something, and where the other end is opened.
    private typealias End = (descriptor: Int32, path: String)

    private static func openPipe(for program: String) throws -> End {
        let path = NSTemporaryDirectory() + "/chirp-live-\(UUID().uuidString)"
        guard mkfifo(path, 0o600) == 0 else { throw NotStarted(program: program, code: errno) }
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw NotStarted(program: program, code: errno) }
        return (descriptor, path)
    }

    private static func openTerminal(_ size: (columns: Int, lines: Int), for program: String) throws -> End {
        let descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { throw NotStarted(program: program, code: errno) }
        // Macros of <asm-generic/ioctls.h> that Swift does not see: TIOCSPTLCK and TIOCGPTN, ioctl_tty(2).
        let (lock, number): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
        var (isLocked, index): (Int32, UInt32) = (0, 0)
        var size = winsize(ws_row: UInt16(size.lines), ws_col: UInt16(size.columns), ws_xpixel: 0, ws_ypixel: 0)
        guard ioctl(descriptor, lock, &isLocked) == 0, ioctl(descriptor, number, &index) == 0,
            ioctl(descriptor, UInt(TIOCSWINSZ), &size) == 0
        else { throw NotStarted(program: program, code: errno) }
        return (descriptor, "/dev/pts/\(index)")
    }
}
