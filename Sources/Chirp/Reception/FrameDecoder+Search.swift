internal import RealModule

extension FrameDecoder {
    /// Searches the time around a place that the scan of exact tones pointed at, at nominal tempo and pitch.
    ///
    /// - Parameter start: first sample of the frame, within an eighth of a symbol.
    mutating func decodeExact(_ recording: borrowing Recording, start: Double) -> DecodedFrame? {
        let step = format.symbolSeconds * sampleRateHertz / 16
        var hypothesis = FrameHypothesis(startSample: start, stretch: 1, tuningCents: 0)
        // At most an eighth of a symbol away, at −1.2 dB.
        guard weigh(recording, hypothesis) > Self.leastCoarseSynchronisation else { return nil }
        var scores = [evidence.alignment(energies: energies)]
        for offset in [-2, -1, 1, 2] {
            hypothesis.startSample = start + Double(offset) * step
            _ = weigh(recording, hypothesis)
            scores.append(evidence.alignment(energies: energies))
        }
        scores = [scores[1], scores[2], scores[0], scores[3], scores[4]]
        hypothesis.startSample = start + (Self.peak(scores) - 2) * step
        let synchronisation = weigh(recording, hypothesis)
        guard synchronisation > Self.leastSynchronisation else { return nil }
        guard var best = decodeEvidence(hypothesis, synchronisation: synchronisation) else { return nil }
        if isMasked(best) { best = decodeMasked(best) }
        // Near the threshold the search is off by a 32nd of a symbol, and that decides. In music so many readings are as many
        // chances more to be taken for a chirp.
        guard best.logOdds < Self.doubtfulLogOdds, best.logOdds > -8 else { return best }
        guard isCalm, best.unsteadiness < Self.whiteNoise, falseStarts == 0 else {
            return likeliest(recording, of: best, besideBy: [-step, step])
        }
        best = likeliest(recording, of: best, besideBy: [-step, -0.5 * step, 0.5 * step, step])
        return likeliest(recording, of: best, besideBy: [-0.25 * step, 0.25 * step])
    }

    /// Decodes what begins at a sample at nominal tempo and pitch, by one look and few patterns.
    mutating func glance(_ recording: borrowing Recording, start: Double) -> DecodedFrame? {
        let hypothesis = FrameHypothesis(startSample: start, stretch: 1, tuningCents: 0)
        let synchronisation = weigh(recording, hypothesis)
        guard synchronisation > Self.leastCoarseSynchronisation else { return nil }
        let frame = decodeEvidence(
            hypothesis, synchronisation: synchronisation, patternBudgets: [Self.patternBudgets[0]])
        return frame.map { isMasked($0) ? decodeMasked($0) : $0 }
    }

    /// Whether a start code is plainly there, but no word: tones of another chirp, of music or of echoes may be in its way.
    private func isMasked(_ frame: DecodedFrame) -> Bool {
        frame.logOdds < 0 && frame.synchronisation > Self.loudSynchronisation
            && frame.openingEvidence > Receiver.certainOpening
    }

    /// What the energies last weighed, at exact pitches, give where another chirp or echoes are in the way; the frame that was
    /// decoded with them where that is not certain.
    ///
    /// First without the tones that are louder than those of the start code, as a chirp is about as loud throughout. Then with all
    /// tones limited to much less than the usual level, so that of two in a symbol both count. Then with tones counted for as
    /// much where one of the same pitch sounded before: another chirp's, and no echo. Seven chirps found under a louder one had
    /// log odds of 25 to 30, a word that speech gave by chance 1.
    private mutating func decodeMasked(_ frame: DecodedFrame) -> DecodedFrame {
        let all = energies
        let opening = format.startCode.enumerated().map { all[32 * $0.offset + Int($0.element)] }
        let loudest = Self.loudestShare * opening.reduce(0, +) / Float(opening.count)
        energies = all.map { $0 > loudest ? 0 : $0 }
        if let under = decodeCertain(frame.hypothesis, weighing: energies, shares: .exact) { return under }
        energies = all
        let strongest = (0..<format.frameSymbolCount).map { symbol in
            (0..<32).reduce(Float(0)) { max($0, all[32 * symbol + $1]) }
        }
        let limit = Self.limitedShare * strongest.sorted()[strongest.count / 2]
        let limited = decodeCertain(frame.hypothesis, weighing: all.map { min($0, limit) }, shares: .exact)
        return limited ?? decodeCertain(frame.hypothesis, weighing: all, shares: .exactWithoutEcho) ?? frame
    }

