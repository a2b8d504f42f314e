extension CoarseAcquisition {
    /// Blocks after the end of a frame at which a tone that is held through it can be told from one that goes on.
    static let heldToneDelay = 2
    /// Share of its level that a tone has at most where it has not begun, and where it has half ended.
    private static let endedShare: Float = 0.6
    /// How unlike the energies of one held tone are at most.
    private static let steadyShare: Float = 0.25

    /// Whether the frame whose first symbol starts with block `start` is a plain preamble followed by one tone that begins with the third
    /// symbol and ends with the last.
    ///
    /// The word of eighteen zeros is a codeword, that of the code 0000000000. Elsewhere a tone that goes on counts as an echo or a held note
    /// (``SoftFrame``), so that nothing of such a frame is left; here its beginning and its end tell it from one.
    func isHeldFrame(start: Int) -> Bool {
        let opening = format.startCode.count
        // The floors of a time at which nothing of the frame had been received.
        let reference = start - Self.blocksPerSymbol - 1
        guard reference >= 0 else { return false }
        func ratio(_ tone: UInt8, _ slot: Int) -> Float { coherent.ratio(of: tone, at: slot, floorAt: reference) }
        func strongest(_ slot: Int) -> UInt8 { coherent.strongestTone(at: slot, floorAt: reference) }
        func preamble(_ start: Int) -> [Float] {
            format.startCode.enumerated().map { ratio($0.element, start + $0.offset * Self.blocksPerSymbol) }
        }
        let own = preamble(start)
        let hasPreamble =
            own.allSatisfy { $0 > LoudnessProfile.coherent.loud }
            && format.startCode.enumerated().allSatisfy {
                strongest(start + $0.offset * Self.blocksPerSymbol) == $0.element
            }
            && [start - 1, start + 1].allSatisfy { preamble($0).reduce(0, +) <= own.reduce(0, +) }
        guard hasPreamble else { return false }
        let slots = (opening..<format.frameSymbolCount).map { start + $0 * Self.blocksPerSymbol }
        let tone = strongest(slots[0])
        guard Codeword(symbols: [UInt8](repeating: tone, count: slots.count)) != nil else { return false }
        let levels = slots.map { ratio(tone, $0) }.sorted()
        let level = levels[levels.count / 2]
        let outside =
            (0..<opening).map { start + $0 * Self.blocksPerSymbol } + [slots[slots.count - 1] + Self.heldToneDelay]
        return level > LoudnessProfile.coherent.loud && levels[0] > Self.steadyShare * level
            && slots.allSatisfy { strongest($0) == tone }
            && outside.allSatisfy { ratio(tone, $0) < Self.endedShare * level }
    }
}
