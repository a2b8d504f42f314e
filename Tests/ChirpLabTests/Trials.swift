import ChirpLab
import Testing

/// The scenario of a row that needs no recordings.
func scenario(row: String) throws -> Scenario {
    try #require(StandardScenarios.all(recordings: .init(), seed: 1).first { $0.name == row }).make()
}
