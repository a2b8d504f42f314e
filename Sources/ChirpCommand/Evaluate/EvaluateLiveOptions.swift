internal import ArgumentParser

/// How the real loudspeaker and microphone are tried.
struct EvaluateLiveOptions: ParsableArguments {
    @Flag(help: "Play codes through the loudspeaker at several volumes, and listen at the same time.")
    var live = false

    @OptionGroup var choice: DeviceOptions

    @Option(help: ArgumentHelp("Capture device. Default: the playback device.", valueName: "name"))
    var microphone: String?

    @Option(help: ArgumentHelp("Peak amplitudes to play at, each above 0 and up to 1.", valueName: "list"))
    var volumes = VolumeList(values: [0.05, 0.2, 0.8])

    func validate() throws {
        if microphone != nil && !live { throw ValidationError("--microphone is for --live.") }
        if choice.device != nil && !live { throw ValidationError("--device is for --live.") }
    }
}

/// Peak amplitudes, separated by commas.
struct VolumeList: ExpressibleByArgument {
    let values: [Double]

    init(values: [Double]) { self.values = values }

    init?(argument: String) {
        let numbers = argument.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
        values = numbers.compactMap(\.self)
        guard values.count == numbers.count, values.count <= 20, values.allSatisfy({ $0 > 0 && $0 <= 1 }) else {
            return nil
        }
    }

    var defaultValueDescription: String { values.map { "\($0)" }.joined(separator: ",") }
}
