internal import Chirp
internal import ChirpSound
internal import Foundation

/// Decodes and records what a capture brings, and reports what came of it.
enum ListenPipeline {
    /// Begins; the last report is that the sound has ended.
    static func start(
        _ capture: Capture, recording: sending RecordingWriter?, formats: [WireFormat], combinesCopies: Bool,
        measuresTones: Bool,
        report: @escaping @Sendable (ListenEvent) -> Void
    ) {
        Task.detached(priority: .high) {
            var failure: (any Error)?
            var recording = recording
            do {
                try await run(
                    capture, recording: &recording, formats: formats, combinesCopies: combinesCopies,
                    measuresTones: measuresTones, report: report)
            } catch { failure = error }
            capture.stop()
            do { try recording?.finish() } catch { failure = failure ?? error }
            report(.soundEnded(failure))
        }
    }

    private static func run(
        _ capture: Capture, recording: inout RecordingWriter?, formats: [WireFormat], combinesCopies: Bool,
        measuresTones: Bool,
        report: (ListenEvent) -> Void
    ) async throws {
        var stage = LiveReceiver(formats: formats, combinesCopies: combinesCopies, measuresTones: measuresTones)
        var losses = LossReporter()
        let clock = ContinuousClock()
        var start: ContinuousClock.Instant?
        var failure: (any Error)?
        do {
            for try await event in capture.events {
                let now = clock.now
                if case .opened(let device, let rate, _) = event {
                    start = start ?? now
                    report(.opened(device: device, sampleRateHertz: rate))
                }
                let seconds = start.map { (now - $0) / .seconds(1) } ?? 0
                let outcome = try stage.take(event, at: seconds)
                if case .lost(let length, let cause) = event { losses.take(seconds: length, cause) }
                for loss in losses.due(at: seconds) { report(.lost(loss)) }
                try recording?.write(
                    outcome.frames, channelCount: stage.channelCount, sampleRateHertz: stage.sampleRateHertz)
                forward(outcome, of: event, peak: stage.peak, report: report)
            }
        } catch { failure = error }
        for one in stage.finish().detections { report(.found(one)) }
        for loss in losses.finish() { report(.lost(loss)) }
        if let failure { throw failure }
    }

    private static func forward(
        _ outcome: LiveReceiver.Outcome, of event: CaptureEvent, peak: Float, report: (ListenEvent) -> Void
    ) {
        for one in outcome.detections { report(.found(one)) }
        for notice in outcome.notices { report(.notice(notice)) }
        if !outcome.tones.isEmpty { report(.columns(outcome.tones, peak: peak)) }
        if case .absent(let error) = event { report(.absent(error)) }
    }
}
