/// Everything about one experiment that is worth keeping: what was asked, where and when it ran, what came out.
public struct ExperimentRecord: Sendable, Codable {
    /// One row.
    public struct Row: Sendable, Codable {
        public var name: String
        /// The ratio that a sweep goes over, in decibels; nil for rows that are about something else.
        public var snrDecibels: Double?
        public var target: Double?
        public var recovered: Proportion
        public var wrong: Int
        public var extra: Int
        public var meanConfidence: Double?
        public var computingMillisecondsPerTrial: Double
        /// How long after their last tone chirps were reported, in blocks of 5 ms; nil for none.
        public var promptness: Promptness?
        /// Chirps recovered in each trial, in order: what makes two runs with one seed comparable trial by trial.
        public var recoveredByTrial: [Int]
        /// Reports by confidence: how many there were, and how many of them were right.
        public var calibration: [Calibration]
    }

    /// Reports within a range of confidence.
    public struct Calibration: Sendable, Codable, Hashable {
        public var from: Double
        public var upTo: Double
        public var reports: Int
        public var right: Int
    }

    /// Bounds beside a sweep.
    public struct BoundsRow: Sendable, Codable {
        public var snrDecibels: Double
        public var hard: Proportion
        public var generalisedMinimumDistance: Proportion
        public var orderedStatistics: Proportion
        public var maximumLikelihood: Proportion
    }

    /// The version of this form.
    public var version = 1
    /// The command that made it.
    public var command: String
    /// ISO 8601.
    public var date: String
    public var machine: String
    public var seed: UInt64
    public var chirpsPerRow: Int
    public var rows: [Row] = []
    public var bounds: [BoundsRow] = []
    /// Where half of the chirps are recovered at best, copies and channels combined, in decibels; nil where it was not asked for.
    public var combiningBound: Double?

    public init(command: String, date: String, machine: String, seed: UInt64, chirpsPerRow: Int) {
        self.command = command
        self.date = date
        self.machine = machine
        self.seed = seed
        self.chirpsPerRow = chirpsPerRow
    }
}

extension ExperimentRecord.Row {
    public init(_ result: ScenarioResult) {
        name = result.name
        snrDecibels = result.snrDecibels
        target = result.target
        recovered = result.recovered
        wrong = result.wrong
        extra = result.extra
        meanConfidence = result.meanConfidence
        computingMillisecondsPerTrial = result.computingMillisecondsPerTrial
        promptness = result.promptness
        recoveredByTrial = result.outcomes.map(\.recovered)
        let reports = result.outcomes.flatMap(\.reports)
        let edges = [0, 0.5, 0.8, 0.9, 0.95, 0.99, 0.999, 1]
        calibration = zip(edges, edges.dropFirst()).compactMap { from, upTo in
            let within = reports.filter { $0.confidence >= from && ($0.confidence < upTo || upTo == 1) }
            return within.isEmpty
                ? nil
                : .init(from: from, upTo: upTo, reports: within.count, right: within.count { $0.isRight })
        }
    }
}

extension ExperimentRecord.BoundsRow {
    public init(_ bounds: Bounds) {
        snrDecibels = bounds.snrDecibels
        hard = bounds.hard
        generalisedMinimumDistance = bounds.generalisedMinimumDistance
        orderedStatistics = bounds.orderedStatistics
        maximumLikelihood = bounds.maximumLikelihood
    }
}
