import ChirpLab
import Foundation
import Testing

/// Chirps in one recording are received as they are each in its own: of what came to nothing before, faint in steady noise, nothing is held
/// against those that follow, and there is work enough for all of them. Of these 40 one in three was received.
@Test(arguments: [("row-24", 38), ("row-25", 34), ("row-26", 22)])
func `faint chirps in a row do not stand in each other's way`(row: String, least: Int) async throws {
    let experiment = Experiment(
        seed: 2, chirpsPerScenario: 40, jobs: ProcessInfo.processInfo.activeProcessorCount)
    let result = try await experiment.run(scenario(row: row))
    #expect(result.recovered.successes >= least)
    #expect(result.extra == 0)
}
