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
        mapEnergies(of: place, symbolCount: symbolCount) { energy in
            var energy = energy
            energy.formLesser(ToneHistory.greatestEnergy)
            return energy
        }
    }

    /// What a table with a place for each of the history's steps says about these energies.
    func values(of place: Double, symbolCount: Int, in table: [Float]) -> [Float] {
        let table = table.span
        precondition(table.count == 256, "a byte has a place")
        return mapEnergies(of: place, symbolCount: symbolCount) { energy in
            let steps = ToneHistory.steps(of: energy)
            var values = SIMD8<Float>()
            for lane in 0..<8 { values[lane] = unsafe table[unchecked: Int(steps[lane])] }
            return values
        }
    }

    @inline(__always)
    private func mapEnergies(
        of place: Double, symbolCount: Int, _ transform: (SIMD8<Float>) -> SIMD8<Float>
    ) -> [Float] {
        let (base, shares, source) = (base(of: place, symbolCount: symbolCount), Shares(place), values.span)
        return unsafe [Float](unsafeUninitializedCapacity: 32 * symbolCount) { buffer, initializedCount in
            var target = unsafe buffer.mutableSpan
            for symbol in 0..<symbolCount {
                let row = base &+ 128 &* CoarseAcquisition.blocksPerSymbol &* symbol
                for tone in stride(from: 0, to: 32, by: 8) {
                    let energy = unsafe shares.sum(source, uncheckedAt: row &+ tone).power * shares.scale
                    unsafe target.setEight(uncheckedAt: 32 &* symbol &+ tone, transform(energy))
                }
            }
            initializedCount = 32 * symbolCount
        }
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
