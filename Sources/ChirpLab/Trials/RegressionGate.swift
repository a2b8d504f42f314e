/// The small fixed part of the laboratory's channels that every change is tried on.
package enum RegressionGate {
    package static let seed: UInt64 = 2_012

    /// Names of its rows among ``StandardScenarios``.
    package static let names = [
        "white-24", "white-25", "white-26", "white-27", "room-1s-3m", "speed-random-20", "sender-android", "wrong-4",
        "cut-2",
    ]

    /// A row, with notes of the chirp's own scale for music; nil for the name of none.
    package static func scenario(_ name: String) -> Scenario? {
        var random = RandomSource(seed: seed, name: "music of the gate", index: 0)
        let music = Background.melody.piece(count: Int(60 * Scenario.sampleRateHertz), using: &random)
        let rows = StandardScenarios.all(recordings: .init(music: [music]), seed: seed)
        return rows.first { $0.name == name }?.make()
    }
}
