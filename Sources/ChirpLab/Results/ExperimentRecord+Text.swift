internal import RealModule

extension ExperimentRecord {
    /// A table for people: one row a line, its columns under the header.
    public static let tableHeader = line([
        "row", "recovered", "share", "95 % interval", "target", "wrong", "extra", "conf.", "CPU ms",
    ])

    /// One line of the table; a share below its target is marked with an exclamation mark.
    public static func tableLine(_ row: Row) -> String {
        let interval = row.recovered.wilsonInterval
        return line([
            row.name, "\(row.recovered.successes)/\(row.recovered.trials)", decimal(row.recovered.share, 3),
            "\(decimal(interval.lowerBound, 3))–\(decimal(interval.upperBound, 3))",
            row.target.map { decimal($0, 2) + (row.recovered.share < $0 ? " !" : "  ") } ?? "", "\(row.wrong)",
            "\(row.extra)", row.meanConfidence.map { decimal($0, 3) } ?? "–",
            decimal(row.computingMillisecondsPerTrial, 1),
        ])
    }

    /// Widths that fit into 80 columns, for rows with names of up to seventeen characters.
    private static func line(_ columns: [String]) -> String { line(columns, widths: [17, 9, 5, 13, 6, 5, 5, 5, 6]) }

    private static func line(_ columns: [String], widths: [Int]) -> String {
        zip(columns, widths).enumerated().map { index, column in
            let (text, width) = column
            let padding = String(repeating: " ", count: max(0, width - text.count))
            return index == 0 ? text + padding : padding + text
        }.joined(separator: " ")
    }

    /// Comma-separated values, a header line first; shares and interval bounds as decimals.
    public var csv: String {
        let header =
            "row,snr_db,recovered,chirps,share,low,high,target,wrong,extra,confidence,delay_ms,longest_ms,late,cpu_ms"
        let lines = rows.map { row in
            let interval = row.recovered.wilsonInterval
            return [
                row.name, row.snrDecibels.map { "\($0)" } ?? "", "\(row.recovered.successes)",
                "\(row.recovered.trials)", Self.decimal(row.recovered.share, 4),
                Self.decimal(interval.lowerBound, 4), Self.decimal(interval.upperBound, 4),
                row.target.map { "\($0)" } ?? "", "\(row.wrong)", "\(row.extra)",
                row.meanConfidence.map { Self.decimal($0, 4) } ?? "",
                row.promptness.map { Self.decimal($0.medianMilliseconds, 1) } ?? "",
                row.promptness.map { Self.decimal($0.longestMilliseconds, 1) } ?? "",
                row.promptness.map { "\($0.late)" } ?? "",
                Self.decimal(row.computingMillisecondsPerTrial, 3),
            ].joined(separator: ",")
        }
        return ([header] + lines).joined(separator: "\n")
    }

    /// What all rows come to together.
    public var summary: [String] {
        let reports = rows.reduce(0) { $0 + $1.recovered.successes + $1.wrong + $1.extra }
        let wrong = rows.reduce(0) { $0 + $1.wrong }
        let targets = rows.filter { $0.target != nil }
        let missed = targets.filter { $0.recovered.share < ($0.target ?? 0) }
        var lines = ["wrong codes: \(wrong) of \(reports) reported"]
        let delays = rows.compactMap(\.promptness)
        if let longest = delays.map(\.longestMilliseconds).max() {
            let (late, reported) = (delays.reduce(0) { $0 + $1.late }, rows.reduce(0) { $0 + $1.recovered.successes })
            let limit = Self.decimal(1000 * Promptness.limitSeconds, 0)
            lines.append(
                "later than \(limit) ms after the last tone: \(late) of \(reported), \(Self.decimal(longest, 0)) ms at most"
            )
        }
        if !targets.isEmpty { lines.append("targets reached: \(targets.count - missed.count) of \(targets.count)") }
        return lines
    }

    /// The bounds as a table, empty without any.
    public var boundsTable: [String] {
        if let combiningBound { return ["half at best: \(Self.decimal(combiningBound, 1)) dB"] }
        guard let first = bounds.first else { return [] }
        func line(_ columns: [String]) -> String { Self.line(columns, widths: [17, 9, 5, 18, 19]) }
        let header = ["arrival known", "hard", "GMD", "ordered statistics", "no decoder beats"]
        let lines = bounds.map { row in
            let shares = [row.hard, row.generalisedMinimumDistance, row.orderedStatistics, row.maximumLikelihood]
            return line(["\(Self.decimal(row.snrDecibels, 1)) dB"] + shares.map { Self.decimal($0.share, 3) })
        }
        return [line(header)] + lines + ["\(first.hard.trials) frames for each bound"]
    }

    /// A number with so many decimals.
    static func decimal(_ value: Double, _ places: Int) -> String {
        let scale = Double.pow(10, places)
        let digits = String(Int((value.magnitude * scale).rounded()))
        let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
        let point = padded.index(padded.endIndex, offsetBy: -places)
        let sign = value < 0 && padded.contains { $0 != "0" } ? "−" : ""
        return places == 0 ? sign + padded : "\(sign)\(padded[..<point]).\(padded[point...])"
    }
}
