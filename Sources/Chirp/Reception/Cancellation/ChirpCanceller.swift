internal import RealModule

/// Takes a decoded chirp out of the samples, so that what lies under it can be heard.
struct ChirpCanceller: Sendable {
    let format: WireFormat
    let sampleRateHertz: Double

    /// Blocks in which a tone's amplitude and phase are fitted apart, a symbol: few enough that little else is taken out
    /// with it, enough for edges and echoes.
    static let fitsPerSymbol = 8

    /// What was left of the sound.
    struct Outcome: Sendable {
        /// Power left inside the symbols: at their edges, where two tones meet, something of the chirp stays.
        var remainingPower: Double
        /// Power that the fits take out of white noise, over the noise's power.
        var noiseShare: Double
    }

    /// Subtracts the tones of a frame, each with the amplitude and phase that fit best.
    ///
    /// - Parameters:
    ///   - pitchesHertz: pitch of each of the twenty tones as heard.
    func cancel(_ ring: inout SampleRing, timing: FrameTiming, pitchesHertz: [Double]) -> Outcome {
        let fitLength = format.symbolSeconds * sampleRateHertz * timing.periodRatio / Double(Self.fitsPerSymbol)
        var buffer = [Float](repeating: 0, count: Int(fitLength) + 2 + 7)
        var (remaining, count) = (0.0, 0)
        for (symbol, pitch) in pitchesHertz.enumerated() {
            for part in 0..<Self.fitsPerSymbol {
                let index = symbol * Self.fitsPerSymbol + part
                let low = Int((timing.startSample + Double(index) * fitLength).rounded())
                let high = Int((timing.startSample + Double(index + 1) * fitLength).rounded())
                guard low >= ring.origin, high <= ring.horizon, high - low > 4 else { continue }
                var samples = buffer.mutableSpan
                ring.copy(low..<high, to: &samples, at: 0)
                samples.clear(high - low..<samples.count)
                let rest = subtract(&samples, count: high - low, pitchHertz: pitch)
                ring.replace(from: low, by: samples.span.extracting(..<(high - low)))
                guard part > 0, part < Self.fitsPerSymbol - 1 else { continue }
                remaining += rest
                count += high - low
            }
        }
        guard count > 0 else { return Outcome(remainingPower: 0, noiseShare: 0) }
        return Outcome(remainingPower: remaining / Double(count), noiseShare: 2 / fitLength)
    }

    /// Subtracts the least-squares fit of one tone from the first samples; gives the energy that is left.
    private func subtract(_ samples: inout MutableSpan<Float>, count: Int, pitchHertz: Double) -> Double {
        let step = 2 * Double.pi * pitchHertz / sampleRateHertz
        let tone = EightPhasors(angle: -0.5 * step * Double(count - 1), step: step)
        var phasors = tone
        var (inPhase, quadrature, cosineEnergy) = (SIMD8<Float>(), SIMD8<Float>(), SIMD8<Float>())
        // The last samples are less than eight: zeros follow them.
        for index in stride(from: 0, to: count, by: 8) {
            let values = samples.span.eight(at: index)
            let cosines = index + 8 <= count ? phasors.cosines : phasors.cosines.prefix(count - index)
            inPhase += values * cosines
            quadrature += values * phasors.sines
            cosineEnergy += cosines * cosines
            phasors.advance()
        }
        // About the middle of them cosine and sine are orthogonal.
        let sineEnergy = Float(count) - cosineEnergy.total
        let a = cosineEnergy.total > 0 ? inPhase.total / cosineEnergy.total : 0
        let b = sineEnergy > 0 ? quadrature.total / sineEnergy : 0
        phasors = tone
        var rest = SIMD8<Float>()
        for index in stride(from: 0, to: count, by: 8) {
            var values = samples.span.eight(at: index) - a * phasors.cosines - b * phasors.sines
            samples.setEight(at: index, values)
            if index + 8 > count { values = values.prefix(count - index) }
            rest += values * values
            phasors.advance()
        }
        return Double(rest.total)
    }
}

/// A tone's cosines and sines at eight samples in a row, and then at the eight after them.
private struct EightPhasors {
    private(set) var cosines = SIMD8<Float>()
    private(set) var sines = SIMD8<Float>()
    private let turnCosine: Float
    private let turnSine: Float

    /// - Parameters:
    ///   - angle: at the first sample, in radians.
    ///   - step: from one sample to the next.
    init(angle: Double, step: Double) {
        for lane in 0..<8 {
            cosines[lane] = Float(Double.cos(angle + Double(lane) * step))
            sines[lane] = Float(Double.sin(angle + Double(lane) * step))
        }
        turnCosine = Float(Double.cos(8 * step))
        turnSine = Float(Double.sin(8 * step))
    }

    @inline(__always)
    mutating func advance() {
        (cosines, sines) = (
            cosines * turnCosine - sines * turnSine, sines * turnCosine + cosines * turnSine
        )
    }
}

extension SIMD8<Float> {
    /// The first elements, and zeros in the place of the others.
    fileprivate func prefix(_ count: Int) -> Self {
        var result = self
        for lane in count..<8 { result[lane] = 0 }
        return result
    }
}
