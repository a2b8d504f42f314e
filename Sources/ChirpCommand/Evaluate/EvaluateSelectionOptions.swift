internal import ArgumentParser
internal import Chirp
internal import ChirpLab
internal import Foundation

/// What is measured, and how long.
struct EvaluateSelectionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Channels of the standard table, separated by commas, or all; a prefix selects all names that begin with it.",
            valueName: "names"))
    var rows: String?

    @Flag(help: "List the channels of the standard table, and stop.")
    var listRows = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Sweep over signal-to-noise ratios in decibels, over the whole band at 44.1 kHz: -26,-24 or -28:-22:0.5.",
            valueName: "list"), transform: RatioList.init(parsing:))
    var snr: RatioList?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Chirps sent in each row (default: 20, in a sweep 100).", valueName: "n"))
    var trials: Int?

    @Option(parsing: .unconditional, help: ArgumentHelp("Seed of all random numbers.", valueName: "n"))
    var seed: UInt64 = 1

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Trials that run at the same time (default: one per core).", valueName: "n"))
    var jobs: Int?

    @Option(
        help: ArgumentHelp(
            "A folder with the folders music and speech, for the rows that need recordings (Tools/fetch-noise.sh creates one).",
            valueName: "folder"))
    var recordings: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Count the codes reported in this many hours of sound without chirps: noise, melodies, and recordings if given.",
            valueName: "hours"))
    var falseAlarms: Double?

    @Flag(help: "Split the hours of --false-alarms equally among the kinds of sound.")
    var even = false

    @Option(
        help: ArgumentHelp(
            "Formats to listen for in --false-alarms, separated by commas: \(FormatNames.list); or all.",
            valueName: "names"))
    var format = WireFormat.original.name

    @Option(
        help: ArgumentHelp(
            "Combine copies in --false-alarms, and play sounds that repeat, too: on or off.", valueName: "on|off"))
    var combine = OnOff.off

    func validate() throws {
        guard (1...10_000_000).contains(trials ?? 1) else {
            throw ValidationError("--trials takes a number from 1 to 10000000.")
        }
        guard jobs ?? 1 >= 1 else { throw ValidationError("--jobs takes a number from 1 on.") }
        _ = try FormatNames.formats(format)
        guard falseAlarms.map({ $0 > 0 && $0 <= 100_000 }) ?? true else {
            throw ValidationError("--false-alarms takes hours above 0 and up to 100000.")
        }
        guard !even || falseAlarms != nil else { throw ValidationError("--even goes with --false-alarms.") }
        guard combine == .off || falseAlarms != nil else {
            throw ValidationError("--combine goes with --false-alarms.")
        }
        guard let rows else { return }
        guard rows.contains(where: { $0 != "," && $0 != " " }) else {
            throw ValidationError("--rows takes names of rows: chirp evaluate --list-rows has them.")
        }
        for name in rows.split(separator: ",") where name != "all" {
            guard Self.names.contains(where: { $0.hasPrefix(name) }) else {
                throw ValidationError("There is no row “\(name)”: chirp evaluate --list-rows names them.")
            }
        }
    }

    var jobCount: Int { jobs ?? ProcessInfo.processInfo.activeProcessorCount }

    func chirps(isSweep: Bool) -> Int { trials ?? (isSweep ? 100 : 20) }

    /// Names of all rows, recordings or not.
    static let names = StandardScenarios.all(recordings: .init(music: [[0]], speech: [[0]]), seed: 0).map(\.name)

    func selectedRows(
        recordings: StandardScenarios.Recordings, seed: UInt64
    ) throws -> [@Sendable () -> Scenario] {
        let wanted = (rows ?? "").split(separator: ",")
        let selected = StandardScenarios.all(recordings: recordings, seed: seed).filter { row in
            if rows == nil { return StandardScenarios.overview.contains(row.name) }
            return wanted.contains { $0 == "all" || row.name.hasPrefix($0) }
        }
        guard !selected.isEmpty else { throw EvaluateError.needsRecordings(rows: rows ?? "all") }
        return selected.map(\.make)
    }
}

/// Ratios in decibels: a list, or first:last:step.
struct RatioList {
    let values: [Double]

    static let standard = RatioList(values: Array(stride(from: -28.0, through: -21.5, by: 0.5)))

    init(values: [Double]) { self.values = values }

    init(parsing text: String) throws {
        let range = text.split(separator: ":", omittingEmptySubsequences: false).map { Double($0) }
        let list = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
        if range.count == 3, let first = range[0], let last = range[1], let step = range[2] {
            guard step > 0, first <= last else {
                throw ValidationError("The first ratio is the lowest, and the step is above 0.")
            }
            guard (last - first) / step < 1_000 else { throw ValidationError("A sweep has at most 1000 ratios.") }
            values = Array(stride(from: first, through: last + step / 1_000, by: step))
        } else {
            values = list.compactMap(\.self)
            guard values.count == list.count else {
                throw ValidationError("It is neither numbers with commas between them nor first:last:step.")
            }
        }
        guard values.count <= 1_000, values.allSatisfy({ (-100...200).contains($0) }) else {
            throw ValidationError("Ratios are from -100 to 200 dB, at most 1000 of them.")
        }
    }
}
