internal import RealModule

extension FrameDecoder {
    /// The same frame at the time and tempo at which its tones are strongest.
    ///
    /// A frame may be read rightly somewhat beside its place, at a tempo that makes up for it: what is searched for is any
    /// chirp. Once the word is known, so are the tones, and the sum of their energies has one peak.
    mutating func withRefinedTiming(_ frame: DecodedFrame, _ samples: borrowing SampleRing) -> DecodedFrame {
        withRefinedTiming(frame, in: observe(samples, frame.timing), samples)
    }

    /// As much, by the spectra at hand, which are those at the frame's timing, and the soft frame that was made of them.
    mutating func withRefinedTiming(
        _ frame: DecodedFrame, in soft: SoftFrame, _ samples: borrowing SampleRing
    ) -> DecodedFrame {
        var result = frame
        let place = strongestPlace(
            of: frame.codeword, near: frame.timing, within: frame.isPlain ? .half : .whole, in: soft, samples)
        result.timing = place.timing
        if frame.isPlain {
            result.toneEnergy = soft.toneEnergy(format.frame(of: frame.codeword))
            result.details = details(ofPlain: result, in: soft, place.correlator)
        }
        result.endSample = result.timing.startSample + frameSamples * result.timing.periodRatio
        result.isRefined = true
        return result
    }

    /// Frame likelihood ratio from which on the tones of two known words are told apart by their strength first, and below which by
    /// the likelihood.
    private static let certainFrameLLR: Float = 80
    /// How many times the amplitude of one word's tones that of another's must be to be taken by it; where they are closer
    /// the likelihood decides here, too.
    private static let plainlyStronger: Float = 1.03
    /// Energy of a tone, as a share of the median of its word's, from which on it is heard.
    private static let heardShare: Float = 0.1

    /// The better reading of a frame whose codeword is another one a symbol or two later or earlier, too; the frame itself where it is plain,
    /// at its own place or at the refined one.
    ///
    /// In noise that is the likelier one. Of loud tones half is as certain as the whole, and a search that came to rest
    /// between two tempi may have half of the preamble and all but one of the others; but of two known words, each at its
    /// best place, the true one's tones are stronger. Where they are about as strong, by echoes or noise, the preamble tells.
    mutating func resolvingShiftAmbiguity(
        _ frame: DecodedFrame, _ samples: borrowing SampleRing, _ context: ReceptionContext
    ) -> DecodedFrame {
        let words = Codeword.ambiguousShifts.compactMap { shift in
            frame.codeword.codeword(symbolsLater: shift).map { (shift: shift, word: $0) }
        }.filter { $0.word != frame.codeword }
        guard !words.isEmpty, !frame.isPlain else { return frame }
        // At its own place and tempo it may be plain.
        guard !frame.isRefined || !isPlain(frame, in: observe(samples, frame.timing)) else { return frame }
        var others: [ShiftedWord] = []
        for (shift, word) in words {
            let moved = frame.timing.later(bySamples: Double(shift) * symbolSamples * frame.timing.periodRatio)
            others.append((shift, word, strongestTiming(of: word, near: moved, samples)))
        }
        return frame.features.frameLLR > Self.certainFrameLLR
            ? strongest(of: others, beside: frame, samples, context)
            : likeliest(of: others, beside: frame, samples, context)
    }

    /// Another word that a frame may be, so many symbols later, and the timing at which its tones are strongest there.
    private typealias ShiftedWord = (shift: Int, word: Codeword, timing: FrameTiming)

    /// The likeliest among one frame and the readings of other words.
    @inline(never)
    private mutating func likeliest(
        of others: [ShiftedWord], beside frame: DecodedFrame, _ samples: borrowing SampleRing,
        _ context: ReceptionContext
    ) -> DecodedFrame {
        var best = frame
        for candidate in others {
            guard let other = read(candidate, hasFreeTones: frame.hasFreeTones, samples, context) else { continue }
            // How much later it begins than the best one, which is this frame only at first, its place tells.
            let later = Int(((other.timing.startSample - best.timing.startSample) / symbolSamples).rounded())
            if isLikelier(other, symbolsLater: later, than: best, samples) { best = other }
        }
        return best
    }

