internal import ArgumentParser
internal import ChirpLab
internal import ChirpPictures
internal import Foundation

/// `chirp evaluate`: how much of what is sent through simulated channels comes back.
struct EvaluateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "evaluate", abstract: "Measure the decoder through simulated channels or real devices.",
        discussion: """
            Without options, it measures a table of channels of every kind; --rows selects rows. With --snr or any option that \
            describes a channel, it sweeps over signal-to-noise ratios in that channel; options combine. With --live, it plays \
            codes through the real loudspeaker and captures them with the microphone.
            """)

    @OptionGroup(title: "What to measure") var selection: EvaluateSelectionOptions
    @OptionGroup(title: "A custom channel") var channel: EvaluateChannelOptions
    @OptionGroup(title: "Real devices") var live: EvaluateLiveOptions
    @OptionGroup(title: "Results") var output: EvaluateOutputOptions

    func validate() throws {
        let isSimulated = selection.rows != nil || selection.snr != nil || selection.falseAlarms != nil
        if live.live && (isSimulated || channel.isGiven || output.isForSimulations) {
            throw ValidationError(
                "--live uses real devices: of the other options it accepts only --trials, --seed and --json.")
        }
        if selection.rows != nil && (channel.isGiven || selection.snr != nil) {
            throw ValidationError(
                "--rows selects predefined channels and cannot be combined with --snr or channel options.")
        }
        if selection.falseAlarms != nil && output.isForSimulations {
            throw ValidationError(
                "--false-alarms has no table of rows: of the forms of results it accepts only --json.")
        }
        if output.plot != nil && selection.rows != nil {
            throw ValidationError("--plot draws a sweep over ratios: give --snr instead of --rows.")
        }
    }

    func run() async throws {
        if selection.listRows {
            return try StandardOutput.print(EvaluateSelectionOptions.names.joined(separator: "\n"))
        }
        if live.live {
            return try await LiveTrial(
                options: live, chirpsPerVolume: selection.trials ?? 6, seed: selection.seed, json: output.json
            ).run()
        }
        // What cannot be drawn or compared in the end is said before the work and not after it.
        let gnuplot = try output.plot.map { _ in try Gnuplot() }
        let picture = try output.plot.map { try PictureFile(path: $0) }
        try output.plot.map { try WholeFile.check($0) }
        let baseline = try output.compare.map { try EvaluationFile.read(path: $0) }
        let experiment = Experiment(
            seed: selection.seed, chirpsPerScenario: selection.chirps(isSweep: isSweep), jobs: selection.jobCount)
        if let hours = selection.falseAlarms {
            return try await FalseAlarmCount(
                hours: hours, recordings: try RecordingFiles.load(folder: selection.recordings, noise: channel.noise),
                formats: try FormatNames.formats(selection.format), isEven: selection.even,
                combinesCopies: selection.combine == .on, output: output
            ).run(experiment)
        }
        var record = ExperimentRecord(
            command: CommandLine.arguments.isEmpty
                ? "chirp evaluate" : (["chirp"] + CommandLine.arguments.dropFirst()).joined(separator: " "),
            date: Date().formatted(.iso8601), machine: Machine.description, seed: experiment.seed,
            chirpsPerRow: experiment.chirpsPerScenario)
        try await measure(experiment, into: &record)
        // The frames' bounds are those of a single chirp.
        if isSweep && (output.bounds || output.plot != nil) && channel.repeats * channel.channels == 1 {
            record.bounds = try await Bounds.sweep(
                snrDecibels: record.rows.compactMap(\.snrDecibels), frames: output.boundsFrames, seed: experiment.seed,
                jobs: experiment.jobs
            ).map(ExperimentRecord.BoundsRow.init)
        }
        if output.bounds && channel.repeats * channel.channels > 1 {
            record.combiningBound = CombiningBound.snrDecibels(copies: channel.repeats * channel.channels)
        }
        try output.show(record, baseline: baseline)
        if let gnuplot, let picture {
            try gnuplot.draw(RecoveryPicture(record.recoveryCurves, title: record.plotTitle), to: picture)
        }
    }

    /// Whether one channel is swept over ratios, or a table of channels runs.
    private var isSweep: Bool { selection.snr != nil || channel.isGiven || output.plot != nil || output.bounds }

    private func measure(_ experiment: Experiment, into record: inout ExperimentRecord) async throws {
        let scenarios: [@Sendable () -> Scenario]
        if isSweep {
            let described = try channel.description()
            let snrs = selection.snr?.values ?? RatioList.standard.values
            scenarios = described.scenarios(snrDecibels: snrs, seed: experiment.seed).map { scenario in { scenario } }
        } else {
            scenarios = try selection.selectedRows(
                recordings: RecordingFiles.load(folder: selection.recordings, noise: channel.noise),
                seed: experiment.seed)
        }
        let progress = ProgressBar(total: Double(scenarios.count * experiment.chirpsPerScenario))
        try output.begin(record)
        for make in scenarios {
            let scenario = make()
            let chirps = Double(scenario.transmission.chirpCount)
            let result = try await experiment.run(scenario) { progress.advance(by: chirps) }
            let row = ExperimentRecord.Row(result)
            record.rows.append(row)
            progress.clear()
            try output.add(row)
        }
    }
}
