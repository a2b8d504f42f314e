internal import RealModule

extension FrameDecoder {
    /// Searches the time around a place that the coherent tones pointed at, at nominal tempo and pitch.
    ///
    /// - Parameter start: first sample of the frame, within an eighth of a symbol.
    @inline(never)
    mutating func decodeTuned(
        _ samples: borrowing SampleRing, start: Double, _ context: ReceptionContext
    ) -> DecodedFrame? {
        var timing = FrameTiming(startSample: start)
        // At most an eighth of a symbol away, at −1.2 dB.
        let coarse = observe(samples, timing)
        guard coarse.frameLLR > Self.minimumCoarseLLR, coarse.medianLevel >= context.minimumToneEnergy else {
            return nil
        }
        guard isPlausible(coarse) else { return decode(coarse, at: timing, context, isQuick: true) }
        correlate(samples, around: timing, pitchesHertz: pitches(cents: 0))
        if isInSteadyNoise(coarse, context) { return decodeInSteadyNoise(coarse, at: timing, context) }
        let step = symbolSamples / 16
        let scores = (-2...2).map { alignment(at: FrameTiming(startSample: start + Double($0) * step), like: coarse) }
        timing.startSample = start + (Self.peak(scores) - 2) * step
        let soft = observe(samples, timing)
        guard soft.frameLLR > Self.minimumFrameLLR, var best = decode(soft, at: timing, context) else { return nil }
        if isMasked(best) { best = decodeMasked(best, soft, context) }
        if let held = heldToneReading(soft, at: timing, context, betterThan: best) { return held }
        // Near the threshold the search is off by a 32nd of a symbol, and that decides.
        guard best.isDoubtful else { return best }
        return likeliest(of: best, besideBy: [-step, step], like: soft, context)
    }

    /// Decodes what begins at a sample at nominal tempo and pitch, by one look and few patterns; what is sure has its timing refined.
    mutating func decodeAtNominalTiming(
        _ samples: borrowing SampleRing, start: Double, _ context: ReceptionContext
    ) -> DecodedFrame? {
        let soft = observe(samples, FrameTiming(startSample: start))
        guard soft.frameLLR > Self.minimumCoarseLLR, soft.medianLevel >= context.minimumToneEnergy,
            let frame = decodeAtNominalTiming(soft, start: start, context)
        else { return nil }
        return frame.isSure ? withRefinedTiming(frame, in: soft, samples) : frame
    }

    /// Decodes a soft frame at nominal tempo and pitch by few patterns.
    mutating func decodeAtNominalTiming(
        _ soft: SoftFrame, start: Double, _ context: ReceptionContext
    ) -> DecodedFrame? {
        guard var frame = decode(soft, at: FrameTiming(startSample: start), context, isQuick: true) else { return nil }
        guard !isMasked(frame) else { return decodeMasked(frame, soft, context, isQuick: true) }
        frame.isPlain = isPlain(frame, in: soft)
        return frame
    }

    /// Whether a frame's word is that of the strongest tones, each of them plain, and the preamble before it.
    func isPlain(_ frame: DecodedFrame, in soft: SoftFrame) -> Bool {
        guard frame.logOdds > DecodedFrame.certainLogOdds else { return false }
        let tones = format.frame(of: frame.codeword)
        return tones.enumerated().allSatisfy { symbol, tone in
            // A tone that is sent twice counts as an echo of itself, and before its place something of the second counts as the first.
            tones[max(0, symbol - 1)..<min(symbol + 2, tones.count)].count { $0 == tone } > 1
                ? soft.strongestTone(symbol) == tone
                    && soft.energies[32 * symbol + Int(tone)] > Self.plainRatio * soft.floors[Int(tone)]
                : soft.bestTones[symbol] == tone && soft.ratios[32 * symbol + Int(tone)] > Self.plainRatio
        }
    }

    /// Ratio to the noise of a tone that is plainly there.
    private static let plainRatio: Float = 10

    /// What tells a word of one tone throughout from a held note is its preamble alone, which therefore has to be twice as plain.
    private static let heldNotePreambleLLR = 2 * DecodedFrame.certainPreambleLLR

    /// The word of one tone throughout, where it is likelier than what was decoded: elsewhere a tone that goes on is no symbol's.
    mutating func heldToneReading(
        _ soft: SoftFrame, at timing: FrameTiming, _ context: ReceptionContext, betterThan best: DecodedFrame
    ) -> DecodedFrame? {
        guard best.logOdds < DecodedFrame.certainLogOdds, context.noiseIsStationary,
            soft.preambleLLR > Self.heldNotePreambleLLR, soft.hasHeldTone,
            let held = decodeWithoutEcho(soft, at: timing, context), Set(held.codeword.symbols).count == 1,
            held.features.noiseLogDeviation < Self.whiteNoise, held.logOdds > best.logOdds
        else { return nil }
        return held
    }

