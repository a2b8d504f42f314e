/// An event of a capture, in the order of occurrence.
public enum CaptureEvent: Sendable, Hashable {
    /// The device runs, at this rate.
    case opened(device: String, sampleRateHertz: Double, channelCount: Int)
    /// The next frames, a sample of each channel in each.
    case samples([Float])
    /// Sound is missing here, of about this length.
    case lost(seconds: Double, LossCause)
    /// The device is not there, and is waited for.
    case absent(SoundDeviceError)
}

/// Why sound was lost.
public enum LossCause: Sendable, Hashable {
    /// The system's buffer ran over, or the machine slept.
    case device
    /// Whoever listens did not keep up, and the buffer for that was full.
    case consumer
}
