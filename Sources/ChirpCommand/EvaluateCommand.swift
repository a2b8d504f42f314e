internal import ArgumentParser
internal import Chirp
internal import ChirpLab
internal import Foundation

/// `chirp evaluate`: how much of what is sent through simulated channels comes back.
struct EvaluateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "evaluate", abstract: "Measure the decoder through simulated channels.")

    @Option(help: "Rows to run, separated by commas, or all; a name also stands for every row that it begins.")
    var rows = "all"

    @Option(help: "Chirps sent in each row.")
    var trials = 200

    @Option(help: "What every random number is drawn from.")
    var seed: UInt64 = 1

    @Option(help: "Trials that run at the same time (default: one per core).")
    var jobs = ProcessInfo.processInfo.activeProcessorCount

    @Option(help: "A folder with the folders music and speech, of sound files (Tools/fetch-noise.sh makes one).")
    var recordings: String?

    @Option(help: "Count codes in so many hours of sound without any, instead of running rows.")
    var falseAlarms: Double?

    func run() async throws {
        if let falseAlarms { return try await countFalseAlarms(hours: falseAlarms) }
        let wanted = rows.split(separator: ",").map(String.init)
        let all = StandardScenarios.all(recordings: try loadRecordings(), seed: seed)
        let selected = all.filter { row in wanted.contains { $0 == "all" || row.name.hasPrefix($0) } }
        let experiment = Experiment(seed: seed, chirpsPerScenario: trials, jobs: jobs)
        print("seed \(seed)")
        print(Self.line("row", "recovered", "share", "95 % interval", "target", "wrong", "extra", "conf.", "CPU ms"))
        for row in selected {
            let result = try await experiment.run(row.make())
            let interval = result.recovered.wilsonInterval
            print(
                Self.line(
                    result.name, "\(result.recovered.successes)/\(result.recovered.trials)",
                    String(format: "%.3f", result.recovered.share),
                    String(format: "%.3f–%.3f", interval.lowerBound, interval.upperBound),
                    result.target.map { String(format: "%.2f", $0) + (result.recovered.share < $0 ? " !" : "  ") }
                        ?? "",
                    "\(result.wrong)", "\(result.extra)",
                    result.meanConfidence.map { String(format: "%.3f", $0) } ?? "–",
                    String(format: "%.2f", result.computingMillisecondsPerTrial)))
            fflush(nil)
        }
    }

    private func countFalseAlarms(hours: Double) async throws {
        let recordings = try loadRecordings()
        let experiment = Experiment(seed: seed, chirpsPerScenario: trials, jobs: jobs)
        var backgrounds = [Background.white, .melody]
        if !recordings.music.isEmpty { backgrounds.append(.recordings(recordings.music + recordings.speech)) }
        print("seed \(seed)")
        for background in backgrounds {
            let began = Date()
            let result = try await experiment.falseAlarms(hours: hours / Double(backgrounds.count), in: background)
            print(
                String(
                    format: "%@: %d codes in %.1f h; %.0f times real time, receiver alone %.0f on one core",
                    result.background, result.reports.count, result.hours,
                    result.hours * 3600 / Date().timeIntervalSince(began),
                    result.hours * 3600 / result.computingSeconds))
            for report in result.reports {
                print("  \(report.shortcode) confidence \(report.confidence) corrected \(report.correctedSymbolCount)")
            }
            fflush(nil)
        }
    }

    private static func line(_ columns: String...) -> String {
        zip(columns, [20, 10, 7, 13, 7, 6, 6, 6, 9]).map { text, width in
            let padding = String(repeating: " ", count: max(0, width - text.count))
            return width == 20 ? text + padding : padding + text
        }.joined(separator: " ")
    }

    private func loadRecordings() throws -> StandardScenarios.Recordings {
        guard let recordings else { return .init() }
        func load(_ kind: String) throws -> [[Float]] {
            let folder = URL(filePath: recordings).appending(path: kind)
            let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            return try files.map(\.path).sorted().map { try NoiseFile.samples(path: $0) }
        }
        return .init(music: try load("music"), speech: try load("speech"))
    }
}
