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
    ///
    /// Inlined up to where the first tone tells, as compilers copy the whole structure for a call.
    @inline(__always)
    func isHeldFrame(start: Int) -> Bool {
        // The floors of a time at which nothing of the frame had been received.
        let reference = start - Self.blocksPerSymbol - 1
        return reference >= 0 && hasPlainPreamble(start: start, floorAt: reference)
            && isHeld(start: start, floorAt: reference)
    }

    /// Whether this is so of what follows the preamble.
    @inline(never)
    private func isHeld(start: Int, floorAt reference: Int) -> Bool {
        let preambleCount = format.startCode.count
        func ratio(_ tone: UInt8, _ slot: Int) -> Float { coherent.ratio(of: tone, at: slot, floorAt: reference) }
        func strongest(_ slot: Int) -> UInt8 { coherent.strongestTone(at: slot, floorAt: reference) }
        let starts = Array(symbolStarts(of: start))
        let slots = Array(starts.dropFirst(preambleCount))
        let tone = strongest(slots[0])
        guard Codeword(symbols: [UInt8](repeating: tone, count: slots.count)) != nil else { return false }
        let levels = slots.map { ratio(tone, $0) }
        let level = levels.median
        let outside = starts.prefix(preambleCount) + [slots[slots.count - 1] + Self.heldToneDelay]
        return level > FramePlausibility.coherent.loud && levels.allSatisfy { $0 > Self.steadyShare * level }
            && slots.allSatisfy { strongest($0) == tone }
            && outside.allSatisfy { ratio(tone, $0) < Self.endedShare * level }
    }

    /// Symbols after the preamble from which on a frame that is still being received is told from a few tones.
    private static let fewestSymbolsUnderway = 6
    /// Share of them that are audible at least.
    private static let audibleShare = 0.8

    /// Whether a frame begins with block `start` of which only the first symbols may have been received: a plain preamble, whose tones last
    /// a symbol each, and audible symbols ever since.
    func isFrameUnderway(start: Int) -> Bool {
        let preambleCount = format.startCode.count
        let reference = start - Self.blocksPerSymbol - 1
        guard reference >= 0, hasPlainPreamble(start: start, floorAt: reference) else { return false }
        let slots = symbolStarts(of: start).filter { $0 + Self.blocksPerSymbol <= blockCount }
        guard slots.count >= preambleCount + Self.fewestSymbolsUnderway else { return false }
        func ratio(_ tone: UInt8, _ slot: Int) -> Float { coherent.ratio(of: tone, at: slot, floorAt: reference) }
        // Tones of another format's longer symbols are held beyond those of this one.
        let (first, last) = (format.startCode[0], format.startCode[preambleCount - 1])
        guard ratio(first, start - Self.blocksPerSymbol) < Self.endedShare * ratio(first, start),
            ratio(last, slots[preambleCount]) < Self.endedShare * ratio(last, slots[preambleCount - 1])
        else { return false }
        let audible = slots.count { slot in
            let tone = coherent.strongestTone(at: slot, floorAt: reference)
            return ratio(tone, slot) > FramePlausibility.coherent.audible
        }
        return Double(audible) >= Self.audibleShare * Double(slots.count)
    }

    /// Symbol starts whose mean is a floor by which loud tones are told.
    private static let fewestHeardStarts = 12

    /// Whether a loud frame that begins later than with block `start` has not ended: by the floors of now, or, while they are not settled, by the
    /// noise before it.
    func isPlainFrameToCome(start: Int) -> Bool {
        let starts = symbolStarts(of: start)
        guard !floorsAreSettled else {
            return isPlainlyToCome(starts.map { coherent.greatestRatio(at: $0) }, start: start)
        }
        guard coherent.noiseFloors.heardCount(before: start) >= Self.fewestHeardStarts else { return false }
        let ratios = starts.map {
            coherent.ratio(of: coherent.strongestTone(at: $0, floorAt: start), at: $0, floorAt: start)
        }
        return isPlainlyToCome(ratios, start: start)
    }

    /// How many times stronger the tones of a loud frame are a block later where it plainly begins later.
    private static let risingShare: Float = 1.5

    /// Whether the loud tones of the frame that begins with block `start` will plainly be stronger a block later: those of the preamble and of
    /// the last symbol but one, whose later places have been received, are.
    ///
    /// A loud chirp is read with certainty as soon as a third of each tone is there, but only by a long search.
    func isRising(start: Int) -> Bool {
        func rises(_ tone: UInt8, _ slot: Int) -> Bool {
            let later = coherent.ratio(of: tone, at: slot + 1, floorAt: start)
            return later > FramePlausibility.coherent.loud
                && later > Self.risingShare * coherent.ratio(of: tone, at: slot, floorAt: start)
        }
        let last = start + (format.frameSymbolCount - 2) * Self.blocksPerSymbol
        return preamble(at: start).allSatisfy { rises($0, $1) }
            && rises(coherent.strongestTone(at: last + 1, floorAt: start), last)
    }

    /// Whether only the first symbols of a loud frame have been received, or after symbols that are not loud a plain preamble begins.
    ///
    /// - Parameter ratios: of the strongest tone of each symbol to its floor.
    private func isPlainlyToCome(_ ratios: [Float], start: Int) -> Bool {
        FramePlausibility.coherent.isStillToCome(ratios)
            || preambleFollows(ratios, of: .coherent, from: start) { hasPlainPreamble(start: $0, floorAt: start) }
    }

    /// Whether the tones of the preamble are loud, the strongest of their symbols, and stronger than a block earlier or later.
    @inline(__always)
    private func hasPlainPreamble(start: Int, floorAt reference: Int) -> Bool {
        // Hardly any place has more than noise in the place of the first tone.
        coherent.ratio(of: format.startCode[0], at: start, floorAt: reference) > FramePlausibility.coherent.loud
            && hasLoudestPreamble(start: start, floorAt: reference)
    }

    @inline(never)
    private func hasLoudestPreamble(start: Int, floorAt reference: Int) -> Bool {
        let isLoudest = preamble(at: start).allSatisfy { tone, slot in
            coherent.ratio(of: tone, at: slot, floorAt: reference) > FramePlausibility.coherent.loud
                && coherent.strongestTone(at: slot, floorAt: reference) == tone
        }
        func level(_ start: Int) -> Float {
            preamble(at: start).reduce(0) { $0 + coherent.ratio(of: $1.0, at: $1.1, floorAt: reference) }
        }
        return isLoudest && level(start - 1) <= level(start) && level(start + 1) <= level(start)
    }
}
