internal import RealModule

/// The constants of a chirp on the air, given to the sender and to the receiver alike.
///
/// Everything else (tone pitches, symbol edges, frame length, code parameters) is computed from this value; no constant
/// of the format is written anywhere else.
public struct WireFormat: Sendable, Hashable {
    /// The characters, in the order of the symbols they stand for: index 0–31 is the element of GF(32).
    public let alphabet: [Character]
    /// Pitch of symbol 0.
    public let basePitchHertz: Double
    /// Ratio between the pitches of neighbouring symbols.
    public let pitchRatio: Double
    /// Length of one symbol. Symbols follow each other without a gap.
    public let symbolSeconds: Double
    /// The symbols that open every frame.
    public let startCode: [UInt8]
    /// Number of data symbols after the start code.
    public let dataSymbolCount: Int
    /// Number of parity symbols after the data.
    public let paritySymbolCount: Int

    /// The format of the original 2012 service: 32 semitones from A6 up, twenty symbols of 87.2 ms a frame.
    public static let original = WireFormat(
        alphabet: Array("0123456789abcdefghijklmnopqrstuv"),
        basePitchHertz: 1760,
        pitchRatio: Double.pow(2, 1.0 / 12),
        symbolSeconds: 0.0872,
        startCode: [17, 19],
        dataSymbolCount: 10,
        paritySymbolCount: 8)

    /// The format as it sounds when a recording of it is played at another speed, and tuned differently on top of that.
    ///
    /// - Parameters:
    ///   - speed: 1 for none; more is faster, and higher in proportion.
    ///   - tuningCents: cents by which every pitch lies higher still.
    package func played(speed: Double = 1, tuningCents: Double = 0) -> WireFormat {
        WireFormat(
            alphabet: alphabet, basePitchHertz: basePitchHertz * speed * Double.exp2(tuningCents / 1200),
            pitchRatio: pitchRatio, symbolSeconds: symbolSeconds / speed, startCode: startCode,
            dataSymbolCount: dataSymbolCount, paritySymbolCount: paritySymbolCount)
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
        basePitchHertz * Double.pow(pitchRatio, Int(symbol))
    }

    /// Pitch of the highest tone: a sound that carries every symbol is sampled at more than twice this rate.
    public var highestPitchHertz: Double { pitchHertz(of: UInt8(toneCount - 1)) }
    /// The frequencies that the tones take up and a semitone more on either side.
    var bandHertz: ClosedRange<Double> { basePitchHertz / 1.06...highestPitchHertz * 1.06 }

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
