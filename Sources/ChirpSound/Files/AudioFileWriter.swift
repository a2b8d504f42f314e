internal import CSndfile

/// A mono sound file that is written block by block. Owns the library's handle alone.
@safe public final class AudioFileWriter: AudioSink {
    public let path: String
    public let sampleRateHertz: Double

    private var handle: OpaquePointer?

    /// Creates a file, or replaces it.
    ///
    /// - Parameters:
    ///   - path: the file; its extension is not looked at.
    ///   - sampleRateHertz: a whole number.
    public init(path: String, format: AudioFileFormat, sampleRateHertz: Int) throws(AudioFileError) {
        var info = SF_INFO()
        info.samplerate = Int32(sampleRateHertz)
        info.channels = 1
        info.format = format.libraryFormat
        guard
            let opened = unsafe FilePath.withSystemPath(path, { unsafe sf_open($0, Int32(SFM_WRITE), &info) })
        else {
            throw .library(.open, path: path, reason: unsafe String(cString: sf_strerror(nil)))
        }
        _ = unsafe sf_command(opened, Int32(SFC_SET_CLIPPING), nil, Int32(SF_TRUE))
        unsafe handle = opened
        self.path = path
        self.sampleRateHertz = Double(sampleRateHertz)
    }

    deinit { if let handle = unsafe handle { unsafe sf_close(handle) } }

    public func write(_ samples: [Float]) throws(AudioFileError) {
        guard let handle = unsafe handle else { preconditionFailure("the file is finished") }
        let written = unsafe samples.withUnsafeBufferPointer { buffer in
            unsafe Int(sf_writef_float(handle, buffer.baseAddress, sf_count_t(buffer.count)))
        }
        guard written == samples.count else {
            throw .library(.write, path: path, reason: unsafe String(cString: sf_strerror(handle)))
        }
    }

    /// Completes the header and closes the file.
    public func finish() throws(AudioFileError) {
        guard let handle = unsafe handle else { return }
        unsafe self.handle = nil
        let code = unsafe sf_close(handle)
        guard code == 0 else {
            throw .library(.write, path: path, reason: unsafe String(cString: sf_error_number(code)))
        }
    }
}
