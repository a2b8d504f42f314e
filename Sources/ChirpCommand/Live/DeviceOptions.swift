internal import ArgumentParser
internal import ChirpSound
internal import Foundation

/// The sound device that a command uses.
struct DeviceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Sound device; see chirp devices. Default: CHIRP_DEVICE, or ALSA's default.", valueName: "name"))
    var device: String?

    var name: String { device ?? Self.unnamed }

    /// The device that is used when the command line names none.
    static var unnamed: String {
        let named = ProcessInfo.processInfo.environment["CHIRP_DEVICE"] ?? ""
        return named.isEmpty ? SoundDevices.defaultName : named
    }
}
