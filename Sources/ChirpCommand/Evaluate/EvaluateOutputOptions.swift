internal import ArgumentParser
internal import ChirpLab
internal import ChirpPictures
internal import Foundation

/// How results are shown.
struct EvaluateOutputOptions: ParsableArguments {
    @Flag(help: "Print everything as one JSON object, which --compare reads.")
    var json = false

    @Flag(help: "Print comma-separated values.")
    var csv = false

    @Option(
        help: ArgumentHelp(
            "Compare with the output of an earlier --json run, and test whether the differences are significant.",
            valueName: "file"))
    var compare: String?

    @Option(
        help: ArgumentHelp(
            "Plot recovery against signal-to-noise ratio, with intervals and bounds: "
                + "\(FileExtensions.pictures.alternatives).", valueName: "file"))
    var plot: String?

    @Flag(
        help: ArgumentHelp(
            "Also simulate reference decoders for a white-noise sweep: hard-decision, GMD, ordered-statistics, and the "
                + "maximum-likelihood bound."))
    var bounds = false

    @Option(parsing: .unconditional, help: ArgumentHelp("Frames for each bound.", valueName: "n"))
    var boundsFrames = 1_000

    func validate() throws {
        guard !(json && csv) else { throw ValidationError("--json and --csv exclude each other: choose one.") }
        _ = try validated { try plot.map { try PictureFile(path: $0) } }
        guard boundsFrames >= 1 else { throw ValidationError("--bounds-frames takes a number from 1 on.") }
    }

    /// Whether anything was asked for that only simulations have.
    var isForSimulations: Bool { csv || compare != nil || plot != nil || bounds }

    private var isTable: Bool { !json && !csv }

    /// Opens the table.
    func begin(_ record: ExperimentRecord) throws {
        guard isTable else { return }
        try StandardOutput.print("seed \(record.seed), \(record.chirpsPerRow) chirps a row")
        try StandardOutput.print(ExperimentRecord.tableHeader)
    }

    /// Adds a line to the table.
    func add(_ row: ExperimentRecord.Row) throws {
        guard isTable else { return }
        try StandardOutput.print(ExperimentRecord.tableLine(row))
    }

    /// Closes the table, or prints the other forms, whole.
    func show(_ record: ExperimentRecord, baseline: ExperimentRecord?) throws {
        if json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys]
            try StandardOutput.print(String(decoding: try encoder.encode(record), as: UTF8.self))
        } else if csv {
            try StandardOutput.print(record.csv)
        } else {
            for line in record.summary + record.boundsTable { try StandardOutput.print(line) }
        }
        if let baseline {
            let lines = Comparison.compare(before: baseline, after: record).map(\.sentence)
            let text = (lines.isEmpty ? ["no row of this run is in \(compare ?? "")"] : lines).joined(separator: "\n")
            // Beside JSON or CSV on standard output the verdicts go where people read.
            if isTable {
                try StandardOutput.print(text)
            } else {
                StandardError.write(text + "\n")
            }
        }
    }
}