    /// Decodes a soft frame in which a tone that goes on is no echo, by few patterns.
    mutating func decodeWithoutEcho(
        _ soft: SoftFrame, at timing: FrameTiming, _ context: ReceptionContext
    ) -> DecodedFrame? {
        decode(soft.weighed(energies: soft.energies, weights: .withoutEcho), at: timing, context, isQuick: true)
    }

    /// Whether a preamble is plainly there, but no word: tones of another chirp, of music or of echoes may be in its way.
    private func isMasked(_ frame: DecodedFrame) -> Bool {
        frame.logOdds < 0 && frame.features.frameLLR > Self.loudFrameLLR
            && frame.features.preambleLLR > DecodedFrame.certainPreambleLLR
    }

    /// What a soft frame gives where another chirp or echoes are in the way; the frame that was decoded from it where that is not certain.
    ///
    /// First without the tones that are louder than those of the preamble, as a chirp is about as loud throughout. Then with all
    /// tones limited to much less than the usual level, so that of two in a symbol both count. Then with tones counted for as
    /// much where one of the same pitch sounded before: another chirp's, and no echo.
    private mutating func decodeMasked(
        _ frame: DecodedFrame, _ soft: SoftFrame, _ context: ReceptionContext, isQuick: Bool = false
    ) -> DecodedFrame {
        let all = soft.energies
        let preamble = SoftFrame.values(of: format.startCode, in: all)
        let loudest = Self.loudestShare * preamble.reduce(0, +) / Float(preamble.count)
        let strongest = (0..<format.frameSymbolCount).map { symbol in
            (0..<32).reduce(Float(0)) { max($0, all[32 * symbol + $1]) }
        }
        let limit = Self.limitedShare * strongest.median
        let attempts: [(energies: [Float], weights: SoftFrame.InterferenceWeights, absentShare: Float)] = [
            (all.map { $0 > loudest ? 0 : $0 }, .tuned, soft.absentShare),
            // A tone that is not there is not there beside the limit.
            (all.map { min($0, limit) }, .tuned, soft.absentShare / Self.limitedShare),
            (all, .withoutEcho, soft.absentShare),
        ]
        for attempt in attempts {
            var other = soft.weighed(energies: attempt.energies, weights: attempt.weights)
            other.absentShare = attempt.absentShare
            // A whistle is a word of one tone without the echo rule, but has no preamble.
            if let found = decode(
                other, at: frame.timing, context, isQuick: isQuick, minimumLogOdds: DecodedFrame.certainLogOdds),
                found.logOdds > DecodedFrame.certainLogOdds,
                found.features.preambleLLR > DecodedFrame.certainPreambleLLR
            {
                return found
            }
        }
        return frame
    }

    /// The likeliest of a frame and of those that are decoded so many samples beside it, by the correlations at hand.
    @inline(never)
    private mutating func likeliest(
        of frame: DecodedFrame, besideBy offsets: [Double], like soft: SoftFrame, _ context: ReceptionContext
    ) -> DecodedFrame {
        var best = frame
        for offset in offsets {
            let timing = frame.timing.later(bySamples: offset)
            let other = correlated(at: timing, like: soft)
            guard other.frameLLR > Self.minimumFrameLLR, let found = decode(other, at: timing, context),
                found.logOdds > best.logOdds
            else { continue }
            best = found
        }
        return best
    }

    /// Searches time, tempo and pitch around a place that the noncoherent tones pointed at.
    ///
    /// - Parameters:
    ///   - middle: sample in the middle of the frame, within a quarter of a symbol.
    ///   - periodRatio: length of a symbol over the nominal one, within 1 %, or within 2 % of 1.
    mutating func decodeWide(
        _ samples: borrowing SampleRing, middle: Double, periodRatio: Double, _ context: ReceptionContext
    ) -> DecodedFrame? {
        load(samples, timing(middle: middle, periodRatio: periodRatio))
        let bands = soft(tuningCents: nil)
        let deviations = deviations(of: bands.bestTones, in: bands)
        let commonTuning = Self.median(of: deviations) ?? 0
        // Tones that are all off by the same are far clearer of noise than tones anywhere in their bands.
        let tuned = soft(tuningCents: commonTuning)
        let tuning = tuned.frameLLR > bands.frameLLR ? commonTuning : nil
        let soft = tuning == nil ? bands : tuned
        let isLoud = soft.frameLLR > Self.loudFrameLLR
        guard soft.frameLLR > Self.minimumFrameLLR, soft.medianLevel >= context.minimumToneEnergy else { return nil }
        var best = search(
            samples, about: middle, periodRatio: periodRatio, pitch: commonTuning, tuning: tuning,
            pitchesHertz: pitches(tuningCents: tuning, in: bands), like: soft, isLoud: isLoud, context)
        // Where two overlap, the louder one's tones draw the search; but the tones of either are off by as much as it is fast or
        // slow.
        if isLoud, (best?.logOdds ?? 0) <= 0, let otherTuning = Self.otherTuning(of: deviations, than: commonTuning) {
            for pitch in tuning == nil ? [commonTuning, otherTuning] : [otherTuning] {
                let one = search(
                    samples, about: middle, periodRatio: periodRatio, pitch: pitch, tuning: pitch,
                    pitchesHertz: pitches(cents: pitch), like: tuned, isLoud: isLoud, context)
                if let one, one.logOdds > max(DecodedFrame.certainLogOdds, best?.logOdds ?? 0) { best = one }
            }
        }
        guard let best, best.logOdds > 0 else { return best }
        return resolvingShiftAmbiguity(best, samples, context)
    }

