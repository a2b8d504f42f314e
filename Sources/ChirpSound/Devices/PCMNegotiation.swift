internal import CALSA

/// Agrees with a device on rate, sample format, channels and buffers.
///
/// The device's own rate is taken where it has one: the library's rate converter is switched off first, since the default
/// one interpolates linearly, which costs the highest tones of a chirp several decibels and adds images of them.
@safe struct PCMNegotiation {
    private let handle: OpaquePointer
    private let name: String
    private let direction: SoundDirection

    @unsafe init(handle: OpaquePointer, name: String, direction: SoundDirection) {
        unsafe self.handle = handle
        self.name = name
        self.direction = direction
    }

    func run(_ request: PCMRequest) throws(SoundDeviceError) -> PCMConfiguration {
        let configuration = try configureHardware(request)
        try configureSoftware(configuration)
        return configuration
    }

    private func configureHardware(_ request: PCMRequest) throws(SoundDeviceError) -> PCMConfiguration {
        var allocated: OpaquePointer?
        try check(unsafe snd_pcm_hw_params_malloc(&allocated))
        guard let parameters = unsafe allocated else { throw failure(ENOMEM) }
        defer { unsafe snd_pcm_hw_params_free(parameters) }

        try check(unsafe snd_pcm_hw_params_any(handle, parameters))
        // Fails on devices that have no converter to switch off.
        _ = unsafe snd_pcm_hw_params_set_rate_resample(handle, parameters, 0)
        try check(unsafe snd_pcm_hw_params_set_access(handle, parameters, SND_PCM_ACCESS_RW_INTERLEAVED))
        guard
            let format = DeviceSampleFormat.allCases.first(where: { format in
                unsafe snd_pcm_hw_params_set_format(handle, parameters, format.libraryFormat) == 0
            })
        else { throw .noSampleFormat(device: name, direction: direction) }
        var channels = UInt32(request.channelCount)
        try check(unsafe snd_pcm_hw_params_set_channels_near(handle, parameters, &channels))
        var rate = UInt32(request.sampleRateHertz.rounded())
        try check(unsafe snd_pcm_hw_params_set_rate_near(handle, parameters, &rate, nil))
        var period = snd_pcm_uframes_t(request.periodSeconds * Double(rate))
        var buffer = snd_pcm_uframes_t(request.bufferSeconds * Double(rate))
        try check(unsafe snd_pcm_hw_params_set_period_size_near(handle, parameters, &period, nil))
        try check(unsafe snd_pcm_hw_params_set_buffer_size_near(handle, parameters, &buffer))
        try check(unsafe snd_pcm_hw_params(handle, parameters))
        return PCMConfiguration(
            sampleRateHertz: unsafe exactRate(parameters) ?? Double(rate), channelCount: Int(channels), format: format,
            periodFrames: Int(period), bufferFrames: Int(buffer))
    }

    /// The rate as the fraction that the hardware's clock makes of it: "numerator / denominator", nil where unknown.
    @unsafe private func exactRate(_ parameters: OpaquePointer) -> Double? {
        var (numerator, denominator) = (UInt32(0), UInt32(0))
        let code = unsafe snd_pcm_hw_params_get_rate_numden(parameters, &numerator, &denominator)
        guard code == 0, numerator > 0, denominator > 0 else { return nil }
        return Double(numerator) / Double(denominator)
    }

    private func configureSoftware(_ configuration: PCMConfiguration) throws(SoundDeviceError) {
        var allocated: OpaquePointer?
        try check(unsafe snd_pcm_sw_params_malloc(&allocated))
        guard let parameters = unsafe allocated else { throw failure(ENOMEM) }
        defer { unsafe snd_pcm_sw_params_free(parameters) }

        let period = snd_pcm_uframes_t(configuration.periodFrames)
        // Playback begins once the buffer is full, so that it does not run dry at once; capture is started explicitly.
        let periods = max(1, configuration.bufferFrames / configuration.periodFrames)
        let threshold = snd_pcm_uframes_t(periods * configuration.periodFrames)
        try check(unsafe snd_pcm_sw_params_current(handle, parameters))
        if direction == .playback {
            try check(unsafe snd_pcm_sw_params_set_start_threshold(handle, parameters, threshold))
        }
        try check(unsafe snd_pcm_sw_params_set_avail_min(handle, parameters, period))
        try check(unsafe snd_pcm_sw_params(handle, parameters))
    }

    private func check(_ code: Int32) throws(SoundDeviceError) {
        guard code >= 0 else { throw failure(-code) }
    }

    private func failure(_ code: Int32) -> SoundDeviceError {
        .system(.configure, device: name, direction: direction, code: code)
    }
}

extension DeviceSampleFormat {
    var libraryFormat: snd_pcm_format_t {
        switch self {
        case .float32: SND_PCM_FORMAT_FLOAT_LE
        case .signed32: SND_PCM_FORMAT_S32_LE
        case .signed24: SND_PCM_FORMAT_S24_LE
        case .signed24Packed: SND_PCM_FORMAT_S24_3LE
        case .signed16: SND_PCM_FORMAT_S16_LE
        }
    }
}
