internal import Chirp

/// How many frames decoders of several strengths recover in white noise when the arrival time is known.
public struct Bounds: Sendable {
    public let snrDecibels: Double
    /// The strongest tone of every symbol, and algebra: up to four errors.
    public let hard: Proportion
    /// Generalised minimum distance (Forney, IEEE Trans. Information Theory 12, 1966): algebra with the 0, 2, 4, 6, 8
    /// least reliable symbols erased, the likeliest word winning.
    public let generalisedMinimumDistance: Proportion
    /// Ordered statistics with 1761 patterns.
    public let orderedStatistics: Proportion
    /// An upper bound on any decoder: frames in which no word that the search met was likelier than the one sent.
    public let maximumLikelihood: Proportion

    /// Simulates so many frames.
    public init(snrDecibels: Double, frames: Int, seed: UInt64) {
        let energyRatio = SymbolErrorRate.energyRatio(snrDecibels: snrDecibels)
        let (code, search, gaussian) = (ReedSolomon(), OrderedStatisticsDecoder(), Gaussian())
        var (hard, gmd, ordered, bound) = (0, 0, 0, 0)
        for frame in 0..<frames {
            var random = RandomSource(seed: seed, name: "bounds \(snrDecibels)", index: frame)
            let word = Shortcode.random(using: &random).codeword.symbols
            let soft = SoftWord(hearing: word, energyRatio: energyRatio, gaussian: gaussian, using: &random)
            hard += code.decode(soft.hardDecisions)?.word == word ? 1 : 0
            gmd += Self.generalisedMinimumDistance(soft, code: code) == word ? 1 : 0
            let best = search.decode(soft)
            ordered += best.word == word ? 1 : 0
            bound += best.likelihood <= soft.likelihood(of: word) ? 1 : 0
        }
        self.snrDecibels = snrDecibels
        self.hard = Proportion(successes: hard, trials: frames)
        generalisedMinimumDistance = Proportion(successes: gmd, trials: frames)
        orderedStatistics = Proportion(successes: ordered, trials: frames)
        maximumLikelihood = Proportion(successes: bound, trials: frames)
    }

    /// The bounds at several ratios, so many computed at once.
    public static func sweep(
        snrDecibels ratios: [Double], frames: Int, seed: UInt64, jobs: Int
    ) async throws -> [Bounds] {
        let next = Counter()
        return try await withThrowingTaskGroup(of: [Bounds].self) { group in
            for _ in 0..<min(jobs, ratios.count) {
                group.addTask {
                    var bounds: [Bounds] = []
                    while let index = next.take(below: ratios.count) {
                        try Task.checkCancellation()
                        bounds.append(Bounds(snrDecibels: ratios[index], frames: frames, seed: seed))
                    }
                    return bounds
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }.sorted { $0.snrDecibels < $1.snrDecibels }
        }
    }

    private static func generalisedMinimumDistance(_ soft: SoftWord, code: ReedSolomon) -> [UInt8]? {
        let (received, leastReliable) = (
            soft.hardDecisions, (0..<SoftWord.length).sorted { soft.reliability[$0] < soft.reliability[$1] }
        )
        return stride(from: 0, through: 8, by: 2)
            .compactMap { code.decode(received, erasures: leastReliable.prefix($0))?.word }
            .max { soft.likelihood(of: $0) < soft.likelihood(of: $1) }
    }
}
