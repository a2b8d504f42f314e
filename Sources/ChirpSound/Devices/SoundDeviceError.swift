/// Which way sound goes through a device.
public enum SoundDirection: Sendable, Hashable { case playback, capture }

/// Why a sound device cannot be used. `device` is the name as it was given.
public enum SoundDeviceError: Error, Sendable, Hashable {
    public enum Operation: Sendable, Hashable { case open, configure, start, read, write, drain }

    /// The system refused; its error number.
    case system(Operation, device: String, direction: SoundDirection, code: Int32)
    /// It offers none of the sample formats that are understood.
    case noSampleFormat(device: String, direction: SoundDirection)
    /// It delivers no sound, though it reports no error; for this long, in seconds.
    case stalled(device: String, direction: SoundDirection, seconds: Double)

    /// Whether the device has gone, or was never there, so that it may come back.
    public var isAbsence: Bool {
        switch self {
        case .system, .stalled: true
        case .noSampleFormat: false
        }
    }
}
