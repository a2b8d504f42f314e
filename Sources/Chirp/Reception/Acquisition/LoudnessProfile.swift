/// What tells a loud frame from one that is still to come, of which only the first symbols have been received.
struct LoudnessProfile: Sendable {
    /// Ratio to the noise that the strongest tone of a symbol hardly ever has in noise.
    var audible: Float
    /// Ratio that plainly is a tone's.
    var loud: Float
    /// Symbols that may be missing of a loud frame whose preamble is missing, too.
    var mostAbsent: Int

    /// For coherent tones: the strongest of 32 has more than ``audible`` in one of 700 symbols of noise.
    static let coherent = LoudnessProfile(audible: 10, loud: 30, mostAbsent: 4)
    /// For the strongest of all bins near tones, in powers that are added up.
    static let noncoherent = LoudnessProfile(audible: 6, loud: 14, mostAbsent: 2)

    /// Whether twenty symbols of which the strongest tones have these ratios may be a frame.
    ///
    /// What begins before a loud chirp ends with that chirp's first symbols, all of them loud, and has noise before them.
    func allowsFrame(_ ratios: [Float], hasPreamble: Bool) -> Bool {
        if hasPreamble { return true }
        let tail = ratios.reversed().prefix { $0 > loud }.count
        let isSteep = tail >= 2 && ratios.dropLast(tail).count { $0 > audible } <= 2
        guard tail < ratios.count - mostAbsent, isSteep else {
            let isPlain = ratios.sorted()[ratios.count * 3 / 4] > loud
            return !isPlain || ratios.count { $0 < audible } <= mostAbsent
        }
        return false
    }
}
