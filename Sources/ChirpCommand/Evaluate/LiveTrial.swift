internal import ArgumentParser
internal import Chirp
internal import ChirpLab
internal import ChirpSound
internal import Foundation
internal import Synchronization

/// `chirp evaluate --live`: codes through the real loudspeaker and microphone.
struct LiveTrial {
    let options: EvaluateLiveOptions
    let chirpsPerVolume: Int
    let seed: UInt64
    let json: Bool

    private static let gapSeconds = 0.3
    /// Sound on its way: what devices and servers hold back at most, two seconds of PulseAudio among them, and an echo's end. With 1.5 the
    /// end of the last chirp was lost in one of ten runs.
    private static let tailSeconds = 3.0

    func run() async throws {
        let volumes = options.volumes.values
        let codes = LiveResult.codes(count: chirpsPerVolume, volumes: volumes.count, seed: seed)
        let progress = ProgressBar(total: Double(codes.reduce(0) { $0 + $1.count }))
        let signals = SignalWatch(SignalWatch.ending)
        let stopping = Task.detached {
            for await number in signals.signals {
                progress.clear()
                SignalWatch.endProcess(by: number)
            }
        }
        defer { stopping.cancel() }
        let recording = LiveRecording(device: options.microphone ?? options.choice.name)
        try await recording.wait(forSeconds: 0.2)
        var underruns = 0
        for (volume, codewords) in zip(volumes, codes) {
            recording.mark()
            underruns += try await play(codewords, at: volume, progress)
            try await recording.wait(forSeconds: Self.tailSeconds)
        }
        let outcome = try await recording.finish()
        progress.clear()
        if outcome.lostSeconds > 0 {
            StandardError.warn(LostSound(loss: .init(cause: .device, seconds: outcome.lostSeconds)))
        }
        let result = LiveResult(
            played: zip(volumes, codes).map { ($0, $1) }, heard: outcome.heard, samples: outcome.samples,
            sampleRateHertz: outcome.sampleRateHertz, clippedShares: outcome.clippedShares, gapCount: underruns)
        let report = LiveReport(result, seed: seed)
        for line in json ? [try report.json] : report.lines { try StandardOutput.print(line) }
        if result.volumes.allSatisfy({ $0.recovered.successes == 0 }) { throw ExitCode.nothingFound }
    }

    /// Plays codes, and gives back how often the device ran dry.
    private func play(_ codewords: [Codeword], at volume: Double, _ progress: ProgressBar) async throws -> Int {
        let last = LastChirp()
        let sequence = ChirpSequence(codewords, gapSeconds: Self.gapSeconds, volume: Float(volume))
        return try await Player().play(sequence, on: options.choice.name) { position in
            if let position, last.isNew(position.chirpIndex) { progress.advance(by: 1) }
        }.underrunCount
    }
}

/// Tells the first block of each chirp from the others.
private final class LastChirp: Sendable {
    private let index = Mutex<Int>(-1)

    func isNew(_ next: Int) -> Bool {
        index.withLock { index in
            defer { index = next }
            return index != next
        }
    }
}
