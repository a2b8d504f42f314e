internal import RealModule

extension FrameDecoder {
    /// The same frame at the time and tempo at which its tones are strongest.
    ///
    /// A frame may be read rightly somewhat beside its place, at a tempo that makes up for it: what is searched for is any
    /// chirp. Once the word is known, so are the tones, and the sum of their amplitudes has one peak.
    mutating func placed(_ frame: DecodedFrame, _ recording: borrowing Recording) -> DecodedFrame {
        let place = strongest(frame.codeword, near: place(of: frame.hypothesis), recording)
        var result = frame
        result.hypothesis = hypothesis(place)
        result.hypothesis.tuningCents = frame.hypothesis.tuningCents
        result.endSample = result.hypothesis.startSample + 2 * halfFrame * place.stretch
        return result
    }

    /// Synchronisation from which on the tones of two known words are told apart by their strength first, and below which by
    /// the likelihood: of 90 chirps at −24 to −26 dB the strength took the wrong word for seven, the likelihood for none.
    private static let certainSynchronisation: Float = 80
    /// How many times the amplitude of one word's tones that of another's must be to be taken by it; where they are closer
    /// the likelihood decides here, too. Of 145 frames that were read wrongly at first the true word's was 1.075 times as
    /// great at least, of faint ones 0.998; that of a reading made of echoes 1.015 times the true word's.
    private static let plainlyStronger: Float = 1.03

    /// The better reading of a frame whose codeword is another one a symbol or two later or earlier, too.
    ///
    /// In noise that is the likelier one. Of loud tones half is as certain as the whole, and a search that came to rest
    /// between two tempi may have half of the start code and all but one of the others; but of two known words, each at its
    /// best place, the true one's tones are stronger. Where they are about as strong, by echoes or noise, the start code tells.
    mutating func betterOfShifted(_ frame: DecodedFrame, _ recording: borrowing Recording) -> DecodedFrame {
        let others = [1, 2, -1, -2].compactMap { shift in
            frame.codeword.codeword(symbolsLater: shift).map { (shift: shift, word: $0) }
        }
        guard !others.isEmpty else { return frame }
        return frame.synchronisation > Self.certainSynchronisation
            ? strongest(of: others, beside: frame, recording)
            : likeliest(of: others, beside: frame, recording)
    }

    /// The frame of greatest merit among one and the readings of other words so many symbols later.
    private mutating func likeliest(
        of others: [(shift: Int, word: Codeword)], beside frame: DecodedFrame, _ recording: borrowing Recording
    ) -> DecodedFrame {
        var best = frame
        for (shift, word) in others {
            let moved = place(of: frame.hypothesis, symbolsLater: shift)
            let there = strongest(word, near: moved, recording)
            let readings: [DecodedFrame?]
            if frame.hypothesis.isSearched {
                let tuning = frame.hasFreeTones ? nil : frame.hypothesis.tuningCents
                readings = [decode(recording, refining: there, tuning: tuning)]
            } else {
                // The frame itself may have been read most of a symbol beside its place.
                readings = [moved.middle, there.middle].map { decodeExact(recording, start: $0 - halfFrame) }
            }
            for case let other? in readings where other.codeword == word && other.merit > best.merit { best = other }
        }
        return best
    }

    /// The frame whose tones are plainly strongest among one and the readings of other words so many symbols later, or the
    /// likeliest of those that are about as strong as it.
    private mutating func strongest(
        of others: [(shift: Int, word: Codeword)], beside frame: DecodedFrame, _ recording: borrowing Recording
    ) -> DecodedFrame {
        let tuning = frame.hypothesis.tuningCents
        let here = strongest(frame.codeword, near: place(of: frame.hypothesis), recording)
        let own = level(of: frame.codeword, at: here, tuningCents: tuning, recording)
        var (best, most) = (frame, max(own.tuned, own.free))
        var close: [(shift: Int, word: Codeword)] = []
        for (shift, word) in others {
            let moved = place(of: frame.hypothesis, symbolsLater: shift)
            let there = strongest(word, near: moved, recording)
            let level = level(of: word, at: there, tuningCents: tuning, recording)
            let amplitude = max(level.tuned, level.free)
            guard amplitude > most * Self.plainlyStronger else {
                if amplitude > most / Self.plainlyStronger { close.append((shift, word)) }
                continue
            }
            let isTuned = level.tuned >= level.free
            let other = decode(recording, refining: there, tuning: isTuned ? tuning : nil)
            if let other, other.codeword == word { (best, most) = (other, amplitude) }
        }
        guard best.codeword == frame.codeword else { return best }
        return likeliest(of: close, beside: frame, recording)
    }

    /// Where a chirp of the same tempo is that begins so many symbols after one.
    private func place(of hypothesis: FrameHypothesis, symbolsLater shift: Int) -> FramePlace {
        var place = place(of: hypothesis)
        place.middle += Double(shift) * format.symbolSeconds * sampleRateHertz * place.stretch
        return place
    }

    /// The sum of the amplitudes of a codeword's tones, all off by as many cents, and each by its own. The former is the
    /// greater and clearer of noise, unless they are.
    private mutating func level(
        of codeword: Codeword, at place: FramePlace, tuningCents: Double, _ recording: borrowing Recording
    ) -> (tuned: Float, free: Float) {
        var hypothesis = hypothesis(place)
        hypothesis.tuningCents = tuningCents
        _ = weigh(recording, hypothesis)
        let tones = codeword.frame
        let tuned = tones.enumerated().reduce(Float(0)) { $0 + energies[32 * $1.offset + Int($1.element)].squareRoot() }
        return (tuned, spectra.amplitude(of: tones) / Float(transform.blockLength).squareRoot())
    }

    /// The place, within a symbol and 3 %, at which the tones of a codeword are strongest.
    private mutating func strongest(
        _ codeword: Codeword, near first: FramePlace, _ recording: borrowing Recording
    ) -> FramePlace {
        let symbolLength = format.symbolSeconds * sampleRateHertz
        let tones = codeword.frame
        var best = first
        var most = amplitude(of: tones, at: first, recording)
        for percent in -3...3 {
            for eighth in -8...8 {
                let place = FramePlace(
                    middle: first.middle + Double(eighth) * symbolLength / 8, stretch: 1 + 0.01 * Double(percent))
                let amplitude = amplitude(of: tones, at: place, recording)
                if amplitude > most { (most, best) = (amplitude, place) }
            }
        }
        return climb(
            from: best, steps: [(0.06, 0.004), (0.03, 0.002), (0.015, 0.001), (0.008, 0.0005), (0.004, 0.0003)]
        ) { $0.amplitude(of: tones, at: $1, recording) }
    }

    /// The sum of the amplitudes of a frame's tones, each at the strongest bin near its pitch.
    private mutating func amplitude(
        of tones: [UInt8], at place: FramePlace, _ recording: borrowing Recording
    ) -> Float {
        spectra.compute(recording, hypothesis: hypothesis(place), transform: &transform)
        return spectra.amplitude(of: tones)
    }
}
