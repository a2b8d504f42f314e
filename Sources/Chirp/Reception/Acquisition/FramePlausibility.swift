/// What tells a loud frame from one that is still to come, of which only the first symbols have been received.
struct FramePlausibility: Sendable {
    /// Ratio to the noise that the strongest tone of a symbol hardly ever has in noise.
    var audible: Float
    /// Ratio that plainly is a tone's.
    var loud: Float
    /// Symbols that may be missing of a loud frame whose preamble is missing, too.
    var maximumMissingSymbols: Int

    /// For coherent tones: the strongest of 32 has more than ``audible`` in one of 700 symbols of noise.
    static let coherent = FramePlausibility(audible: 10, loud: 30, maximumMissingSymbols: 4)
    /// For the strongest of all bins near tones, in powers that are added up.
    static let noncoherent = FramePlausibility(audible: 6, loud: 14, maximumMissingSymbols: 2)

    /// Whether twenty symbols of which the strongest tones have these ratios may be a frame.
    func allowsFrame(_ ratios: [Float], hasPreamble: Bool) -> Bool {
        let hasAudiblePreamble = hasPreamble && ratios.prefix(2).allSatisfy { $0 > audible }
        guard hasAudiblePreamble || !isStillToCome(ratios) else { return false }
        let isPlain = ratios.sorted()[ratios.count * 3 / 4] > loud
        return hasPreamble || !isPlain || ratios.count { $0 < audible } <= maximumMissingSymbols
    }

    /// Whether a loud chirp has not ended with these symbols: what begins before it ends with its first symbols, all of them loud, and has noise
    /// before them, in which a preamble may be seen.
    func isStillToCome(_ ratios: [Float]) -> Bool {
        let tail = ratios.reversed().prefix { $0 > audible }
        guard !tail.isEmpty, tail.count < ratios.count - maximumMissingSymbols, tail.median > loud
        else { return false }
        return ratios.dropLast(tail.count).count { $0 > audible } <= 2
    }
}
