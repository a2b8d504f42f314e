import Foundation
import Testing

@testable import ChirpLab

@Suite struct ComparisonTests {
    private func record(seed: UInt64, _ trials: [Int]) -> ExperimentRecord {
        var record = ExperimentRecord(command: "", date: "", machine: "", seed: seed, chirpsPerRow: trials.count)
        record.rows = [
            .init(
                name: "white-24", recovered: .init(successes: trials.reduce(0, +), trials: trials.count), wrong: 0,
                extra: 0, computingMillisecondsPerTrial: 1, recoveredByTrial: trials, calibration: [])
        ]
        return record
    }

    @Test func `a run compared with itself differs by no more than chance`() {
        let run = record(seed: 1, (0..<200).map { $0 % 3 == 0 ? 0 : 1 })
        let comparison = Comparison.compare(before: run, after: run)
        #expect(comparison.map(\.verdict) == [.noMoreThanChance])
        #expect(comparison[0].isPaired)
        #expect(comparison[0].probability == 1)
    }

    /// Twelve chirps lost of two hundred: hidden in the spread of two samples, plain when each was heard twice.
    @Test func `the same sound shows a loss that two samples hide`() {
        let before = (0..<200).map { $0 < 180 ? 1 : 0 }
        let after = (0..<200).map { $0 < 168 ? 1 : 0 }
        let paired = Comparison.compare(before: record(seed: 1, before), after: record(seed: 1, after))
        #expect(paired[0].verdict == .worse)
        let apart = Comparison.compare(before: record(seed: 1, before), after: record(seed: 2, after))
        #expect(!apart[0].isPaired)
        #expect(apart[0].verdict == .noMoreThanChance)
    }

    @Test func `a great difference between two samples is seen`() {
        let better = Comparison.compare(
            before: record(seed: 1, (0..<200).map { $0 % 2 }),
            after: record(seed: 2, (0..<200).map { $0 < 150 ? 1 : 0 }))
        #expect(better[0].verdict == .better)
    }

    @Test func `results survive their journey through JSON`() throws {
        let run = record(seed: 7, [1, 0, 1])
        let copy = try JSONDecoder().decode(ExperimentRecord.self, from: JSONEncoder().encode(run))
        #expect(copy.rows[0].recovered == run.rows[0].recovered)
        #expect(copy.rows[0].recoveredByTrial == [1, 0, 1])
        #expect(copy.seed == 7)
    }
}
