internal import RealModule

/// Takes a decoded chirp out of the samples, so that what lies under it can be heard.
struct ChirpCanceller: Sendable {
    let format: WireFormat
    let sampleRateHertz: Double

    /// Blocks in which a tone's amplitude and phase are fitted apart, a symbol: few enough that little else is taken out
    /// with it, enough for edges and echoes.
    static let fitsPerSymbol = 8

    /// Power taken out and power left, over the frame.
    struct Outcome: Sendable {
        var removedPower: Double
        var remainingPower: Double
        /// Power that the fits take out of white noise, over the noise's power.
        var noiseShare: Double
    }

    /// Subtracts the tones of a frame, each with the amplitude and phase that fit best.
    ///
    /// - Parameters:
    ///   - samples: recorded samples, of which `sampleCount` are in use, the first of them being number `origin`.
    ///   - pitchesHertz: pitch of each of the twenty tones as heard.
    func cancel(
        _ samples: inout MutableSpan<Float>, count sampleCount: Int, origin: Int, hypothesis: FrameHypothesis,
        pitchesHertz: [Double]
    ) -> Outcome {
        let fitLength = format.symbolSeconds * sampleRateHertz * hypothesis.stretch / Double(Self.fitsPerSymbol)
        var (removed, remaining, count) = (0.0, 0.0, 0)
        for (symbol, pitch) in pitchesHertz.enumerated() {
            for part in 0..<Self.fitsPerSymbol {
                let index = symbol * Self.fitsPerSymbol + part
                let low = Int((hypothesis.startSample + Double(index) * fitLength).rounded()) - origin
                let high = Int((hypothesis.startSample + Double(index + 1) * fitLength).rounded()) - origin
                guard low >= 0, high <= sampleCount, high - low > 4 else { continue }
                let (before, after) = subtract(&samples, low..<high, pitchHertz: pitch)
                removed += before - after
                remaining += after
                count += high - low
            }
        }
        guard count > 0 else { return Outcome(removedPower: 0, remainingPower: 0, noiseShare: 0) }
        return Outcome(
            removedPower: removed / Double(count), remainingPower: remaining / Double(count),
            noiseShare: 2 / fitLength)
    }

    /// Subtracts the least-squares fit of one tone; gives the energy before and after.
    private func subtract(_ samples: inout MutableSpan<Float>, _ range: Range<Int>, pitchHertz: Double) -> (
        Double, Double
    ) {
        let step = 2 * Double.pi * pitchHertz / sampleRateHertz
        let middle = Double(range.lowerBound + range.upperBound - 1) / 2
        let (turnCosine, turnSine) = (Float(Double.cos(step)), Float(Double.sin(step)))
        let first = step * (Double(range.lowerBound) - middle)
        let opening = (Float(Double.cos(first)), Float(Double.sin(first)))
        var (cosine, sine) = opening
        var (energy, inPhase, quadrature, cosineEnergy): (Float, Float, Float, Float) = (0, 0, 0, 0)
        for index in range {
            let value = samples[index]
            energy += value * value
            inPhase += value * cosine
            quadrature += value * sine
            cosineEnergy += cosine * cosine
            (cosine, sine) = (cosine * turnCosine - sine * turnSine, sine * turnCosine + cosine * turnSine)
        }
        // About the middle of the range cosine and sine are orthogonal.
        let sineEnergy = Float(range.count) - cosineEnergy
        let a = cosineEnergy > 0 ? inPhase / cosineEnergy : 0
        let b = sineEnergy > 0 ? quadrature / sineEnergy : 0
        (cosine, sine) = opening
        var rest: Float = 0
        for index in range {
            let value = samples[index] - a * cosine - b * sine
            samples[index] = value
            rest += value * value
            (cosine, sine) = (cosine * turnCosine - sine * turnSine, sine * turnCosine + cosine * turnSine)
        }
        return (Double(energy), Double(rest))
    }
}