    /// Whether one of two readings of the same tones, of words that are so many symbols apart, fits better.
    ///
    /// Where the start code of the earlier one would have been before the first sample, what was not recorded counts for neither: they differ in
    /// whether the last tones were heard.
    @inline(never)
    private mutating func isLikelier(
        _ reading: DecodedFrame, symbolsLater shift: Int, than other: DecodedFrame, _ samples: borrowing SampleRing
    ) -> Bool {
        let earlier = shift > 0 ? other.timing : reading.timing
        let lost = Int((0.5 - earlier.startSample / (symbolSamples * earlier.periodRatio)).rounded())
        guard lost >= format.startCode.count else { return reading.rankingScore > other.rankingScore }
        return heardLLR(of: reading, from: lost - max(0, shift), samples)
            > heardLLR(of: other, from: lost + min(0, shift), samples)
    }

    /// Logarithm of how many times likelier a frame's word makes its symbols, from one on, than noise.
    private mutating func heardLLR(
        of frame: DecodedFrame, from first: Int, _ samples: borrowing SampleRing
    ) -> Float {
        let soft = observe(samples, frame.timing, hasFreeTones: frame.hasFreeTones)
        return soft.logLikelihoods(of: format.frame(of: frame.codeword)).dropFirst(max(0, first)).reduce(0, +)
    }

    /// The frame whose tones are plainly strongest among one and the readings of other words, or of those that are about as strong as it one
    /// whose last tone was heard, or the likeliest.
    private mutating func strongest(
        of others: [ShiftedWord], beside frame: DecodedFrame, _ samples: borrowing SampleRing,
        _ context: ReceptionContext
    ) -> DecodedFrame {
        let here = strongestTiming(of: frame.codeword, near: frame.timing, samples)
        let own = level(of: frame.codeword, at: here, samples)
        var (best, most) = (frame, own.greatest)
        var close: [ShiftedWord] = []
        for candidate in others {
            let level = level(of: candidate.word, at: candidate.timing, samples)
            // In rooms, and beside tones like those of the preamble, either may be the stronger.
            let isCompleted = candidate.shift < 0 && own.lacksEnd(beside: level)
            guard candidate.shift < 0 || !level.lacksEnd(beside: own) else { continue }
            let isStronger = level.greatest > most * Self.plainlyStronger
            guard isStronger || isCompleted || level.greatest > most / Self.plainlyStronger else { continue }
            // What cut off the beginning of a chirp has not cut off its end as well.
            let isFullyReceived = best.codeword == frame.codeword && own.hasEnded(before: level)
            if isStronger || isCompleted || isFullyReceived {
                if let other = read(candidate, hasFreeTones: level.tuned < level.free, samples, context) {
                    (best, most) = (other, level.greatest)
                }
            } else if !level.hasEnded(before: own) {
                close.append(candidate)
            }
        }
        guard best.codeword == frame.codeword else { return best }
        return likeliest(of: close, beside: frame, samples, context)
    }

    /// Reads the sound around another word's timing as a frame of searched tempo and pitch is; nil where that gives no word, or a third one.
    @inline(never)
    private mutating func read(
        _ candidate: ShiftedWord, hasFreeTones: Bool, _ samples: borrowing SampleRing, _ context: ReceptionContext
    ) -> DecodedFrame? {
        let timing = candidate.timing
        let soft = observe(samples, timing, hasFreeTones: hasFreeTones)
        let tuning = hasFreeTones ? nil : timing.tuningCents
        correlate(samples, around: timing, pitchesHertz: pitches(tuningCents: tuning, in: soft))
        let frame = decode(samples, refined: clearest(near: timing, like: soft), tuning: tuning, context)
        return frame?.codeword == candidate.word ? frame : nil
    }

    /// What is heard of a codeword's tones.
    private struct WordLevel {
        /// Sum of the amplitudes, all off by as many cents, and each by its own. The former is the greater and clearer of noise, unless they are.
        var tuned: Float
        var free: Float
        /// Whether the first tone is heard.
        var isHeardFromStart: Bool
        /// Whether the last tone is heard; nil before it has been received.
        var isHeardToEnd: Bool?

        var greatest: Float { max(tuned, free) }

        /// Whether the last tone is not heard, and all of an earlier word is.
        func lacksEnd(beside earlier: WordLevel) -> Bool {
            isHeardToEnd == false && earlier.isHeardFromStart && earlier.isHeardToEnd == true
        }

        /// Whether neither the first nor the last tone is heard, and the last one of another word is.
        func hasEnded(before other: WordLevel) -> Bool {
            !isHeardFromStart && isHeardToEnd == false && other.isHeardToEnd == true
        }
    }

