import ChirpLab
import Synchronization
import Testing

/// The scenarios that were asked for: the impulse responses of a long room take seconds, and several tests use them.
private let made = Mutex<[String: Scenario]>([:])

/// The scenario of a row that needs no recordings.
func scenario(row: String) throws -> Scenario {
    try made.withLock { made in
        if let scenario = made[row] { return scenario }
        let scenario = try #require(StandardScenarios.all(recordings: .init(), seed: 1).first { $0.name == row }).make()
        made[row] = scenario
        return scenario
    }
}
