internal import ArgumentParser
internal import ChirpReport
internal import ChirpSound

struct DevicesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices", abstract: "List the playback and capture devices that --device takes.",
        discussion: """
            An asterisk marks the default device: CHIRP_DEVICE, or the system's default.
            --device also accepts every other ALSA name, such as hw:1,0 for the hardware itself, or \
            pulse:NAME for a sink or source of PulseAudio or PipeWire.
            """)

    @Flag(help: "Print one JSON object per line.")
    var json = false

    mutating func run() throws {
        let chosen = DeviceOptions.unnamed
        let devices = SoundDevices.list()
        let playable = SoundDevices.plays(chosen)
        let capturable = SoundDevices.captures(chosen)
        let usable = devices.filter { $0.name != chosen || playable || capturable }
        let works = playable || capturable || usable.contains { $0.name.contains(":") }
        // A wrong CHIRP_DEVICE is looked up here.
        guard works || SoundDevices.plays(SoundDevices.defaultName) || SoundDevices.captures(SoundDevices.defaultName)
        else {
            throw NoSoundDevice()
        }
        if json {
            for device in usable { try StandardOutput.print(Self.json(device, isDefault: device.name == chosen).text) }
            return
        }
        try Self.printList("Playback", usable.filter(\.plays), chosen: chosen, chosenWorks: playable)
        try StandardOutput.print("")
        try Self.printList("Capture", usable.filter(\.captures), chosen: chosen, chosenWorks: capturable)
    }

    private static func printList(_ title: String, _ devices: [SoundDevice], chosen: String, chosenWorks: Bool) throws {
        try StandardOutput.print("\(title):")
        let width = devices.map(\.name.count).max() ?? 0
        for device in devices {
            let isChosen = device.name == chosen
            let name = device.name + String(repeating: " ", count: width - device.name.count)
            let state = isChosen && !chosenWorks ? " (cannot be opened now)" : ""
            try StandardOutput.print("\(isChosen ? "*" : " ") \(name)  \(device.description)\(state)")
        }
        if devices.isEmpty { try StandardOutput.print("  none") }
    }

    private static func json(_ device: SoundDevice, isDefault: Bool) -> JSONValue {
        .object([
            .init("name", .string(device.name)), .init("description", .string(device.description)),
            .init("playback", .boolean(device.plays)), .init("capture", .boolean(device.captures)),
            .init("default", .boolean(isDefault)),
        ])
    }
}

/// There is nothing that sound could be played on or captured from.
struct NoSoundDevice: UserFacingError {
    var userMessage: String {
        "this machine has no sound device: connect a loudspeaker or microphone (arecord -l shows what the kernel sees), "
            + "or start PipeWire or PulseAudio and install its ALSA plugin "
            + "(Debian: pipewire-alsa, or pulseaudio and libasound2-plugins)"
    }
}
