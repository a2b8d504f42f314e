internal import ChirpSound
internal import Foundation

/// Starts processes as POSIX describes it.
enum ProcessSpawn {
    struct Failure: Error { let code: Int32 }

    /// Starts a program in a process group of its own, its name looked up in PATH, standard input empty, and its signals
    /// as the system sets them.
    ///
    /// - Parameters:
    ///   - environment: added to this process's own.
    ///   - output: where its standard output and error go; this process's own when nil.
    static func start(_ arguments: [String], environment: [String: String], output: Int32?) -> Result<pid_t, Failure> {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        if let output {
            posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
            posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))

        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }.map { "\($0)=\($1)" }
        return withStrings(arguments.map { argument in FilePath.withSystemPath(argument) { strdup($0) } }) { pointers in
            withStrings(variables.map { strdup($0) }) { variables in
                var process: pid_t = 0
                let code = posix_spawnp(&process, arguments[0], &actions, &attributes, pointers, variables)
                return code == 0 ? .success(process) : .failure(Failure(code: code))
            }
        }
    }

    /// C strings for the time of a call, after which they are freed, with a null after the last.
    private static func withStrings<R>(
        _ pointers: [UnsafeMutablePointer<CChar>?], _ body: ([UnsafeMutablePointer<CChar>?]) -> R
    ) -> R {
        defer { for pointer in pointers { free(pointer) } }
        return body(pointers + [nil])
    }
}
