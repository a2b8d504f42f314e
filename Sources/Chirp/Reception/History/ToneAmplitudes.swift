internal import RealModule

/// Correlations of the tones with some blocks in a row, and with their slopes, over the amplitude of a symbol's noise: what the energies in a
/// frame that begins at any time there are made of.
struct ToneAmplitudes: Sendable {
    /// The first block.
    let first: Int
    /// Real parts of the 32 tones, imaginary ones, and as much of the slopes, block by block.
    let values: [Float]

    /// How much the blocks of a symbol count that begins between two of them.
    private struct Shares {
        let edge: Float
        let slope: Float
        /// What energies are multiplied by, so that those of noise are one.
        let scale: Float

        init(_ place: Double) {
            edge = Float(place - place.rounded(.down))
            // The part of a block up to t is t of the level one and √3 t (t − 1) of the slope, of unit power each.
            let rise = 3 * edge * edge * (1 - edge) * (1 - edge)
            slope = rise.squareRoot()
            // Four blocks of noise have the energy one.
            scale = 4 / ((1 - edge) * (1 - edge) + 3 + edge * edge + 2 * rise)
        }

        /// The correlations of eight tones with a symbol, from the place in its first block on.
        @unsafe @inline(__always)
        func sum(_ source: Span<Float>, uncheckedAt index: Int) -> ComplexLanes {
            @inline(__always)
            func at(_ offset: Int) -> ComplexLanes {
                unsafe ComplexLanes(
                    source.eight(uncheckedAt: index &+ offset), source.eight(uncheckedAt: index &+ offset &+ 32))
            }
            let edges = at(0) * (1 - edge) + at(512) * edge
            return at(128) + at(256) + at(384) + edges + (at(64) - at(576)) * slope
        }
    }

    /// Where the correlations of a frame begin.
    private func base(of place: Double, symbolCount: Int) -> Int {
        let base = 128 * (Int(place.rounded(.down)) - first)
        let end = base + 128 * (CoarseAcquisition.blocksPerSymbol * symbolCount + 1)
        precondition(base >= 0 && end <= values.count, "the blocks of the frame are there")
        return base
    }

    /// The energies over the noise of the 32 tones in the symbols of a frame.
    func energies(of place: Double, symbolCount: Int) -> [Float] {
        let (base, shares, source) = (base(of: place, symbolCount: symbolCount), Shares(place), values.span)
        var energies = [Float](repeating: 0, count: 32 * symbolCount)
        var target = energies.mutableSpan
        for symbol in 0..<symbolCount {
            let row = base &+ 128 &* CoarseAcquisition.blocksPerSymbol &* symbol
            for tone in stride(from: 0, to: 32, by: 8) {
                var energy = unsafe shares.sum(source, uncheckedAt: row &+ tone).power * shares.scale
                energy.formLesser(ToneHistory.greatestEnergy)
                unsafe target.setEight(uncheckedAt: 32 &* symbol &+ tone, energy)
            }
        }
        return energies
    }

    /// The correlations of the 32 tones in the symbols of a frame, over the amplitude of the noise.
    func correlations(of place: Double, symbolCount: Int) -> TonePhasors {
        let (base, shares, source) = (base(of: place, symbolCount: symbolCount), Shares(place), values.span)
        var sums = TonePhasors(symbolCount: symbolCount)
        let scale = shares.scale.squareRoot()
        for symbol in 0..<symbolCount {
            let row = base &+ 128 &* CoarseAcquisition.blocksPerSymbol &* symbol
            for lane in 0..<4 {
                sums.values[4 &* symbol &+ lane] = unsafe shares.sum(source, uncheckedAt: row &+ 8 &* lane) * scale
            }
        }
        return sums
    }
}
