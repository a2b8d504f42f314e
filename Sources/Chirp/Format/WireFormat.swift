internal import RealModule

/// The constants of a chirp on the air, given to the sender and to the receiver alike.
///
/// <doc:TheFormat> describes it. Pitches, lengths and levels are computed from this value, and are written nowhere else. Dimensions are the
/// same in all formats, and code relies on them: 32 tones, a start code of two symbols, ten symbols of data and eight of parity.
public struct WireFormat: Sendable, Hashable {
    /// What commands, bindings and JSON call it; `played(speed:tuningCents:)` keeps it.
    public let name: String
    /// The characters, in the order of the symbols they stand for: index 0–31 is the element of GF(32).
    public let alphabet: [Character]
    /// Pitch of symbol 0.
    public let basePitchHertz: Double
    /// Ratio between the pitches of neighbouring symbols: of the lowest two, where tones are equally spaced.
    public let pitchRatio: Double
    /// Distance of the pitches of neighbouring symbols where tones are equally spaced; nil where their ratio is constant.
    public let toneSpacingHertz: Double?
    /// Length of one symbol. Symbols follow each other without a gap.
    public let symbolSeconds: Double
    /// The symbols that open every frame.
    public let startCode: [UInt8]
    /// Number of data symbols after the start code.
    public let dataSymbolCount: Int
    /// Number of parity symbols after the data.
    public let paritySymbolCount: Int
    /// Rise and fall at the two ends of a frame that is sent.
    let frameEdgeSeconds: Double
    /// Fall and rise, half of it each, at an edge between two different tones.
    let toneEdgeSeconds: Double

    /// Everything that the formats do not share.
    private init(
        name: String, basePitchHertz: Double, pitchRatio: Double, toneSpacingHertz: Double? = nil,
        symbolSeconds: Double,
        startCode: [UInt8], frameEdgeSeconds: Double = 0.004, toneEdgeSeconds: Double = 0.002
    ) {
        self.name = name
        alphabet = Array("0123456789abcdefghijklmnopqrstuv")
        self.basePitchHertz = basePitchHertz
        self.pitchRatio = pitchRatio
        self.toneSpacingHertz = toneSpacingHertz
        self.symbolSeconds = symbolSeconds
        self.startCode = startCode
        dataSymbolCount = 10
        paritySymbolCount = 8
        self.frameEdgeSeconds = frameEdgeSeconds
        self.toneEdgeSeconds = toneEdgeSeconds
    }

    private static let semitone = Double.pow(2, 1.0 / 12)

    /// The format of the original 2012 service: 32 semitones from A6 up, twenty symbols of 87.2 ms a frame.
    ///
    /// Raised-cosine edges of 4 ms keep the splatter of an edge more than 40 dB down one semitone away at the lowest pitch (105 Hz); with
    /// 3.5 % of a symbol they cost 0.1 dB of energy. Between tones, where phase is continuous, they are short.
    public static let original = WireFormat(
        name: "original", basePitchHertz: 1760, pitchRatio: semitone, symbolSeconds: 0.0872, startCode: [17, 19])

    /// Two octaves lower, for what goes through a telephone: 440–2,637 Hz.
    ///
    /// The start code is the original's the other way round: the fourth harmonics of a distorted telephone chirp are the tones of an
    /// original one, at its tempo.
    public static let telephone = WireFormat(
        name: "telephone", basePitchHertz: 440, pitchRatio: semitone, symbolSeconds: 0.0872, startCode: [19, 17])

    /// Equally spaced tones that hardly anybody hears, 17.6–19.83 kHz, for devices of 44.1 and 48 kHz.
    ///
    /// Its edges are long enough that what they splatter below 16 kHz is more than 60 dB below the chirp. The start code has low tones:
    /// loudspeakers fall off towards 20 kHz.
    public static let ultrasonic = WireFormat(
        name: "ultrasonic", basePitchHertz: 17_600, pitchRatio: 17_672.0 / 17_600, toneSpacingHertz: 72,
        symbolSeconds: 0.0872, startCode: [6, 3], frameEdgeSeconds: 0.012, toneEdgeSeconds: 0.008)

    /// The original's tones in symbols of 36 ms: a frame lasts 0.72 s.
    public static let fast = WireFormat(
        name: "fast", basePitchHertz: 1760, pitchRatio: semitone, symbolSeconds: 0.036, startCode: [24, 11])

    /// All formats, the original first.
    public static let all = [original, telephone, ultrasonic, fast]

    /// The format of a name, case folded; nil for none.
    public init?(named name: String) {
        guard let format = Self.all.first(where: { $0.name == name.lowercased() }) else { return nil }
        self = format
    }

    /// The symbols of the whole chirp of a codeword: start code, data, parity.
    public func frame(of codeword: Codeword) -> [UInt8] { startCode + codeword.symbols }

