internal import ChirpSound
internal import Foundation

extension SoundDeviceError: UserFacingError {
    var userMessage: String { message(isAwaited: false) }

    /// - Parameter isAwaited: whether the device is waited for already.
    func message(isAwaited: Bool) -> String {
        switch self {
        case .system(.open, let device, let direction, let code): refusal(device, direction, code)
        case .system(.configure, let device, let direction, EIO) where device.hasPrefix("pulse:"):
            "the sound server refuses \(direction.noun) “\(device)”; `pactl list short \(direction.soundServerNoun)` lists the names "
                + "that it has"
        case .system(.configure, let device, let direction, let code):
            "\(direction.noun) “\(device)” cannot be set up: \(reason(code)); "
                + (device == Self.plugged(device)
                    ? "" : "“\(Self.plugged(device))” converts what the hardware cannot do, and ")
                + "`chirp devices` lists others"
        case .system(let operation, let device, let direction, let code):
            "\(direction.noun) “\(device)” failed \(operation.activity): \(reason(code)); "
                + "was it unplugged, or did the sound server stop?"
                + (direction == .playback
                    ? " See `chirp devices`" : isAwaited ? "" : " With --wait, chirp waits for it")
        case .noSampleFormat(let device, let direction):
            "\(direction.noun) “\(device)” offers none of the formats float, 32, 24 and 16 bits; "
                + "“\(Self.plugged(device))” converts"
        case .stalled(let device, let direction, let seconds):
            "\(direction.noun) “\(device)” has \(direction == .capture ? "delivered" : "taken") nothing for "
                + "\(Int(seconds)) s; did the sound server stop, or was the device suspended? "
                + "`chirp devices` lists others"
        }
    }

    private func refusal(_ device: String, _ direction: SoundDirection, _ code: Int32) -> String {
        let noun = direction.noun
        switch code {
        case EBUSY, EAGAIN:
            return "\(noun) “\(device)” is in use by another program; stop it, or choose another device with --device"
        case EACCES, EPERM:
            return
                "\(noun) “\(device)” cannot be opened: permission denied; join the group “audio” (sudo usermod -aG audio $USER) "
                + "and log in again"
        case ECONNREFUSED, EHOSTDOWN:
            return "\(noun) “\(device)” cannot be opened: the sound server does not respond; "
                + "start PipeWire or PulseAudio, or choose another device with --device"
        case ENOENT, ENODEV, ENXIO, EINVAL:
            guard device == SoundDevices.defaultName else {
                return "there is no \(noun) “\(device)”; `chirp devices` lists the devices"
            }
            return "there is no \(noun): the system's default cannot be opened (\(reason(code))); "
                + "plug one in or start the sound server, then see `chirp devices`"
        default:
            return "\(noun) “\(device)” cannot be opened: \(reason(code)); `chirp devices` lists others"
        }
    }

    private func reason(_ code: Int32) -> String { String(cString: strerror(code)) }

    private static func plugged(_ device: String) -> String {
        device.hasPrefix("hw:") ? "plug" + device : "default"
    }
}

extension SoundDirection {
    fileprivate var noun: String {
        switch self {
        case .playback: "playback device"
        case .capture: "capture device"
        }
    }

    /// What PulseAudio and PipeWire call devices.
    fileprivate var soundServerNoun: String { self == .playback ? "sinks" : "sources" }
}

extension SoundDeviceError.Operation {
    fileprivate var activity: String {
        switch self {
        case .open, .configure, .start: "while it was started"
        case .read: "while listening"
        case .write, .drain: "while playing"
        }
    }
}
