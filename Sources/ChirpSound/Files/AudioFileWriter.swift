internal import CSndfile

/// A sound file that is written block by block. Owns the library's handle alone.
@safe public final class AudioFileWriter: AudioSink {
    public let path: String
    public let sampleRateHertz: Double
    public let channelCount: Int

    private let maximumSampleCount: Int?
    private var sampleCount = 0
    /// Samples after which the header is brought up to date, so that of a program that is killed the sound is left.
    private let headerInterval: Int
    private var nextHeaderUpdate: Int
    private var handle: OpaquePointer?
    /// The library has an unretained pointer to it.
    private let output: ByteOutput

    /// Creates a file, or replaces it.
    ///
    /// - Parameters:
    ///   - path: the file; its extension is not looked at.
    ///   - sampleRateHertz: a whole number.
    public init(
        path: String, format: AudioFileFormat, sampleRateHertz: Int, channelCount: Int = 1
    ) throws(AudioFileError) {
        output = try ByteOutput(path: path)
        maximumSampleCount = format.maximumSampleCount
        headerInterval = 5 * sampleRateHertz * channelCount
        // The encoders of other formats cannot write theirs again.
        nextHeaderUpdate = maximumSampleCount == nil ? .max : headerInterval
        var info = SF_INFO()
        info.samplerate = Int32(sampleRateHertz)
        info.channels = Int32(channelCount)
        info.format = format.libraryFormat
        var operations = ByteOutput.operations
        let opened = unsafe sf_open_virtual(
            &operations, Int32(SFM_WRITE), &info, Unmanaged.passUnretained(output).toOpaque())
        guard let opened = unsafe opened else {
            try output.check()
            throw .library(.open, path: path, reason: unsafe String(cString: sf_strerror(nil)))
        }
        _ = unsafe sf_command(opened, Int32(SFC_SET_CLIPPING), nil, Int32(SF_TRUE))
        unsafe handle = opened
        self.path = path
        self.sampleRateHertz = Double(sampleRateHertz)
        self.channelCount = channelCount
    }

    deinit { if let handle = unsafe handle { unsafe sf_close(handle) } }

    /// - Parameter samples: whole frames, a sample of each channel in each.
    public func write(_ samples: [Float]) throws(AudioFileError) {
        guard let handle = unsafe handle else { preconditionFailure("the file is finished") }
        sampleCount += samples.count
        guard sampleCount <= maximumSampleCount ?? .max else { throw .tooLong(path: path) }
        let written = unsafe samples.withUnsafeBufferPointer { buffer in
            unsafe Int(sf_write_float(handle, buffer.baseAddress, sf_count_t(buffer.count)))
        }
        try output.check()
        guard written == samples.count else {
            throw .library(.write, path: path, reason: unsafe String(cString: sf_strerror(handle)))
        }
        if sampleCount >= nextHeaderUpdate {
            nextHeaderUpdate = sampleCount + headerInterval
            _ = unsafe sf_command(handle, Int32(SFC_UPDATE_HEADER_NOW), nil, 0)
        }
    }

    /// Completes the header and closes the file.
    public func finish() throws(AudioFileError) {
        guard let handle = unsafe handle else { return }
        unsafe self.handle = nil
        let code = unsafe sf_close(handle)
        try output.finish()
        guard code == 0 else {
            throw .library(.write, path: path, reason: unsafe String(cString: sf_error_number(code)))
        }
    }
}
