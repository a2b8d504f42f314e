internal import CSndfile

/// A sound file that is written block by block. Owns the library's handle alone.
@safe public final class AudioFileWriter: AudioSink {
    public let path: String
    public let sampleRateHertz: Double
    public let channelCount: Int

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
        let written = unsafe samples.withUnsafeBufferPointer { buffer in
            unsafe Int(sf_write_float(handle, buffer.baseAddress, sf_count_t(buffer.count)))
        }
        try output.check()
        guard written == samples.count else {
            throw .library(.write, path: path, reason: unsafe String(cString: sf_strerror(handle)))
        }
    }

    /// Completes the header and closes the file.
    public func finish() throws(AudioFileError) {
        guard let handle = unsafe handle else { return }
        unsafe self.handle = nil
        let code = unsafe sf_close(handle)
        try output.check()
        guard code == 0 else {
            throw .library(.write, path: path, reason: unsafe String(cString: sf_error_number(code)))
        }
    }
}
