internal import CALSA

/// How a device was set up: what was asked for, or the nearest that it offers.
struct PCMConfiguration: Sendable, Hashable {
    /// The rate that it runs at.
    var sampleRateHertz: Double
    var channelCount: Int
    var format: DeviceSampleFormat
    /// The device wakes its user after this many frames.
    var periodFrames: Int
    var bufferFrames: Int

    var bytesPerFrame: Int { channelCount * format.bytesPerSample }
}

/// What is asked of a device.
struct PCMRequest: Sendable, Hashable {
    var sampleRateHertz = 48_000.0
    var channelCount = 1
    var periodSeconds: Double
    var bufferSeconds: Double
}

/// An open sound device of the ALSA library, in one direction.
///
/// Owns the library's handle alone and closes it; is used by one thread at a time. It never waits in a read, so that
/// its user can be stopped; a write waits for room.
@safe final class PCM {
    /// What became of a transfer.
    enum Transfer: Equatable {
        case frames(Int)
        /// Nothing within the time allowed.
        case nothing
        /// Sound was lost, by an over-run, an under-run or a suspend, and the device runs again.
        case recovered
    }

    let name: String
    let direction: SoundDirection
    let configuration: PCMConfiguration

    /// A device that loses its place again and again without moving a frame in between has gone: PipeWire's device
    /// says so when the server has died, for ever.
    private static let mostRecoveriesInARow = 8

    private let handle: OpaquePointer
    private var recoveriesInARow = 0

    /// Opens and configures a device.
    init(name: String, direction: SoundDirection, request: PCMRequest) throws(SoundDeviceError) {
        chirp_alsa_silence_messages()
        var opened: OpaquePointer?
        let stream = direction == .playback ? SND_PCM_STREAM_PLAYBACK : SND_PCM_STREAM_CAPTURE
        // Opening without waiting: a device that somebody else holds is an error, not a reason to hang.
        let code = unsafe snd_pcm_open(&opened, name, stream, Int32(SND_PCM_NONBLOCK))
        guard code >= 0, let handle = unsafe opened else {
            throw .system(.open, device: name, direction: direction, code: -code)
        }
        do throws(SoundDeviceError) {
            if direction == .playback { unsafe snd_pcm_nonblock(handle, 0) }
            configuration = try unsafe PCMNegotiation(handle: handle, name: name, direction: direction).run(request)
        } catch {
            unsafe snd_pcm_close(handle)
            throw error
        }
        self.name = name
        self.direction = direction
        unsafe self.handle = handle
    }

    deinit { unsafe snd_pcm_close(handle) }

    /// Starts a capture device.
    func start() throws(SoundDeviceError) { try check(unsafe snd_pcm_start(handle), .start) }

    /// Reads as many frames as are there and fit, waiting for the first up to `milliseconds`.
    func read(into buffer: inout [UInt8], waiting milliseconds: Int32) throws(SoundDeviceError) -> Transfer {
        let ready = unsafe snd_pcm_wait(handle, milliseconds)
        if ready == 0 { return .nothing }
        if ready < 0 { return try recover(from: ready, .read) }
        let capacity = snd_pcm_uframes_t(buffer.count / configuration.bytesPerFrame)
        let count = unsafe buffer.withUnsafeMutableBytes { bytes in
            unsafe snd_pcm_readi(handle, bytes.baseAddress, capacity)
        }
        if count == -snd_pcm_sframes_t(EAGAIN) || count == 0 { return .nothing }
        if count < 0 { return try recover(from: Int32(count), .read) }
        recoveriesInARow = 0
        return .frames(count)
    }

    /// Writes frames, waiting for room; fewer than given when the device lost its place in between.
    func write(_ bytes: ArraySlice<UInt8>) throws(SoundDeviceError) -> Transfer {
        let frames = snd_pcm_uframes_t(bytes.count / configuration.bytesPerFrame)
        let count = unsafe bytes.withUnsafeBytes { bytes in unsafe snd_pcm_writei(handle, bytes.baseAddress, frames) }
        if count == -snd_pcm_sframes_t(EAGAIN) { return .nothing }
        if count < 0 { return try recover(from: Int32(count), .write) }
        recoveriesInARow = 0
        return .frames(count)
    }

    /// Waits until everything written has been heard.
    func drain() throws(SoundDeviceError) { try check(unsafe snd_pcm_drain(handle), .drain) }

    /// Frames captured and not read yet, or written and not heard yet; 0 when the device does not know.
    var delayFrames: Int {
        var delay: snd_pcm_sframes_t = 0
        return unsafe snd_pcm_delay(handle, &delay) == 0 ? max(0, delay) : 0
    }

    /// "This function handles -EINTR, -EPIPE (overrun or underrun) and -ESTRPIPE (stream is suspended) error codes
    /// trying to prepare given stream for next I/O"; anything else it gives back.
    private func recover(from code: Int32, _ operation: SoundDeviceError.Operation) throws(SoundDeviceError) -> Transfer
    {
        try check(unsafe snd_pcm_recover(handle, code, 1), operation)
        guard code != -EINTR else { return .nothing }
        recoveriesInARow += 1
        if recoveriesInARow > Self.mostRecoveriesInARow { try check(code, operation) }
        if direction == .capture { try start() }
        return .recovered
    }

    private func check(_ code: Int32, _ operation: SoundDeviceError.Operation) throws(SoundDeviceError) {
        guard code < 0 else { return }
        throw .system(operation, device: name, direction: direction, code: -code)
    }
}
