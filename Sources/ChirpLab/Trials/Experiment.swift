private import Synchronization

/// What became of a scenario over many trials.
public struct ScenarioResult: Sendable {
    public let name: String
    public let target: Double?
    public let snrDecibels: Double?
    public let recovered: Proportion
    public let wrong: Int
    public let extra: Int
    /// Mean confidence of the codes reported, nil for none.
    public let meanConfidence: Double?
    /// How promptly the recovered chirps were reported, nil for none.
    public let promptness: Promptness?
    /// Time that the receiver computed, in milliseconds of one core a trial.
    public let computingMillisecondsPerTrial: Double
    /// Every trial by itself, in order.
    public let outcomes: [TrialOutcome]

    init(_ scenario: Scenario, outcomes: [TrialOutcome]) {
        name = scenario.name
        target = scenario.target
        snrDecibels = scenario.snrDecibels
        recovered = Proportion(
            successes: outcomes.reduce(0) { $0 + $1.recovered }, trials: outcomes.reduce(0) { $0 + $1.sent })
        wrong = outcomes.reduce(0) { $0 + $1.wrong }
        extra = outcomes.reduce(0) { $0 + $1.extra }
        let reports = outcomes.flatMap(\.reports)
        meanConfidence = reports.isEmpty ? nil : reports.reduce(0) { $0 + $1.confidence } / Double(reports.count)
        promptness = Promptness(delaysSeconds: outcomes.flatMap(\.delaysSeconds))
        let seconds = outcomes.reduce(0) { $0 + $1.computingSeconds }
        computingMillisecondsPerTrial = 1000 * seconds / Double(max(outcomes.count, 1))
        self.outcomes = outcomes
    }
}

/// Scenarios tried many times with one seed.
public struct Experiment: Sendable {
    public let seed: UInt64
    /// Chirps sent in each scenario, at least; a trial that sends several counts as that many.
    public let chirpsPerScenario: Int
    /// Trials that run at the same time.
    public let jobs: Int

    public init(seed: UInt64, chirpsPerScenario: Int, jobs: Int) {
        precondition(chirpsPerScenario > 0 && jobs > 0, "an experiment has trials and something to run them")
        self.seed = seed
        self.chirpsPerScenario = chirpsPerScenario
        self.jobs = jobs
    }

    /// Runs a scenario. The result is the same for any number of jobs.
    ///
    /// - Parameter progress: called after each trial, from any thread.
    public func run(
        _ scenario: Scenario, progress: @escaping @Sendable () -> Void = {}
    ) async throws -> ScenarioResult {
        let perTrial = scenario.transmission.chirpCount
        let trials = (chirpsPerScenario + perTrial - 1) / perTrial
        let (seed, next) = (seed, Counter())
        let outcomes = try await withThrowingTaskGroup(of: [(Int, TrialOutcome)].self) { group in
            for _ in 0..<min(jobs, trials) {
                group.addTask {
                    var runner = try TrialRunner(scenario, seed: seed)
                    var outcomes: [(Int, TrialOutcome)] = []
                    while let index = next.take(below: trials) {
                        try Task.checkCancellation()
                        outcomes.append((index, try runner.run(trial: index)))
                        progress()
                    }
                    return outcomes
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        return ScenarioResult(scenario, outcomes: outcomes.sorted { $0.0 < $1.0 }.map(\.1))
    }
}

/// Hands out 0, 1, 2 … to its callers.
final class Counter: Sendable {
    private let next = Atomic(0)

    func take(below limit: Int) -> Int? {
        let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
        return index < limit ? index : nil
    }
}
