internal import Chirp
internal import ChirpSound
internal import Foundation

/// Runs `chirp listen`: feeds events to the state machine and performs its actions.
actor ListenController {
    struct Options: Sendable {
        var device: String
        var channelCount: Int
        var waitsForDevice = false
        var once = false
        var timeoutSeconds: Double?
        var asJSON = false
        var opensLinks = false
        var command: String?
        var recordingPath: String?
        var ignored: Set<Shortcode> = []
        var formats = [WireFormat.original]
        var combinesCopies = true
    }

    /// A capture that does not stop within this time, in seconds, is abandoned.
    private static let stopDeadlineSeconds = 0.5
    /// As much where a recording is to be completed, on a slow disk.
    private static let recordingDeadlineSeconds = 10.0
    /// Interval at which a pipe is checked for a reader, in seconds.
    private static let outputCheckSeconds = 0.25

    private let options: Options
    private let resolve: ResolveLink
    private let yield: @Sendable (ListenEvent) -> Void
    private let events: AsyncStream<ListenEvent>
    private let signals: SignalWatch
    private let view: LiveTerminal?
    private let runner: CommandRunner
    private let capture: Capture
    private var session: ListenStateMachine

    /// - Parameter resolver: makes the look-up of links; it receives a function that reports its problems.
    init(
        _ options: Options, resolver: (_ report: @escaping @Sendable (String) -> Void) throws -> ResolveLink
    ) throws {
        let recording = try options.recordingPath.map { try RecordingWriter(path: $0) }
        let (events, continuation) = AsyncStream.makeStream(of: ListenEvent.self)
        self.options = options
        self.events = events
        yield = { continuation.yield($0) }
        resolve = try resolver { continuation.yield(.linkProblem($0)) }
        let isWatched = !options.asJSON && Terminal.showsLiveView
        // Before the terminal is taken, which a signal must not leave behind as it is.
        signals = SignalWatch(SignalWatch.ending + (isWatched ? [SIGWINCH, SIGTSTP] : []))
        view = isWatched ? LiveTerminal(formats: options.formats) : nil
        runner = CommandRunner(capturesOutput: view != nil, report: yield)
        capture = Capture(
            device: options.device, preferredChannelCount: options.channelCount, waitsForDevice: options.waitsForDevice)
        session = ListenStateMachine(once: options.once, ignored: options.ignored)
        ListenPipeline.start(
            capture, recording: recording, formats: options.formats, combinesCopies: options.combinesCopies,
            measuresTones: view != nil, report: yield)
    }

    /// Listens until the session says that it is over.
    func run() async -> ListenStateMachine.Ending {
        // A reader who goes away is an event, not the end of this process.
        signal(SIGPIPE, SIG_IGN)
        let yield = yield
        let (found, resolutions) = AsyncStream.makeStream(of: (ChannelDetection, time: Date).self)
        let tasks = [
            Task.detached { [signals] in for await number in signals.signals { yield(.signal(number)) } },
            Task.detached { [resolve] in
                for await (detection, time) in found {
                    yield(
                        .resolved(
                            ResolvedDetection(
                                chirp: detection.chirp, time: time, link: await resolve(detection.chirp),
                                channel: detection.channel, channels: detection.channels)))
                }
            },
            Task.detached { [options] in
                guard let seconds = options.timeoutSeconds else { return }
                try await Task.sleep(for: .seconds(seconds))
                yield(.timeExpired)
            },
            Task.detached {
                while !UnbufferedOutput.isClosed { try await Task.sleep(for: .seconds(Self.outputCheckSeconds)) }
                yield(.outputClosed)
            },
        ]
        defer { for task in tasks { task.cancel() } }

        var ending: ListenStateMachine.Ending?
        for await event in events {
            if let view, handle(event, view) { continue }
            ending = session.take(event).performed { action in
                guard case .resolve(let detection) = action else { return perform(action) }
                resolutions.yield((detection, Date()))
                return nil
            }
            if ending != nil { break }
        }
        return await finish(ending ?? .done)
    }

    /// Shows an event; true when it concerns the view alone.
    private func handle(_ event: ListenEvent, _ view: LiveTerminal) -> Bool {
        switch event {
        case .signal(SIGWINCH):
            view.resize()
            return true
        case .signal(SIGTSTP):
            // Stops as any program does at Ctrl-Z, but gives the terminal back first, and takes it again afterwards.
            view.leave()
            // To this very thread, which would otherwise run on for a moment and take the terminal before it stops.
            raise(SIGSTOP)
            view.enter()
            return true
        default:
            view.take(event)
            return false
        }
    }

    private func perform(_ action: ListenStateMachine.Action) -> ListenStateMachine.Ending? {
        switch action {
        case .resolve: break
        case .report(let detection): return report(detection)
        case .warn(let notice): warn(notice)
        case .stopListening: capture.stop()
        case .end(let ending): return ending
        }
        return nil
    }

    private func warn(_ notice: any UserFacingError) {
        if let view { view.note(notice.userMessage) } else { StandardError.warn(notice) }
    }

    private func report(_ detection: ResolvedDetection) -> ListenStateMachine.Ending? {
        do {
            if view == nil { try UnbufferedOutput.write(options.asJSON ? detection.json : detection.line) }
        } catch {
            return error.code == EPIPE ? .outputClosed : .failed(error)
        }
        var jobs: [CommandRunner.Job] = []
        if options.opensLinks {
            do { if let job = try CommandRunner.Job.open(detection) { jobs.append(job) } } catch { warn(error) }
        }
        if let command = options.command { jobs.append(.shell(command, for: detection)) }
        for job in jobs { runner.enqueue(job) }
        return session.noteReported(startedCommands: jobs.count).performed(by: perform)
    }

    /// Stops everything that runs, gives the terminal back, and prints what only the view has shown.
    private func finish(_ ending: ListenStateMachine.Ending) async -> ListenStateMachine.Ending {
        capture.stop()
        view?.leave()
        await runner.terminate()
        if !session.soundHasEnded { await waitForSound() }
        guard let view else { return ending }
        for detection in view.detections { try? UnbufferedOutput.write(detection.line) }
        return ending
    }

    /// The recording is complete once the sound has ended; a device that hangs, or a disk, is not waited for.
    private func waitForSound() async {
        let yield = yield
        let seconds = options.recordingPath == nil ? Self.stopDeadlineSeconds : Self.recordingDeadlineSeconds
        let deadline = Task.detached {
            try await Task.sleep(for: .seconds(seconds))
            yield(.soundEnded(nil))
        }
        for await event in events { if case .soundEnded = event { break } }
        deadline.cancel()
    }
}
