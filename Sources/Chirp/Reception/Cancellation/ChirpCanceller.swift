internal import RealModule

/// Takes a decoded chirp out of the samples, so that what lies under it can be heard.
struct ChirpCanceller: Sendable {
    let format: WireFormat
    let sampleRateHertz: Double

    /// Blocks in which a tone's amplitude and phase are fitted apart, a symbol: few enough that little else is taken out
    /// with it, enough for edges and echoes.
    static let fitsPerSymbol = 8

    /// Subtracts the tones of a frame, each with the amplitude and phase that fit best.
    ///
    /// - Parameters:
    ///   - pitchesHertz: pitch of each of the twenty tones as heard.
    /// - Returns: power of the noise, by what is left inside the symbols: at their edges, where two tones meet, something of the chirp
    ///   stays. Zero where nothing of it is there.
    func cancel(_ ring: inout SampleRing, timing: FrameTiming, pitchesHertz: [Double]) -> Double {
        let fitLength = format.symbolSeconds * sampleRateHertz * timing.periodRatio / Double(Self.fitsPerSymbol)
        let edges = (0...Self.fitsPerSymbol * pitchesHertz.count).map {
            Int((timing.startSample + Double($0) * fitLength).rounded())
        }
        var buffer = [Float](repeating: 0, count: Int(fitLength) + 2 + 7)
        // What is there of a frame lies in a row.
        var rest: [Float] = []
        rest.reserveCapacity(edges[edges.count - 1] - edges[0])
        var first: Int?
        var (remaining, count) = (0.0, 0)
        for (symbol, pitch) in pitchesHertz.enumerated() {
            // Parts of a symbol differ in length by one sample at most.
            var waves: [ToneWave] = []
            for part in 0..<Self.fitsPerSymbol {
                let index = symbol * Self.fitsPerSymbol + part
                let (low, high) = (edges[index], edges[index + 1])
                guard low >= ring.origin, high <= ring.horizon else { continue }
                var samples = buffer.mutableSpan
                ring.copy(low..<high, to: &samples, at: 0)
                samples.clear(high - low..<samples.count)
                let known = waves.firstIndex { $0.count == high - low }
                if known == nil {
                    waves.append(ToneWave(step: 2 * Double.pi * pitch / sampleRateHertz, count: high - low))
                }
                let energy = Self.subtract(waves[known ?? waves.count - 1], from: &samples)
                first = first ?? low
                rest.append(contentsOf: buffer[..<(high - low)])
                guard part > 0, part < Self.fitsPerSymbol - 1 else { continue }
                remaining += energy
                count += high - low
            }
        }
        if let first { ring.replace(from: first, by: rest) }
        // Each fit takes two of its samples' worth of the noise with it.
        return count > 0 ? remaining / Double(count) / (1 - 2 / fitLength) : 0
    }

    /// Subtracts the least-squares fit of one tone from the first samples, behind which there are zeros; gives the energy that is left.
    private static func subtract(_ wave: ToneWave, from samples: inout MutableSpan<Float>) -> Double {
        let groups = wave.values.span
        precondition(samples.count >= 8 * groups.count, "there are as many samples")
        var sum = ComplexLanes()
        for group in 0..<groups.count {
            unsafe sum += groups[unchecked: group] * samples.span.eight(uncheckedAt: 8 &* group)
        }
        // About the middle of them cosine and sine are orthogonal.
        let a = wave.cosineEnergy > 0 ? sum.real.total / wave.cosineEnergy : 0
        let b = wave.sineEnergy > 0 ? sum.imaginary.total / wave.sineEnergy : 0
        var rest = SIMD8<Float>()
        for group in 0..<groups.count {
            let wave = unsafe groups[unchecked: group]
            let fit = a * wave.real + b * wave.imaginary
            let values = unsafe samples.span.eight(uncheckedAt: 8 &* group) - fit
            unsafe samples.setEight(uncheckedAt: 8 &* group, values)
            rest += values * values
        }
        return Double(rest.total)
    }
}
