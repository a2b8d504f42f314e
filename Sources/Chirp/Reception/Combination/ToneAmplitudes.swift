internal import RealModule

/// Correlations of the tones with some blocks in a row, and with their slopes, over the amplitude of a symbol's noise: what the energies in a
/// frame that begins at any time there are made of.
struct ToneAmplitudes: Sendable {
    /// The first block.
    let first: Int
    /// Real parts of the 32 tones, imaginary ones, and as much of the slopes, block by block.
    let values: [Float]
    let greatestEnergy: Float

    /// Sets the energies over the noise of the 32 tones in the symbols of a frame.
    func setEnergies(of place: Double, symbolCount: Int, in target: inout MutableSpan<Float>) {
        let block = place.rounded(.down)
        let share = Float(place - block)
        let base = 128 * (Int(block) - first)
        // The part of a block up to t is t of the level one and √3 t (t − 1) of the slope, of unit power each.
        let rise = 3 * share * share * (1 - share) * (1 - share)
        let slope = rise.squareRoot()
        // Four blocks of noise have the energy one.
        let scale = 4 / ((1 - share) * (1 - share) + 3 + share * share + 2 * rise)
        let source = values.span
        let end = base + 128 * (CoarseAcquisition.blocksPerSymbol * symbolCount + 1)
        precondition(base >= 0 && end <= source.count, "the blocks of the frame are there")
        precondition(32 * symbolCount <= target.count, "there is room for the energies")
        for symbol in 0..<symbolCount {
            let row = base &+ 128 &* CoarseAcquisition.blocksPerSymbol &* symbol
            for tone in stride(from: 0, to: 32, by: 8) {
                @inline(__always)
                func sum(_ lane: Int) -> SIMD8<Float> {
                    @inline(__always)
                    func at(_ offset: Int) -> SIMD8<Float> {
                        unsafe source.eight(uncheckedAt: row &+ lane &+ offset)
                    }
                    let edges = at(0) * (1 - share) + at(512) * share
                    return at(128) + at(256) + at(384) + edges + (at(64) - at(576)) * slope
                }
                let (re, im) = (sum(tone), sum(tone &+ 32))
                var energy = (re * re + im * im) * scale
                energy.formLesser(greatestEnergy)
                unsafe target.setEight(uncheckedAt: 32 &* symbol &+ tone, energy)
            }
        }
    }
}
