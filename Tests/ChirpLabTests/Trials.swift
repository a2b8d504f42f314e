import ChirpLab
import Testing

/// The scenario of a row that needs no recordings.
func scenario(row: String) throws -> Scenario {
    try #require(StandardScenarios.all(recordings: .init(), seed: 1).first { $0.name == row }).make()
}

/// What is sent and heard in one trial of a scenario.
func makeTrial(of scenario: Scenario, seed: UInt64, index: Int) throws -> (sound: Sound, sent: [Scenario.Sent]) {
    var random = RandomSource(seed: seed, name: scenario.name, index: index)
    return try scenario.makeSound(using: &random)
}
