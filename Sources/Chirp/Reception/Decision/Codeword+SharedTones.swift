extension Codeword {
    /// Shifts, in symbols, at which some words have another one: one in 32 for each symbol.
    static let ambiguousShifts = [1, 2, -1, -2]
    /// Symbols by which a frame may be read early or late and still look like one.
    static let readingShifts = -4...4
    /// Symbols after the preamble that a word shares with another one at most that is not made of its tones: at its own place, and at any other
    /// of these shifts.
    private static let maximumShared = (unshifted: 6, shifted: 8)

    /// Whether a word is made of the tones of another one, read a few symbols early or late: an echo, or noise, makes such words.
    func isMadeOfTones(of other: Codeword, in format: WireFormat) -> Bool {
        let (own, tones) = (format.frame(of: self), format.frame(of: other))
        return Self.readingShifts.contains { shift in
            let shared = (format.startCode.count..<format.frameSymbolCount).count {
                tones.indices.contains($0 + shift) && own[$0] == tones[$0 + shift]
            }
            return shared > (shift == 0 ? Self.maximumShared.unshifted : Self.maximumShared.shifted)
        }
    }
}