    /// What is heard of a codeword's tones at a timing.
    private mutating func level(
        of codeword: Codeword, at timing: FrameTiming, _ samples: borrowing SampleRing
    ) -> WordLevel {
        let soft = observe(samples, timing)
        let tones = format.frame(of: codeword)
        let exact = SoftFrame.values(of: tones, in: soft.energies)
        let bands = SoftFrame.values(of: tones, in: spectra.bandEnergies())
        let tuned = exact.reduce(0) { $0 + $1.squareRoot() }
        let free = bands.reduce(0) { $0 + $1.squareRoot() }
        let own = free > tuned ? bands : exact
        let heard = Self.heardShare * own.median
        let middleOfLast = timing.middle(ofSymbol: own.count - 1, symbolSamples: symbolSamples)
        return WordLevel(
            tuned: tuned, free: free, isHeardFromStart: own[0] > heard,
            isHeardToEnd: middleOfLast < Double(samples.horizon) ? own[own.count - 1] > heard : nil)
    }

    /// The timing, within a symbol and 3 %, at which the tones of a codeword are strongest.
    @inline(never)
    private mutating func strongestTiming(
        of codeword: Codeword, near first: FrameTiming, _ samples: borrowing SampleRing
    ) -> FrameTiming {
        strongestPlace(of: codeword, near: first, within: .whole, in: observe(samples, first), samples).timing
    }

    /// As much, by the spectra at hand, which are those at the frame's timing, and the soft frame that was made of them; and the
    /// correlations by which it was found.
    private mutating func strongestPlace(
        of codeword: Codeword, near first: FrameTiming, within reach: WordCorrelator.Reach, in soft: SoftFrame,
        _ samples: borrowing SampleRing
    ) -> (timing: FrameTiming, correlator: WordCorrelator) {
        let tones = format.frame(of: codeword)
        let pitches = receivedPitches(of: tones, tuningCents: first.tuningCents, in: soft)
        work.correlatedFrames += 1
        let correlator = WordCorrelator(
            samples, pitchesHertz: tones.map { pitches[Int($0)] }, around: first, reach: reach,
            symbolSamples: symbolSamples, sampleRateHertz: transform.sampleRateHertz)
        let middle = first.middle(nominalSamples: frameSamples)
        let grid = (-3...3).flatMap { percent in
            (-reach.rawValue...reach.rawValue).map { eighth in
                self.timing(
                    middle: middle + Double(eighth) * symbolSamples / 8, periodRatio: 1 + 0.01 * Double(percent),
                    tuningCents: first.tuningCents)
            }
        }
        let coarse = coordinateAscent(
            from: correlator.strongest(of: grid, orAt: first),
            steps: [(0.06, 0.004), (0.03, 0.002), (0.015, 0.001), (0.008, 0.0005), (0.004, 0.0003)]
        ) { correlator.energy(at: $0) }
        // The sum has edges, along which time and tempo must move together.
        let timing = [(0.03, 0.002), (0.012, 0.0008), (0.004, 0.0003), (0.0015, 0.0001)].reduce(coarse) {
            timing, step in
            let (middle, time) = (timing.middle(nominalSamples: frameSamples), step.0 * symbolSamples)
            let beside = (-2...2).flatMap { row in
                (-2...2).map { column in
                    self.timing(
                        middle: middle + Double(row) * time, periodRatio: timing.periodRatio + Double(column) * step.1,
                        tuningCents: timing.tuningCents)
                }
            }
            return correlator.strongest(of: beside, orAt: timing)
        }
        return (timing, correlator)
    }

    /// The pitch of each of the 32 tones: those of a word's tones that are clear at their own, all others off by the tuning; by the spectra at
    /// hand and the soft frame that was made of them.
    private func receivedPitches(of tones: [UInt8], tuningCents: Double, in soft: SoftFrame) -> [Double] {
        var cents = [Double](repeating: tuningCents, count: format.toneCount)
        var strongest = [Float](repeating: 0, count: format.toneCount)
        for (symbol, tone) in tones.enumerated() {
            guard let peak = ownPeak(of: tone, symbol: symbol, in: soft), peak.energy > strongest[Int(tone)] else {
                continue
            }
            strongest[Int(tone)] = peak.energy
            cents[Int(tone)] = peak.cents
        }
        return cents.enumerated().map { pitchHertz(of: UInt8($0.offset), cents: $0.element) }
    }
}