    /// The format as it sounds when a recording of it is played at another speed, and tuned differently on top of that.
    ///
    /// - Parameters:
    ///   - speed: 1 for none; more is faster, and higher in proportion.
    ///   - tuningCents: cents by which every pitch lies higher still.
    package func played(speed: Double = 1, tuningCents: Double = 0) -> WireFormat {
        let ratio = speed * Double.exp2(tuningCents / 1200)
        return WireFormat(
            name: name, basePitchHertz: basePitchHertz * ratio, pitchRatio: pitchRatio,
            toneSpacingHertz: toneSpacingHertz.map { $0 * ratio }, symbolSeconds: symbolSeconds / speed,
            startCode: startCode, frameEdgeSeconds: frameEdgeSeconds, toneEdgeSeconds: toneEdgeSeconds)
    }

    /// The format with other numbers where they are free to choose: for the laboratory, which measures what each gives.
    package func sweeping(
        basePitchHertz: Double? = nil, toneSpacingHertz: Double? = nil, symbolSeconds: Double? = nil
    ) -> WireFormat {
        let base = basePitchHertz ?? self.basePitchHertz
        let spacing = toneSpacingHertz ?? self.toneSpacingHertz
        return WireFormat(
            name: name, basePitchHertz: base, pitchRatio: spacing.map { 1 + $0 / base } ?? pitchRatio,
            toneSpacingHertz: spacing, symbolSeconds: symbolSeconds ?? self.symbolSeconds, startCode: startCode,
            frameEdgeSeconds: frameEdgeSeconds, toneEdgeSeconds: toneEdgeSeconds)
    }

    /// Symbols of a codeword: data, then parity.
    public var codewordSymbolCount: Int { dataSymbolCount + paritySymbolCount }
    /// Symbols of a whole frame: start code, data, parity.
    public var frameSymbolCount: Int { startCode.count + codewordSymbolCount }
    /// Length of a whole frame.
    public var frameSeconds: Double { Double(frameSymbolCount) * symbolSeconds }
    /// Number of different symbols, and so of tones.
    public var toneCount: Int { alphabet.count }

    /// The nominal pitch of a symbol's tone.
    public func pitchHertz(of symbol: UInt8) -> Double {
        if let toneSpacingHertz { return basePitchHertz + toneSpacingHertz * Double(symbol) }
        return basePitchHertz * Double.pow(pitchRatio, Int(symbol))
    }

    /// Pitch of the highest tone: a sound that carries every symbol is sampled at more than twice this rate.
    public var highestPitchHertz: Double { pitchHertz(of: UInt8(toneCount - 1)) }
    /// The frequencies that the tones take up and a semitone more on either side, or a few neighbours' distances.
    var bandHertz: ClosedRange<Double> {
        if let toneSpacingHertz {
            return basePitchHertz - 4 * toneSpacingHertz...highestPitchHertz + 4 * toneSpacingHertz
        }
        return basePitchHertz / 1.06...highestPitchHertz * 1.06
    }

    /// The ratio of the ends of a tone's band to its pitch: so many cents, or two fifths of the way to the next tone if that is less.
    func bandRatio(of symbol: UInt8, cents: Double) -> Double {
        let ratio = Double.exp2(cents / 1200)
        guard let toneSpacingHertz else { return ratio }
        return min(ratio, 1 + 0.4 * toneSpacingHertz / pitchHertz(of: symbol))
    }

    /// The ratio of the pitch half way to the next tone to a tone's own.
    func halfStepRatio(of symbol: UInt8) -> Double {
        guard let toneSpacingHertz else { return pitchRatio.squareRoot() }
        return 1 + 0.5 * toneSpacingHertz / pitchHertz(of: symbol)
    }

    /// Sample rates at which it can be sent, in hertz: the highest tone exists, with room for a reconstruction filter.
    public var synthesisRatesHertz: ClosedRange<Double> {
        let usual = [8_000.0, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000]
        return (usual.first { $0 > 2 * highestPitchHertz } ?? 96_000)...192_000
    }

    /// Sample rates at which enough of the tones exist to receive it, in hertz: of equally spaced ones, all.
    public var receptionRatesHertz: ClosedRange<Double> {
        toneSpacingHertz == nil ? 8_000...192_000 : synthesisRatesHertz
    }

    /// The symbol that a character stands for, upper case folded; nil for a character outside the alphabet.
    public func symbol(for character: Character) -> UInt8? {
        guard let ascii = character.asciiValue else { return nil }
        let folded = ascii >= 65 && ascii <= 90 ? ascii + 32 : ascii
        return alphabet.firstIndex(of: Character(UnicodeScalar(folded))).map(UInt8.init)
    }

    /// The characters of a row of symbols.
    public func text(of symbols: some Sequence<UInt8>) -> String {
        String(symbols.map { alphabet[Int($0)] })
    }
}
