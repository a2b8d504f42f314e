internal import Dispatch
internal import Foundation

/// Turns signals into a stream, so that they are handled like everything else that happens.
///
/// Unchecked, as the sources are not Sendable: they are stored to be kept, and never touched once made.
final class SignalWatch: @unchecked Sendable {
    /// The signals that end a command.
    static let ending = [SIGINT, SIGQUIT, SIGTERM, SIGHUP]

    let signals: AsyncStream<Int32>
    private let sources: [any DispatchSourceSignal]

    /// Begins to watch. Signals that the parent process had ignored, as `nohup` does, stay ignored.
    init(_ watched: [Int32]) {
        let (signals, continuation) = AsyncStream.makeStream(of: Int32.self)
        self.signals = signals
        sources = watched.filter { !Self.isIgnored($0) }.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global(qos: .userInitiated))
            source.setEventHandler { continuation.yield(number) }
            source.resume()
            return source
        }
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// Ends this process by the signal, so that its parent sees that it was stopped: a shell shows 128 + number,
    /// and ends its own loop at Ctrl-C.
    static func endProcess(by number: Int32) -> Never {
        fflush(nil)
        signal(number, SIG_DFL)
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, number)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
        kill(getpid(), number)
        // Reached when somebody else handles the signal, under a debugger.
        exit(128 + number)
    }

    /// The name that people know it by.
    static func name(of number: Int32) -> String {
        switch number {
        case SIGINT: "SIGINT"
        case SIGQUIT: "SIGQUIT"
        case SIGTERM: "SIGTERM"
        case SIGHUP: "SIGHUP"
        case SIGPIPE: "SIGPIPE"
        default: "signal \(number)"
        }
    }
}
