internal import Chirp
internal import ChirpLinks
internal import ChirpReport
internal import Foundation
internal import Synchronization

/// Looks codes up for commands, and records in the history what was sent and received. It never fails: it warns.
final class LinkResolver: Sendable {
    private final class Answer: Sendable { let link = Mutex<LinkSummary?>(nil) }

    private let location: RegistryLocation?
    private let lookup: LinkLookup?
    private let history: History?
    /// Whether pending codes wait for the registry.
    private let hasWaiting = Atomic(false)
    private let hasWarned = Atomic(false)
    private let hasWarnedOfHistory = Atomic(false)
    private let report: @Sendable (String) -> Void

    /// - Parameters:
    ///   - choice: the registry; a name that means none costs a warning.
    ///   - resolves: false looks nothing up.
    ///   - report: receives warnings; standard error by default.
    init(
        _ choice: RegistryOptions, resolves: Bool = true,
        report: @escaping @Sendable (String) -> Void = StandardError.warn
    ) {
        self.report = report
        history = History(environment: environment)
        var problem: (any Error)?
        var location: RegistryLocation?
        if resolves {
            do {
                let named = try choice.location()
                // One that is not there knows nothing about codes that wait for another one.
                try choice.checkExists(isNamed: choice.registry != nil)
                location = named
            } catch { problem = error }
        }
        self.location = location
        lookup = location.map { LinkLookup($0.open(retryTimeout: .seconds(2)), location: "\($0)") }
        if let problem { warn(problem) }
    }

    /// What a detected code stands for.
    ///
    /// - Parameter isNoted: whether the history gets an event for it; false for a further report of the same chirp.
    func heard(_ code: Shortcode, isNoted: Bool = true) async -> LinkSummary? {
        guard let lookup else {
            if isNoted { await note(HistoryEvent(direction: .heard, code: code, link: nil)) }
            return nil
        }
        let answer = await lookup.answer(for: code)
        let link = answer.record.map { LinkSummary($0, serviceURL: location?.serviceURL) }
        var isPending = false
        if case .unreachable(let error) = answer {
            warn(error)
            isPending = true
            hasWaiting.store(true, ordering: .relaxed)
        } else if hasWaiting.exchange(false, ordering: .relaxed) {
            // Nothing waits for the pending codes.
            Task.detached { [self] in await resolveWaiting() }
        }
        if isNoted { await note(HistoryEvent(direction: .heard, code: code, link: link, isPending: isPending)) }
        return link
    }

    /// As ``heard(_:isNoted:)``, for threads that may block.
    @discardableResult
    func heardBlocking(_ code: Shortcode, isNoted: Bool = true) -> LinkSummary? {
        let (answer, done) = (Answer(), DispatchSemaphore(value: 0))
        Task.detached { [self] in
            let link = await heard(code, isNoted: isNoted)
            answer.link.withLock { $0 = link }
            done.signal()
        }
        done.wait()
        return answer.link.withLock { $0 }
    }

    /// Notes codes that were sent.
    func sent(_ codes: [Shortcode]) async {
        guard history != nil else { return }
        for code in codes {
            let answer = await lookup?.answer(for: code)
            let link = answer?.record.map { LinkSummary($0, serviceURL: location?.serviceURL) }
            var isPending = false
            if case .unreachable = answer { isPending = true }
            await note(HistoryEvent(direction: .sent, code: code, link: link, isPending: isPending))
        }
    }

    /// Looks up the pending codes of the history.
    func resolveWaiting() async {
        guard let lookup, let history else { return }
        do {
            try await history.resolvePending({ await lookup.answer(for: $0) }, serviceURL: location?.serviceURL)
        } catch { warnOfHistory(error) }
    }

    private func note(_ event: HistoryEvent) async {
        do { try await history?.add([event]) } catch { warnOfHistory(error) }
    }

    private func warn(_ error: any Error) {
        guard !hasWarned.exchange(true, ordering: .relaxed) else { return }
        report("codes are not resolved: \(userMessage(for: error))")
    }

    private func warnOfHistory(_ error: any Error) {
        guard !hasWarnedOfHistory.exchange(true, ordering: .relaxed) else { return }
        report("cannot write the history (CHIRP_HISTORY=off disables it): \(userMessage(for: error))")
    }
}
