internal import ChirpSound

/// A sound file of what was heard, all channels of it, written as it comes in.
struct RecordingWriter {
    private let path: String
    private let format: AudioFileFormat
    private var writer: AudioFileWriter?

    /// - Throws: ``ChirpSound/AudioFileError`` when no format is written under the path's extension.
    init(path: String) throws {
        self.path = path
        format = try AudioFileFormat(path: path)
    }

    /// Adds frames; the first ones create the file.
    ///
    /// - Parameter frames: frame by frame, a sample of each channel in each.
    /// - Throws: ``ChirpSound/AudioFileError``, or ``RecordingChange`` when a device came back with another rate or number
    ///   of channels.
    mutating func write(_ frames: [Float], channelCount: Int, sampleRateHertz: Double) throws {
        guard !frames.isEmpty else { return }
        let writer =
            try writer
            ?? AudioFileWriter(
                path: path, format: format, sampleRateHertz: Int(sampleRateHertz.rounded()), channelCount: channelCount)
        self.writer = writer
        let (before, now) = (
            SoundShape(sampleRateHertz: writer.sampleRateHertz, channelCount: writer.channelCount),
            SoundShape(sampleRateHertz: sampleRateHertz.rounded(), channelCount: channelCount)
        )
        guard before == now else { throw RecordingChange(path: path, from: before, to: now) }
        try writer.write(frames)
    }

    mutating func finish() throws {
        try writer?.finish()
        writer = nil
    }
}

/// What all frames of a file have in common.
struct SoundShape: Hashable {
    let sampleRateHertz: Double
    let channelCount: Int

    var description: String {
        "\(Int(sampleRateHertz)) Hz and \(channelCount == 1 ? "1 channel" : "\(channelCount) channels")"
    }
}

/// A file has one sample rate and number of channels, and the device now has others.
struct RecordingChange: Error {
    let path: String
    let from: SoundShape
    let to: SoundShape
}

extension RecordingChange: UserFacingError {
    var userMessage: String {
        "\(path): the device came back with \(to.description), and the recording has \(from.description): start a new one"
    }
}