    /// What is decoded when other energies than those at hand are weighed, if it is certain.
    private mutating func decodeCertain(
        _ hypothesis: FrameHypothesis, weighing weighed: [Float], shares: SymbolEvidence.Shares
    ) -> DecodedFrame? {
        evidence.weigh(energies: weighed, surroundings: surroundings, bias: exactBias, shares: shares)
        let frame = decodeEvidence(hypothesis, synchronisation: evidence.synchronisation())
        return frame.flatMap { $0.logOdds > Receiver.certainLogOdds ? $0 : nil }
    }

    /// The likeliest of a frame and of those that are decoded so many samples beside it.
    private mutating func likeliest(
        _ recording: borrowing Recording, of frame: DecodedFrame, besideBy offsets: [Double]
    ) -> DecodedFrame {
        var best = frame
        for offset in offsets {
            var hypothesis = frame.hypothesis
            hypothesis.startSample += offset
            let synchronisation = weigh(recording, hypothesis)
            guard synchronisation > Self.leastSynchronisation,
                let other = decodeEvidence(hypothesis, synchronisation: synchronisation), other.logOdds > best.logOdds
            else { continue }
            best = other
        }
        return best
    }

    /// Searches time, tempo and pitch around a place that the scan of wide bands pointed at.
    ///
    /// - Parameters:
    ///   - middle: sample in the middle of the frame, within a quarter of a symbol.
    ///   - stretch: length of a symbol over the nominal one, within 1 %, or within 2 % of 1.
    mutating func decodeWide(_ recording: borrowing Recording, middle: Double, stretch: Double) -> DecodedFrame? {
        let place = FramePlace(middle: middle, stretch: stretch)
        _ = align(recording, place, tuning: nil)
        let bandSynchronisation = evidence.synchronisation()
        let tones = (0..<format.frameSymbolCount).map { UInt8(evidence.bestTone($0)) }
        let deviations = deviations(of: tones)
        let commonTuning = Self.median(of: deviations) ?? 0
        // Tones that are all off by the same are far clearer of noise than tones anywhere in their bands.
        var tuning: Double?
        if weighExact(tuningCents: commonTuning) > bandSynchronisation {
            tuning = commonTuning
        } else {
            _ = weighBands()
        }
        let synchronisation = evidence.synchronisation()
        let isLoud = synchronisation > Self.loudSynchronisation
        guard synchronisation > Self.leastWideSynchronisation, isLoud || promise() > Self.leastPromise else {
            return nil
        }
        var best = search(
            recording, about: middle, stretch: stretch, pitch: commonTuning, tuning: tuning, isLoud: isLoud)
        // Where two overlap, the louder one's tones draw the search; but the tones of either are off by as much as it is fast or
        // slow.
        if isLoud, (best?.logOdds ?? 0) <= Receiver.leastLogOdds,
            let otherTuning = Self.otherTuning(of: deviations, than: commonTuning)
        {
            for pitch in tuning == nil ? [commonTuning, otherTuning] : [otherTuning] {
                let one = search(
                    recording, about: middle, stretch: stretch, pitch: pitch, tuning: pitch, isLoud: isLoud)
                if let one, one.logOdds > max(Receiver.certainLogOdds, best?.logOdds ?? 0) { best = one }
            }
        }
        guard let best, best.logOdds > 0 else { return best }
        return betterOfShifted(best, recording)
    }

    /// Searches time and tempo about a frame's middle, for tones that are all off by `tuning` cents or each by its own.
    ///
    /// The scan's place and tempo are coarse, and its peaks flat for loud chirps. What plays fast or slow is most often
    /// also sharp or flat by as much, by `pitch` cents, and that is measured far better. Up to 1.5 % the scan's symbol starts are
    /// those of the nominal tempo, and near 2 % hardly others.
    private mutating func search(
        _ recording: borrowing Recording, about middle: Double, stretch: Double, pitch: Double, tuning: Double?,
        isLoud: Bool
    ) -> DecodedFrame? {
        let beside = stretch == 1 ? [0.98, 0.99, 1.01, 1.02] : [stretch - 0.01, stretch + 0.01]
        let pitched = Double.exp2(-pitch / 1200)
        let near = [-0.5, -0.25, 0, 0.25, 0.5]
        let far = isLoud ? [-1.25, -1, -0.75, 0.75, 1, 1.25] : []
        let first = clearest(
            recording, about: middle,
            tempi: ([stretch] + beside).map { (tempo: $0, offsets: near) } + [(tempo: pitched, offsets: near + far)],
            tuning: tuning)
        return decode(recording, refining: first, tuning: tuning)
    }