    /// Searches time and tempo about a frame's middle, for tones that are all off by `tuning` cents or each by its own.
    ///
    /// The acquisition's place and tempo are coarse, and its peaks flat for loud chirps. What plays fast or slow is most often
    /// also sharp or flat by as much, by `pitch` cents, and that is measured far better. Up to 1.5 % the acquisition's symbol starts are
    /// those of the nominal tempo, and near 2 % hardly others.
    private mutating func search(
        _ samples: borrowing SampleRing, about middle: Double, periodRatio: Double, pitch: Double, tuning: Double?,
        pitchesHertz: [Double], like soft: SoftFrame, isLoud: Bool, _ context: ReceptionContext
    ) -> DecodedFrame? {
        let beside = periodRatio == 1 ? [0.98, 0.99, 1.01, 1.02] : [periodRatio - 0.01, periodRatio + 0.01]
        let pitched = Double.exp2(-pitch / 1200)
        let near = [-0.5, -0.25, 0, 0.25, 0.5]
        let far = isLoud ? [-1.25, -1, -0.75, 0.75, 1, 1.25] : []
        correlate(samples, around: timing(middle: middle, periodRatio: 1), pitchesHertz: pitchesHertz)
        let tempi = [periodRatio] + beside + [pitched]
        // A tempo that is off may be the clearest of those tried, as no time near its own was: the clearest few are refined.
        let coarse = tempi.map { tempo -> (timing: FrameTiming, alignment: Float) in
            let aligned = (tempo == pitched ? near + far : near).map { offset in
                let timing = timing(middle: middle + offset * symbolSamples, periodRatio: tempo)
                return (timing: timing, alignment: alignment(at: timing, like: soft))
            }
            return aligned.reduce(aligned[0]) { $0.alignment < $1.alignment ? $1 : $0 }
        }.sorted { $0.alignment > $1.alignment }
        let worthwhile = coarse.prefix(Self.refinedTempi).filter {
            $0.alignment > coarse[0].alignment - Self.refinedAlignment
        }
        let refined = worthwhile.map { place in
            let timing = clearest(near: place.timing, like: soft)
            return (timing: timing, alignment: alignment(at: timing, like: soft))
        }
        let best = refined.reduce(refined[0]) { $0.alignment < $1.alignment ? $1 : $0 }
        let frame = decode(samples, refined: best.timing, tuning: tuning, context)
        // At a tempo that is off nearly all tones are as clear a symbol early or late.
        guard (frame?.logOdds ?? -1) < 0,
            let rival = refined.first(where: {
                let distance = abs($0.timing.startSample - best.timing.startSample)
                return $0.alignment > best.alignment - Self.rivalAlignment && distance > 0.5 * symbolSamples
            }), let other = decode(samples, refined: rival.timing, tuning: tuning, context),
            other.logOdds > frame?.logOdds ?? -.infinity
        else { return frame }
        return other
    }

    /// Tempi, the clearest of those tried, that are refined, and how far below the clearest, in nats, they are at most.
    private static let refinedTempi = 3
    private static let refinedAlignment: Float = 40
    /// How far below the clearest another one may be that is decoded as well where the clearest has no word.
    private static let rivalAlignment: Float = 8
    /// Steps of time, in symbols, and of tempo by which a timing is refined.
    private static let ascentSteps: [(time: Double, periodRatio: Double)] = [
        (0.125, 0.005), (0.06, 0.002), (0.03, 0.0007),
    ]

    /// The clearest timing near one, by the correlations at hand.
    func clearest(near timing: FrameTiming, like soft: SoftFrame) -> FrameTiming {
        coordinateAscent(from: timing, steps: Self.ascentSteps) { alignment(at: $0, like: soft) }
    }

