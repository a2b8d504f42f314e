package import Chirp
private import Dispatch
private import Synchronization

/// A reading that the receiver weighed, and whether it was right.
package struct LabelledReading: Sendable {
    package var features: AcceptanceFeatures
    package var isRight: Bool
    /// Whether chirps were sent where it was heard.
    package var isOfTrial: Bool

    /// Evidence below which no weights would let a word be believed: it says nothing about them.
    private static let minimumEvidence: Float = -6
    /// Symbols by which a reading of a right word may be shifted: what is decided by ``FrameDecoder`` after the odds.
    private static let shifts = -4...4

    /// The readings of a receiver of the original format in all single-channel scenarios, and in sound without chirps.
    ///
    /// - Parameters:
    ///   - trials: of each scenario; five times as many in white noise, where the limit is that of theory.
    ///   - hours: of each kind of sound without chirps.
    ///   - names: scenarios that are played; all where none are named.
    package static func collect(
        recordings: StandardScenarios.Recordings, trials: Int, hours: Double, seed: UInt64, in names: Set<String> = []
    ) throws -> [LabelledReading] {
        var readings: [LabelledReading] = []
        for row in StandardScenarios.all(recordings: recordings, seed: seed)
        where names.isEmpty || names.contains(row.name) {
            let scenario = row.make()
            guard !scenario.combines, scenario.transmission.format == .original else { continue }
            readings += try concurrently(scenario.name.hasPrefix("white") ? 5 * trials : trials) {
                try inTrial($0, of: scenario, seed: seed)
            }
        }
        let backgrounds: [Background] = [
            .white, .coloured, .machines, .melody, .recordings(recordings.music + recordings.speech),
        ]
        for background in backgrounds {
            readings += try concurrently(Experiment.sessionCount(hours: hours)) {
                try inSession($0, of: background, seed: seed)
            }
        }
        return readings.filter { $0.features.codewordEvidence > minimumEvidence }
    }

    private static func inTrial(_ index: Int, of scenario: Scenario, seed: UInt64) throws -> [LabelledReading] {
        let (sound, sent) = try scenario.makeSound(ofTrial: index, seed: seed)
        let words = sent.map { Codeword($0.shortcode) }
        let shifted = Set(words.flatMap { word in shifts.compactMap { word.codeword(symbolsLater: $0) } })
        var receiver = try Receiver(sampleRateHertz: sound.sampleRateHertz)
        receiver.candidates = []
        _ = receiver.process(sound.samples)
        _ = receiver.finish()
        return (receiver.candidates ?? []).compactMap { candidate in
            let isRight = words.contains(candidate.codeword)
            guard isRight || !shifted.contains(candidate.codeword) else { return nil }
            return LabelledReading(features: candidate.features, isRight: isRight, isOfTrial: true)
        }
    }

    private static func inSession(_ index: Int, of background: Background, seed: UInt64) throws -> [LabelledReading] {
        var random = RandomSource(seed: seed, name: "readings in " + background.name, index: index)
        var receiver = try Receiver(sampleRateHertz: Scenario.sampleRateHertz)
        receiver.candidates = []
        for _ in 0..<Experiment.piecesPerSession(background) {
            _ = receiver.process(background.piece(count: Experiment.pieceLength(background), using: &random))
        }
        _ = receiver.finish()
        return (receiver.candidates ?? []).map {
            LabelledReading(features: $0.features, isRight: false, isOfTrial: false)
        }
    }

    /// Calls `body` with 0 …, on all cores, and gives what it gave in order.
    private static func concurrently(
        _ count: Int, _ body: @Sendable (Int) throws -> [LabelledReading]
    ) throws -> [LabelledReading] {
        let results = Mutex([Result<[LabelledReading], any Error>?](repeating: nil, count: count))
        DispatchQueue.concurrentPerform(iterations: count) { index in
            let result = Result { try body(index) }
            results.withLock { $0[index] = result }
        }
        return try results.withLock { $0 }.flatMap { try $0?.get() ?? [] }
    }
}
