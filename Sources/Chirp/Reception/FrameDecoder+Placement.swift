internal import RealModule

extension FrameDecoder {
    /// The same frame at the time and tempo at which its tones are strongest.
    ///
    /// A frame may be read rightly somewhat beside its place, at a tempo that makes up for it: what is searched for is any
    /// chirp. Once the word is known, so are the tones, and the sum of their amplitudes has one peak.
    mutating func placed(_ frame: DecodedFrame, _ samples: Span<Float>, origin: Int) -> DecodedFrame {
        let symbolLength = format.symbolSeconds * sampleRateHertz
        let tones = frame.codeword.frame
        let found = place(of: frame.hypothesis)
        var best = found
        var most = amplitude(of: tones, at: found, samples, origin: origin)
        for percent in -3...3 {
            for eighth in -8...8 {
                let place = FramePlace(
                    middle: found.middle + Double(eighth) * symbolLength / 8, stretch: 1 + 0.01 * Double(percent))
                let amplitude = amplitude(of: tones, at: place, samples, origin: origin)
                if amplitude > most { (most, best) = (amplitude, place) }
            }
        }
        best = climb(
            from: best, steps: [(0.06, 0.004), (0.03, 0.002), (0.015, 0.001), (0.008, 0.0005), (0.004, 0.0003)]
        ) { $0.amplitude(of: tones, at: $1, samples, origin: origin) }
        var result = frame
        let tuning = frame.hypothesis.tuningCents
        result.hypothesis = hypothesis(best)
        result.hypothesis.tuningCents = tuning
        result.endSample = result.hypothesis.startSample + 2 * halfFrame * best.stretch
        return result
    }

    /// The sum of the amplitudes of a frame's tones, each at the strongest bin near its pitch.
    private mutating func amplitude(
        of tones: [UInt8], at place: FramePlace, _ samples: Span<Float>, origin: Int
    ) -> Float {
        spectra.compute(samples, origin: origin, hypothesis: hypothesis(place), transform: &transform)
        return spectra.amplitude(of: tones)
    }
}
