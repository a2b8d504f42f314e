/// How headerless samples are stored: `FORMAT:RATE:CHANNELS`, such as `s16le:44100:1`.
public struct RawFormat: Sendable, Hashable {
    /// How one sample is stored; the names are those of FFmpeg and ALSA in lower case.
    public enum Encoding: String, Sendable, CaseIterable {
        case u8, s8, s16le, s16be, s24le, s24be, s32le, s32be, f32le, f32be, f64le, f64be, ulaw, alaw

        public var bytesPerSample: Int {
            switch self {
            case .u8, .s8, .ulaw, .alaw: 1
            case .s16le, .s16be: 2
            case .s24le, .s24be: 3
            case .s32le, .s32be, .f32le, .f32be: 4
            case .f64le, .f64be: 8
            }
        }
    }

    public let encoding: Encoding
    public let sampleRateHertz: Int
    public let channelCount: Int

    /// The most channels that the sound file library takes.
    public static let channelCounts = 1...1024

    /// The sample rates that the sound file library takes: it keeps them in 32 bits with a sign, headers of files without one.
    static let sampleRates = 1...Int(Int32.max)

    public init?(encoding: Encoding, sampleRateHertz: Int, channelCount: Int) {
        guard Self.sampleRates.contains(sampleRateHertz), Self.channelCounts.contains(channelCount) else { return nil }
        self.encoding = encoding
        self.sampleRateHertz = sampleRateHertz
        self.channelCount = channelCount
    }

    /// Reads `FORMAT:RATE:CHANNELS`; `:CHANNELS` may be left out for one channel.
    public init(parsing text: String) throws(RawFormatError) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 3 else { throw .form(text) }
        guard let encoding = Encoding(rawValue: parts[0].lowercased()) else { throw .encoding(String(parts[0])) }
        guard let rate = Int(parts[1]), Self.sampleRates.contains(rate) else { throw .sampleRate(String(parts[1])) }
        let channels = parts.count == 3 ? Int(parts[2]) : 1
        guard let channels, Self.channelCounts.contains(channels) else { throw .channelCount(String(parts[2])) }
        self.encoding = encoding
        sampleRateHertz = rate
        channelCount = channels
    }
}

/// Why a text is not a raw format; each case carries the offending part.
public enum RawFormatError: Error, Sendable, Hashable {
    case form(String)
    case encoding(String)
    case sampleRate(String)
    case channelCount(String)
}
