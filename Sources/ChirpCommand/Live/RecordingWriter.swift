internal import ChirpSound

/// A sound file of what was heard, written as it comes in.
struct RecordingWriter {
    private let path: String
    private let format: AudioFileFormat
    private var writer: AudioFileWriter?

    /// - Throws: ``ChirpSound/AudioFileError`` when no format is written under the path's extension.
    init(path: String) throws {
        self.path = path
        format = try AudioFileFormat(path: path)
    }

    /// Adds samples; the first ones create the file at their rate.
    ///
    /// - Throws: ``ChirpSound/AudioFileError``, or ``RecordingRateChange`` when a device came back at another rate.
    mutating func write(_ samples: [Float], sampleRateHertz: Double) throws {
        guard !samples.isEmpty else { return }
        let writer =
            try writer ?? AudioFileWriter(path: path, format: format, sampleRateHertz: Int(sampleRateHertz.rounded()))
        self.writer = writer
        guard writer.sampleRateHertz == sampleRateHertz.rounded() else {
            throw RecordingRateChange(path: path, from: writer.sampleRateHertz, to: sampleRateHertz)
        }
        try writer.write(samples)
    }

    mutating func finish() throws {
        try writer?.finish()
        writer = nil
    }
}

/// A file has one sample rate, and the device now has another.
struct RecordingRateChange: Error {
    let path: String
    let from: Double
    let to: Double
}

extension RecordingRateChange: UserFacingError {
    var userMessage: String {
        "\(path): the device came back at \(Int(to)) Hz, and the recording has \(Int(from)) Hz: start a new one"
    }
}
