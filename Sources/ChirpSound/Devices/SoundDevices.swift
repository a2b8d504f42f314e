internal import CALSA

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Musl
#endif

/// A device that sound can be played on or captured from.
public struct SoundDevice: Sendable, Hashable {
    /// What `--device` takes.
    public let name: String
    /// One line for people.
    public let description: String
    public let plays: Bool
    public let captures: Bool
}

/// The sound devices of this machine.
public enum SoundDevices {
    /// The device that is used when none is named.
    public static let defaultName = "default"
    private static let defaultDescription = "The system's default"

    /// Names of converters and of servers' back doors that the ALSA library lists beside devices.
    private static let notDevices: Set<String> = [
        "null", "lavrate", "samplerate", "speexrate", "speex", "upmix", "vdownmix", "jack", "oss", "usbstream",
    ]

    /// All devices, the default first; those of one card together.
    public static func list() -> [SoundDevice] {
        chirp_alsa_silence_messages()
        // The library caches its configuration: devices plugged in since would be missing.
        _ = snd_config_update_free_global()
        var hints: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
        guard unsafe snd_device_name_hint(-1, "pcm", &hints) == 0, let hints = unsafe hints else { return [] }
        defer { unsafe snd_device_name_free_hint(hints) }
        var devices: [SoundDevice] = []
        var position = unsafe hints
        while let hint = unsafe position.pointee {
            if let device = unsafe device(hint) { devices.append(device) }
            unsafe position += 1
        }
        if !devices.contains(where: { $0.name == defaultName }) {
            let unlisted = SoundDevice(
                name: defaultName, description: defaultDescription, plays: plays(defaultName),
                captures: captures(defaultName))
            if unlisted.plays || unlisted.captures { devices.append(unlisted) }
        }
        return devices.filter { $0.name == defaultName } + devices.filter { $0.name != defaultName }
    }

    /// Whether a device can be opened for playing now.
    public static func plays(_ device: String) -> Bool { (try? PlaybackDevice(device: device)) != nil }

    /// Whether a device can be opened for capturing now.
    public static func captures(_ device: String) -> Bool { (try? CaptureDevice(device: device)) != nil }

    @unsafe private static func device(_ hint: UnsafeMutableRawPointer) -> SoundDevice? {
        guard let name = unsafe text("NAME", of: hint), !notDevices.contains(name) else { return nil }
        var description = unsafe text("DESC", of: hint) ?? ""
        if description.isEmpty, name == defaultName { description = defaultDescription }
        let direction = unsafe text("IOID", of: hint)
        return SoundDevice(
            name: name, description: description.split(separator: "\n").joined(separator: ", "),
            plays: direction != "Input", captures: direction != "Output")
    }

    @unsafe private static func text(_ identifier: String, of hint: UnsafeMutableRawPointer) -> String? {
        guard let text = unsafe snd_device_name_get_hint(hint, identifier) else { return nil }
        defer { unsafe free(text) }
        return unsafe String(cString: text)
    }
}
