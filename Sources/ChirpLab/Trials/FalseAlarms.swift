public import Chirp
internal import RealModule

/// Codes reported where none was sent.
public struct FalseAlarms: Sendable {
    public let background: String
    public let hours: Double
    public let reports: [DetectedChirp]
    /// Time that receivers computed, in seconds of one core.
    public let computingSeconds: Double

    /// The rate per hour that is exceeded with a probability of 5 % only, were it the true one: the upper limit of a
    /// Poisson mean, −ln 0.05 = 3.0 when nothing was heard (Garwood, Biometrika 28, 1936).
    public var upperLimitPerHour: Double {
        func probability(ofAtMost count: Int, mean: Double) -> Double {
            var term = Double.exp(-mean)
            var sum = term
            for k in 0..<count {
                term *= mean / Double(k + 1)
                sum += term
            }
            return sum
        }
        var (low, high) = (0.0, 20.0 + 3 * Double(reports.count))
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if probability(ofAtMost: reports.count, mean: middle) > 0.05 { low = middle } else { high = middle }
        }
        return high / hours
    }
}

extension Experiment {
    /// Each receiver hears this much before it begins anew.
    private static let sessionSeconds = 600.0
    /// Sound is made in pieces, so that memory stays small.
    static func pieceLength(_ background: Background) -> Int {
        Int(background.pieceSeconds * Scenario.sampleRateHertz)
    }
    static func piecesPerSession(_ background: Background) -> Int { Int(sessionSeconds / background.pieceSeconds) }
    /// A receiver gets sound in blocks of this many samples, as from a file.
    private static let blockLength = 8_192

    /// How many ten minutes make so many hours, rounded up.
    public static func sessionCount(hours: Double) -> Int { max(1, Int((hours * 3600 / sessionSeconds).rounded(.up))) }

    /// Plays sound without chirps to receivers for so many hours in all, faster than real time.
    ///
    /// - Parameters:
    ///   - formats: those that are listened for.
    ///   - combinesCopies: whether copies are combined.
    ///   - progress: called after each ten minutes of sound, from any thread.
    public func falseAlarms(
        hours: Double, in background: Background, formats: [WireFormat] = [.original],
        combinesCopies: Bool = false, progress: @escaping @Sendable () -> Void = {}
    ) async throws -> FalseAlarms {
        let sessions = Self.sessionCount(hours: hours)
        let (seed, next) = (seed, Counter())
        let sessionResults = try await withThrowingTaskGroup(of: [(Int, [DetectedChirp], Double)].self) { group in
            for _ in 0..<min(jobs, sessions) {
                group.addTask {
                    var results: [(Int, [DetectedChirp], Double)] = []
                    while let index = next.take(below: sessions) {
                        try Task.checkCancellation()
                        let (reports, seconds) = try Self.listen(
                            to: background, formats: formats, combinesCopies: combinesCopies, seed: seed, session: index
                        )
                        results.append((index, reports, seconds))
                        progress()
                    }
                    return results
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }.sorted { $0.0 < $1.0 }
        return FalseAlarms(
            background: background.name, hours: Double(sessions) * Self.sessionSeconds / 3600,
            reports: sessionResults.flatMap(\.1), computingSeconds: sessionResults.reduce(0) { $0 + $1.2 })
    }

    /// What a receiver hears in one of the ten minutes, and how long it computes.
    static func listen(
        to background: Background, formats: [WireFormat], combinesCopies: Bool, seed: UInt64, session: Int
    ) throws -> (reports: [DetectedChirp], computingSeconds: Double) {
        var random = RandomSource(seed: seed, name: "false alarms in " + background.name, index: session)
        var receiver = try MultiFormatReceiver(
            sampleRateHertz: Scenario.sampleRateHertz, formats: formats, combinesCopies: combinesCopies)
        var reports: [DetectedChirp] = []
        var computing = 0.0
        for _ in 0..<piecesPerSession(background) {
            let samples = background.piece(count: pieceLength(background), using: &random)
            let begin = threadSeconds()
            for start in stride(from: 0, to: samples.count, by: Self.blockLength) {
                reports += receiver.process(samples[start..<min(start + Self.blockLength, samples.count)])
            }
            computing += threadSeconds() - begin
        }
        reports += receiver.finish()
        return (reports, computing)
    }
}