    /// Decodes what is at a timing, for tones that are all off by `tuning` cents or each by its own.
    mutating func decode(
        _ samples: borrowing SampleRing, refined timing: FrameTiming, tuning: Double?, _ context: ReceptionContext
    ) -> DecodedFrame? {
        load(samples, timing)
        let refined = self.soft(tuningCents: tuning)
        guard refined.frameLLR > Self.minimumFrameLLR, var first = decode(refined, at: timing, context) else {
            return nil
        }
        first.hasFreeTones = tuning == nil
        first.features.isSearched = true
        guard !Self.lacksPreamble(refined) || first.features.codewordEvidence > Self.minimumEvidenceWithoutPreamble
        else { return first }

        // Once more with the tones at exact pitches, all off by the same.
        var tuned = timing
        tuned.tuningCents = commonTuning(of: format.frame(of: first.codeword), in: refined)
        let exactSoft = soft(tuningCents: tuned.tuningCents)
        guard let exact = decode(exactSoft, at: tuned, context, minimumLogOdds: -1) else { return first }
        // How steady the noise is shows in the exact tones alone.
        var best = exact.features.codewordEvidence > first.features.codewordEvidence ? exact : first
        best.features.noiseLogDeviation = exact.features.noiseLogDeviation
        best.features.isSearched = true
        best.timing.tuningCents = tuned.tuningCents
        best.logOdds = AcceptanceModel.fitted.logOdds(best.features)
        if let held = heldToneReading(exactSoft, at: tuned, context, betterThan: best) { return held }
        return isMasked(best) ? decodeMasked(best, exactSoft, context) : best
    }

    // MARK: Correlations in short blocks

    /// The nominal pitch of a tone, off by as many cents.
    func pitchHertz(of tone: UInt8, cents: Double) -> Double {
        format.pitchHertz(of: tone) * Double.exp2(cents / 1200)
    }

    /// The nominal pitches of all tones, all off by as many cents.
    func pitches(cents: Double) -> [Double] {
        (0..<format.toneCount).map { pitchHertz(of: UInt8($0), cents: cents) }
    }

    /// The pitches of all tones, all off by as many cents, or, with nil, each by the symbol in which it is strongest.
    func pitches(tuningCents: Double?, in soft: SoftFrame) -> [Double] {
        guard let tuningCents else {
            return (0..<format.toneCount).map { tone in
                let energies = stride(from: tone, to: soft.energies.count, by: 32).map { soft.energies[$0] }
                let strongest = energies.indices.max { energies[$0] < energies[$1] } ?? 0
                let peak = spectra.peak(symbol: strongest, tone: UInt8(tone))
                return pitchHertz(of: UInt8(tone), cents: peak?.cents ?? 0)
            }
        }
        return pitches(cents: tuningCents)
    }

    mutating func correlate(_ samples: borrowing SampleRing, around timing: FrameTiming, pitchesHertz: [Double]) {
        work.correlatedFrames += 1
        correlator.load(samples, around: timing, pitchesHertz: pitchesHertz)
    }

    /// The correlations at hand, read at a timing and weighed against the noise of a frame near by.
    func correlated(at timing: FrameTiming, like soft: SoftFrame) -> SoftFrame {
        soft.weighed(energies: correlator.energies(at: timing), weights: .tuned)
    }

    private func alignment(at timing: FrameTiming, like soft: SoftFrame) -> Float {
        soft.alignment(of: correlator.energies(at: timing))
    }

    /// The timing around one where a measure is greatest: time, in symbols, and tempo are searched in turn by ever smaller steps.
    func coordinateAscent(
        from first: FrameTiming, steps: [(time: Double, periodRatio: Double)], measure: (FrameTiming) -> Float
    ) -> FrameTiming {
        var (middle, ratio) = (first.middle(nominalSamples: frameSamples), first.periodRatio)
        let tuning = first.tuningCents
        for step in steps {
            let times = (-2...2).map { place in
                let middle = middle + Double(place) * step.time * symbolSamples
                return measure(timing(middle: middle, periodRatio: ratio, tuningCents: tuning))
            }
            middle += (Self.peak(times) - 2) * step.time * symbolSamples
            let tempi = (-2...2).map { place in
                let ratio = ratio + Double(place) * step.periodRatio
                return measure(timing(middle: middle, periodRatio: ratio, tuningCents: tuning))
            }
            ratio += (Self.peak(tempi) - 2) * step.periodRatio
        }
        return timing(middle: middle, periodRatio: ratio, tuningCents: tuning)
    }

    /// The place of the greatest of a few equidistant values, between them by a parabola.
    static func peak(_ values: [Float]) -> Double {
        var best = 0
        for index in values.indices where values[index] > values[best] { best = index }
        guard best > 0, best + 1 < values.count else { return Double(best) }
        return Double(best) + Double(parabolaPeak(values[best - 1], values[best], values[best + 1]))
    }
}
