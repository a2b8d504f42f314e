import Chirp
import Foundation
import Testing

@testable import ChirpLab

/// The receiver's accuracy on a small fixed part of the laboratory's channels, and whether it tells codes at once. A count
/// below its bounds is a loss; one above them is a gain too good to be true, which a broken laboratory brings about more often
/// than a better receiver.
///
/// Each row was measured once with many chirps, with another seed, and the bounds are those within which a second sample
/// stays with 99.8 % (see `plausibleCounts`). When the receiver has become better or a loss is meant, measure the
/// references again and write them here:
///
///     Tools/measure-gate.sh
@Suite(.serialized) struct RegressionGateTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let chirps: Int
        let reference: Proportion

        /// At −25 dB and below some of what is reported is wrong, at the confidence given with it: one in a hundred there.
        var mostWrong: Int {
            switch name {
            case "white-25": chirps / 40
            case "white-26", "white-27": chirps / 10
            default: 1
            }
        }

        var testDescription: String { name }
    }

    static let rows = [
        // GATE
        Row(name: "white-24", chirps: 100, reference: .init(successes: 100, trials: 100)),
        Row(name: "white-25", chirps: 150, reference: .init(successes: 97, trials: 100)),
        Row(name: "white-26", chirps: 150, reference: .init(successes: 75, trials: 100)),
        Row(name: "white-27", chirps: 100, reference: .init(successes: 28, trials: 100)),
        Row(name: "room-1s-3m", chirps: 40, reference: .init(successes: 99, trials: 100)),
        Row(name: "speed-random-20", chirps: 60, reference: .init(successes: 94, trials: 100)),
        Row(name: "sender-android", chirps: 30, reference: .init(successes: 100, trials: 100)),
        Row(name: "wrong-4", chirps: 30, reference: .init(successes: 100, trials: 100)),
        Row(name: "cut-2", chirps: 30, reference: .init(successes: 100, trials: 100)),
        // END
    ]

    /// Chirps for a new reference; set by Tools/measure-gate.sh.
    static let measured = ProcessInfo.processInfo.environment["CHIRP_MEASURE_GATE"].flatMap { Int($0) }

    @Test(.enabled(if: measured == nil))
    func `every row has a reference`() { #expect(Self.rows.map(\.name) == RegressionGate.names) }

    @Test(arguments: rows)
    func `the receiver recovers no fewer chirps than it did, and no more than it can`(row: Row) async throws {
        if let only = ProcessInfo.processInfo.environment["CHIRP_GATE_ROW"], only != row.name { return }
        let scenario = try #require(RegressionGate.scenario(row.name))
        if let chirps = Self.measured { return try await measure(row, scenario, chirps: chirps) }
        let experiment = Experiment(
            seed: RegressionGate.seed, chirpsPerScenario: row.chirps, jobs: ProcessInfo.processInfo.activeProcessorCount
        )
        let result = try await experiment.run(scenario)
        let bounds = row.reference.plausibleCounts(in: result.recovered.trials)
        #expect(bounds.contains(result.recovered.successes), "\(result.recovered.successes) of \(row.chirps)")
        #expect(result.wrong <= row.mostWrong)
        #expect(result.promptness?.late == 0, "\(result.promptness?.longestMilliseconds ?? 0) ms")
        guard let snr = scenario.snrDecibels else { return }
        // Nor more than the likeliest of all codewords would give, the time of arrival known.
        let limit = Bounds(snrDecibels: snr, frames: 1_000, seed: 1).maximumLikelihood
        #expect(result.recovered.successes <= limit.plausibleCounts(in: result.recovered.trials).upperBound)
    }

    /// Prints the row with a new reference, of many chirps and other random numbers; the run fails, as it has tested nothing.
    private func measure(_ row: Row, _ scenario: Scenario, chirps: Int) async throws {
        let experiment = Experiment(
            seed: RegressionGate.seed + 1, chirpsPerScenario: chirps, jobs: ProcessInfo.processInfo.activeProcessorCount
        )
        let found = try await experiment.run(scenario).recovered
        print(
            "        Row(name: \"\(row.name)\", chirps: \(row.chirps), "
                + "reference: .init(successes: \(found.successes), trials: \(found.trials))),")
        Issue.record("measured \(row.name)")
    }

    @Test(.enabled(if: measured == nil), arguments: [Background.white, .coloured, .machines, .melody, .loops([])])
    func `nothing is heard in a quarter of an hour without a chirp`(background: Background) async throws {
        let experiment = Experiment(
            seed: RegressionGate.seed, chirpsPerScenario: 1, jobs: ProcessInfo.processInfo.activeProcessorCount)
        #expect(try await experiment.falseAlarms(hours: 0.25, in: background, combinesCopies: true).reports.isEmpty)
    }

    /// Beats and alarms beneath noise, of which the sums of copies used to be told as words.
    @Test(.enabled(if: measured == nil), arguments: [(11, 177), (11, 462), (11, 589), (12, 249), (12, 347)])
    func `nothing is heard in loops that made words`(seed: UInt64, session: Int) throws {
        let heard = try Experiment.listen(
            to: .loops([]), formats: [.original], combinesCopies: true, seed: seed, session: session)
        #expect(heard.reports.isEmpty)
    }
}
