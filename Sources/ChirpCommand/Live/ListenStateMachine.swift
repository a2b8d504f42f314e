internal import Chirp
internal import ChirpSound

/// An event while listening.
enum ListenEvent: Sendable {
    case opened(device: String, sampleRateHertz: Double)
    /// The receiver has found a chirp, in one channel or in several that it combined.
    case found(ChannelDetection)
    /// A problem of a look-up.
    case linkProblem(String)
    /// The look-up has ended.
    case resolved(ResolvedDetection)
    case notice(LevelMonitor.Notice)
    case lost(LossReporter.Loss)
    case absent(SoundDeviceError)
    /// Powers of the 32 tones, and the peak level, for the view.
    case columns([ToneColumns], peak: Float)
    /// The capture has ended, and all of its sound is decoded.
    case soundEnded((any Error)?)
    case commandEnded(CommandRunner.Outcome)
    case commandSaid(String)
    case timeExpired
    case signal(Int32)
    case outputClosed
}

/// The state machine of listening, without side effects: takes events and returns actions.
struct ListenStateMachine {
    /// Something to do.
    enum Action {
        /// Look up the link of a detection.
        case resolve(ChannelDetection)
        /// Report a detection, and start its commands.
        case report(ResolvedDetection)
        case warn(any UserFacingError)
        /// Stop capturing, and decode the remaining samples.
        case stopListening
        case end(Ending)
    }

    /// How listening ends.
    enum Ending {
        case done
        case nothingDetected
        /// A command that was run for a code failed.
        case commandFailed
        case failed(any Error)
        case stopped(by: Int32)
        /// Standard output was closed.
        case outputClosed
    }

    private let once: Bool
    private var filter: DuplicateFilter
    private var unresolvedCount = 0
    private var runningCommandCount = 0
    private var detectionCount = 0
    private var aCommandFailed = false
    private var isStopping = false
    private(set) var soundHasEnded = false
    private var failure: (any Error)?

    init(once: Bool, ignored: Set<Shortcode>) {
        self.once = once
        filter = DuplicateFilter(ignoring: ignored)
    }

    /// Takes the next event and gives back what to do, in this order.
    mutating func take(_ event: ListenEvent) -> [Action] {
        switch event {
        case .found(let detection): return take(detection)
        case .resolved(let detection):
            unresolvedCount -= 1
            detectionCount += 1
            return [.report(detection)]
        case .commandEnded(let outcome):
            runningCommandCount -= 1
            guard !outcome.succeeded else { return endIfOver() }
            aCommandFailed = true
            return [.warn(outcome)] + endIfOver()
        case .soundEnded(let error):
            soundHasEnded = true
            failure = error
            return endIfOver()
        case .timeExpired: return stop()
        case .signal(let number): return [.end(.stopped(by: number))]
        case .outputClosed: return [.end(.outputClosed)]
        case .notice(let notice): return [.warn(notice)]
        case .linkProblem(let sentence): return [.warn(LinkProblem(userMessage: sentence))]
        case .lost(let loss): return [.warn(LostSound(loss: loss))]
        case .absent(let error): return [.warn(AbsentDevice(error: error))]
        case .opened, .columns, .commandSaid: return []
        }
    }

    /// A detection has been reported, and this many commands were started for it.
    mutating func noteReported(startedCommands count: Int) -> [Action] {
        runningCommandCount += count
        return endIfOver()
    }

    private mutating func take(_ detection: ChannelDetection) -> [Action] {
        let isTooLate = once && detectionCount + unresolvedCount > 0
        guard !isTooLate, filter.passes(detection.chirp) else { return [] }
        unresolvedCount += 1
        return [.resolve(detection)] + (once ? stop() : [])
    }

    private mutating func stop() -> [Action] {
        guard !isStopping else { return [] }
        isStopping = true
        return [.stopListening]
    }

    /// Listening is over when the sound has ended, every link is known and every command has ended.
    private func endIfOver() -> [Action] {
        guard soundHasEnded, unresolvedCount == 0, runningCommandCount == 0 else { return [] }
        if let failure { return [.end(.failed(failure))] }
        return [.end(detectionCount == 0 ? .nothingDetected : aCommandFailed ? .commandFailed : .done)]
    }
}

extension [ListenStateMachine.Action] {
    /// Performs the actions in order, each once, until one of them ends the listening; gives back that ending.
    func performed(by perform: (ListenStateMachine.Action) -> ListenStateMachine.Ending?) -> ListenStateMachine.Ending?
    {
        for action in self {
            if let ending = perform(action) { return ending }
        }
        return nil
    }
}
