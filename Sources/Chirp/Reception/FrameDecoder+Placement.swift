internal import RealModule

extension FrameDecoder {
    /// The same frame at the time and tempo at which its tones are strongest.
    ///
    /// A frame may be read rightly somewhat beside its place, at a tempo that makes up for it: what is searched for is any
    /// chirp. Once the word is known, so are the tones, and the sum of their amplitudes has one peak.
    mutating func placed(_ frame: DecodedFrame, _ samples: Span<Float>, origin: Int) -> DecodedFrame {
        let place = strongest(frame.codeword, near: place(of: frame.hypothesis), samples, origin: origin)
        var result = frame
        result.hypothesis = hypothesis(place)
        result.hypothesis.tuningCents = frame.hypothesis.tuningCents
        result.endSample = result.hypothesis.startSample + 2 * halfFrame * place.stretch
        return result
    }

    /// The better reading of a frame whose codeword is another one a symbol later or earlier, too.
    ///
    /// In noise that is the likelier one. Of loud tones half is as certain as the whole, and a search that came to rest
    /// between two tempi may have half of the start code and all but one of the others; but of two known words, each at its
    /// best place, the true one's tones are stronger.
    mutating func betterOfShifted(_ frame: DecodedFrame, _ samples: Span<Float>, origin: Int) -> DecodedFrame {
        let isLoud = frame.synchronisation > Self.loudSynchronisation
        let own = place(of: frame.hypothesis)
        var best = frame
        for shift in [1, 2, -1, -2] {
            guard let word = frame.codeword.codeword(symbolsLater: shift) else { continue }
            let middle = own.middle + Double(shift) * format.symbolSeconds * sampleRateHertz * own.stretch
            let moved = FramePlace(middle: middle, stretch: own.stretch)
            let other: DecodedFrame?
            if isLoud || frame.hypothesis.isSearched {
                let tuning = frame.hypothesis.tuningCents
                var isTuned = true
                let there = strongest(word, near: moved, samples, origin: origin)
                if isLoud {
                    let here = strongest(frame.codeword, near: own, samples, origin: origin)
                    let moreThere = level(of: word, at: there, tuningCents: tuning, samples, origin: origin)
                    let moreHere = level(of: frame.codeword, at: here, tuningCents: tuning, samples, origin: origin)
                    guard max(moreThere.tuned, moreThere.free) > max(moreHere.tuned, moreHere.free) else { continue }
                    isTuned = moreThere.tuned >= moreThere.free
                }
                other = decode(samples, origin: origin, refining: there, tuning: isTuned ? tuning : nil)
            } else {
                other = decodeExact(samples, origin: origin, start: hypothesis(moved).startSample)
            }
            if let other, other.codeword == word, isLoud || other.merit > best.merit { best = other }
        }
        return best
    }

    /// The sum of the amplitudes of a codeword's tones, all off by as many cents, and each by its own. The former is the
    /// greater and clearer of noise, unless they are.
    private mutating func level(
        of codeword: Codeword, at place: FramePlace, tuningCents: Double, _ samples: Span<Float>, origin: Int
    ) -> (tuned: Float, free: Float) {
        var hypothesis = hypothesis(place)
        hypothesis.tuningCents = tuningCents
        _ = weigh(samples, origin: origin, hypothesis)
        let tones = codeword.frame
        let tuned = tones.enumerated().reduce(Float(0)) { $0 + energies[32 * $1.offset + Int($1.element)].squareRoot() }
        return (tuned, spectra.amplitude(of: tones) / Float(transform.blockLength).squareRoot())
    }

    /// The place, within a symbol and 3 %, at which the tones of a codeword are strongest.
    private mutating func strongest(
        _ codeword: Codeword, near first: FramePlace, _ samples: Span<Float>, origin: Int
    ) -> FramePlace {
        let symbolLength = format.symbolSeconds * sampleRateHertz
        let tones = codeword.frame
        var best = first
        var most = amplitude(of: tones, at: first, samples, origin: origin)
        for percent in -3...3 {
            for eighth in -8...8 {
                let place = FramePlace(
                    middle: first.middle + Double(eighth) * symbolLength / 8, stretch: 1 + 0.01 * Double(percent))
                let amplitude = amplitude(of: tones, at: place, samples, origin: origin)
                if amplitude > most { (most, best) = (amplitude, place) }
            }
        }
        return climb(
            from: best, steps: [(0.06, 0.004), (0.03, 0.002), (0.015, 0.001), (0.008, 0.0005), (0.004, 0.0003)]
        ) { $0.amplitude(of: tones, at: $1, samples, origin: origin) }
    }

    /// The sum of the amplitudes of a frame's tones, each at the strongest bin near its pitch.
    private mutating func amplitude(
        of tones: [UInt8], at place: FramePlace, _ samples: Span<Float>, origin: Int
    ) -> Float {
        spectra.compute(samples, origin: origin, hypothesis: hypothesis(place), transform: &transform)
        return spectra.amplitude(of: tones)
    }
}
