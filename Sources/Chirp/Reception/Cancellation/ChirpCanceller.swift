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
        var buffer = [Float](repeating: 0, count: Int(fitLength) + 2)
        var (remaining, count) = (0.0, 0)
        for (symbol, pitch) in pitchesHertz.enumerated() {
            for part in 0..<Self.fitsPerSymbol {
                let index = symbol * Self.fitsPerSymbol + part
                let low = Int((timing.startSample + Double(index) * fitLength).rounded())
                let high = Int((timing.startSample + Double(index + 1) * fitLength).rounded())
                guard low >= ring.origin, high <= ring.horizon, high - low > 4 else { continue }
                var samples = buffer.mutableSpan
                ring.copy(low..<high, to: &samples, at: 0)
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
        let (turnCosine, turnSine) = (Float(Double.cos(step)), Float(Double.sin(step)))
        let first = -0.5 * step * Double(count - 1)
        let opening = (Float(Double.cos(first)), Float(Double.sin(first)))
        var (cosine, sine) = opening
        var (inPhase, quadrature, cosineEnergy): (Float, Float, Float) = (0, 0, 0)
        for index in 0..<count {
            let value = samples[index]
            inPhase += value * cosine
            quadrature += value * sine
            cosineEnergy += cosine * cosine
            (cosine, sine) = (cosine * turnCosine - sine * turnSine, sine * turnCosine + cosine * turnSine)
        }
        // About the middle of them cosine and sine are orthogonal.
        let sineEnergy = Float(count) - cosineEnergy
        let a = cosineEnergy > 0 ? inPhase / cosineEnergy : 0
        let b = sineEnergy > 0 ? quadrature / sineEnergy : 0
        (cosine, sine) = opening
        var rest: Float = 0
        for index in 0..<count {
            let value = samples[index] - a * cosine - b * sine
            samples[index] = value
            rest += value * value
            (cosine, sine) = (cosine * turnCosine - sine * turnSine, sine * turnCosine + cosine * turnSine)
        }
        return Double(rest)
    }
}