    /// Decodes what is at the clearest place around one.
    mutating func decode(
        _ recording: borrowing Recording, refining coarse: FramePlace, tuning: Double?
    ) -> DecodedFrame? {
        let place = climb(from: coarse, steps: [(0.125, 0.005), (0.06, 0.002), (0.03, 0.0007)]) {
            $0.align(recording, $1, tuning: tuning)
        }
        _ = align(recording, place, tuning: tuning)
        let synchronisation = evidence.synchronisation()
        guard synchronisation > Self.leastWideSynchronisation else { return nil }
        guard var first = decodeEvidence(hypothesis(place), synchronisation: synchronisation) else { return nil }
        first.hasFreeTones = tuning == nil

        // Once more with the tones at exact pitches, all off by the same.
        var tuned = hypothesis(place)
        tuned.tuningCents = commonTuning(of: first.codeword.frame)
        let exactSynchronisation = weighExact(tuningCents: tuned.tuningCents)
        let exact = decodeEvidence(tuned, synchronisation: exactSynchronisation)
        guard let exact else { return first }
        // How steady the noise is shows in the exact tones alone.
        var best = exact.parityEvidence > first.parityEvidence ? exact : first
        best.unsteadiness = exact.unsteadiness
        best.hypothesis.tuningCents = tuned.tuningCents
        best.logOdds = Self.logOdds(
            parityEvidence: best.parityEvidence, synchronisation: best.synchronisation, unsteadiness: best.unsteadiness,
            unevenness: best.unevenness, lead: best.lead, falseStarts: falseStarts + 1, hasFreeTones: best.hasFreeTones)
        return isMasked(best) ? decodeMasked(best) : best
    }

    /// The place around one where a measure is greatest: time, in symbols, and tempo are searched in turn by ever smaller steps.
    mutating func climb(
        from first: FramePlace, steps: [(time: Double, stretch: Double)],
        measure: (inout FrameDecoder, FramePlace) -> Float
    ) -> FramePlace {
        let symbolLength = format.symbolSeconds * sampleRateHertz
        var place = first
        for (timeStep, stretchStep) in steps {
            let times = (-2...2).map { step in
                let middle = place.middle + Double(step) * timeStep * symbolLength
                return measure(&self, FramePlace(middle: middle, stretch: place.stretch))
            }
            place.middle += (Self.peak(times) - 2) * timeStep * symbolLength
            let tempi = (-2...2).map { step in
                let stretch = place.stretch + Double(step) * stretchStep
                return measure(&self, FramePlace(middle: place.middle, stretch: stretch))
            }
            place.stretch += (Self.peak(tempi) - 2) * stretchStep
        }
        return place
    }

    /// The place of the greatest alignment among some tempi, each at times so many symbols off a frame's middle.
    private mutating func clearest(
        _ recording: borrowing Recording, about middle: Double, tempi: [(tempo: Double, offsets: [Double])],
        tuning: Double?
    ) -> FramePlace {
        var (best, most) = (FramePlace(middle: middle, stretch: 1), -Float.infinity)
        for (tempo, offsets) in tempi {
            for offset in offsets {
                let place = FramePlace(
                    middle: middle + offset * format.symbolSeconds * sampleRateHertz, stretch: tempo)
                let alignment = align(recording, place, tuning: tuning)
                if alignment > most { (most, best) = (alignment, place) }
            }
        }
        return best
    }

    /// Weighs the tones of a frame at a place, all off by `tuning` cents or each by its own; gives its alignment.
    private mutating func align(_ recording: borrowing Recording, _ place: FramePlace, tuning: Double?) -> Float {
        spectra.compute(recording, hypothesis: hypothesis(place), transform: &transform)
        _ = tuning.map { weighExact(tuningCents: $0) } ?? weighBands()
        return evidence.alignment(energies: energies)
    }

    func hypothesis(_ place: FramePlace) -> FrameHypothesis {
        FrameHypothesis(
            startSample: place.middle - halfFrame * place.stretch, stretch: place.stretch, tuningCents: 0)
    }

    func place(of hypothesis: FrameHypothesis) -> FramePlace {
        FramePlace(middle: hypothesis.startSample + halfFrame * hypothesis.stretch, stretch: hypothesis.stretch)
    }

    /// Samples of half a frame of the nominal tempo.
    var halfFrame: Double { 0.5 * format.frameSeconds * sampleRateHertz }

    /// The place of the greatest of a few equidistant values, between them by a parabola.
    static func peak(_ values: [Float]) -> Double {
        var best = 0
        for index in values.indices where values[index] > values[best] { best = index }
        guard best > 0, best + 1 < values.count else { return Double(best) }
        let (a, b, c) = (values[best - 1], values[best], values[best + 1])
        let curvature = a - 2 * b + c
        guard curvature < 0 else { return Double(best) }
        return Double(best) + Double(max(-0.5, min(0.5, 0.5 * (a - c) / curvature)))
    }
}

/// When and how fast a frame is played, by its middle, about which the two hardly depend on each other.
struct FramePlace {
    /// Sample in the middle of the frame.
    var middle: Double
    /// Length of a symbol over the nominal one.
    var stretch: Double
}
