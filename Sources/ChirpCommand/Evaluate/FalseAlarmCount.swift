internal import Chirp
internal import ChirpLab
internal import Foundation

/// `chirp evaluate --false-alarms`: codes heard where none was sent.
struct FalseAlarmCount {
    let hours: Double
    let recordings: StandardScenarios.Recordings
    let formats: [WireFormat]
    /// Whether every background has the same share of the hours.
    let isEven: Bool
    /// Whether copies are combined, and what repeats is played, too.
    let combinesCopies: Bool
    let output: EvaluateOutputOptions

    func run(_ experiment: Experiment) async throws {
        let all = recordings.music + recordings.speech
        // Shares of the time: most for what there is most of, some for tones that come close to a chirp's.
        let usual: [(background: Background, share: Double)] =
            all.isEmpty
            ? [(.white, 0.4), (.coloured, 0.4), (.machines, 0.1), (.melody, 0.1)]
            : [(.white, 0.25), (.coloured, 0.25), (.recordings(all), 0.4), (.machines, 0.05), (.melody, 0.05)]
        // Of what is to be added up, two fifths are what repeats without being a chirp.
        let played = combinesCopies ? usual.map { ($0.background, 0.6 * $0.share) } + [(.loops(all), 0.4)] : usual
        let backgrounds = isEven ? played.map { ($0.background, 1 / Double(played.count)) } : played
        if !output.json { try StandardOutput.print("seed \(experiment.seed)") }
        let progress = ProgressBar(
            total: Double(backgrounds.reduce(0) { $0 + Experiment.sessionCount(hours: hours * $1.share) }))
        for (background, share) in backgrounds {
            let began = Date()
            let result = try await experiment.falseAlarms(
                hours: hours * share, in: background, formats: formats, combinesCopies: combinesCopies
            ) { progress.advance(by: 1) }
            progress.clear()
            try show(result, wallSeconds: Date().timeIntervalSince(began))
        }
    }

    private func show(_ result: FalseAlarms, wallSeconds: Double) throws {
        let seconds = result.hours * 3_600
        if output.json {
            let object = Line(
                background: result.background, hours: result.hours, codes: result.reports.count,
                upperLimitPerHour: result.upperLimitPerHour, timesRealTime: seconds / wallSeconds,
                receiverTimesRealTime: seconds / result.computingSeconds,
                reports: result.reports.map {
                    .init(
                        code: "\($0.shortcode)", confidence: $0.confidence, format: $0.format.name,
                        repeats: $0.repeats)
                })
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys]
            try StandardOutput.print(String(decoding: try encoder.encode(object), as: UTF8.self))
        } else {
            try StandardOutput.print(
                String(
                    format:
                        "%@: %d codes in %.1f h (95 %%: under one in %.0f h); %.0f times real time, the receiver alone %.0f on one core",
                    result.background, result.reports.count, result.hours, 1 / result.upperLimitPerHour,
                    seconds / wallSeconds, seconds / result.computingSeconds))
            for report in result.reports {
                try StandardOutput.print(
                    "  \(report.shortcode) at confidence \(report.confidence), \(report.correctedSymbolCount) corrected"
                )
            }
        }
    }

    private struct Line: Encodable {
        struct Report: Encodable {
            let code: String
            let confidence: Double
            let format: String
            let repeats: Int
        }
        let background: String
        let hours: Double
        let codes: Int
        let upperLimitPerHour: Double
        let timesRealTime: Double
        let receiverTimesRealTime: Double
        let reports: [Report]
    }
}
