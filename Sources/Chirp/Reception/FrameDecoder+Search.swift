internal import RealModule

extension FrameDecoder {
    /// Searches the time around a place that the scan of exact tones pointed at, at nominal tempo and pitch.
    ///
    /// - Parameter start: first sample of the frame, within an eighth of a symbol.
    mutating func decodeExact(_ samples: Span<Float>, origin: Int, start: Double) -> DecodedFrame? {
        let step = format.symbolSeconds * sampleRateHertz / 16
        var hypothesis = FrameHypothesis(startSample: start, stretch: 1, tuningCents: 0)
        // At most an eighth of a symbol away, at −1.2 dB.
        guard weigh(samples, origin: origin, hypothesis) > Self.leastCoarseSynchronisation else { return nil }
        var scores = [evidence.alignment(energies: energies)]
        for offset in [-2, -1, 1, 2] {
            hypothesis.startSample = start + Double(offset) * step
            _ = weigh(samples, origin: origin, hypothesis)
            scores.append(evidence.alignment(energies: energies))
        }
        scores = [scores[1], scores[2], scores[0], scores[3], scores[4]]
        let peak = start + (Self.peak(scores) - 2) * step
        hypothesis.startSample = peak
        let synchronisation = weigh(samples, origin: origin, hypothesis)
        guard synchronisation > Self.leastSynchronisation else { return nil }
        guard var best = decodeEvidence(hypothesis, synchronisation: synchronisation) else { return nil }
        // At the edge the time is uncertain by as much, and decides.
        guard best.logOdds < Self.doubtfulLogOdds, best.logOdds > -8 else { return best }
        for offset in [-1.0, 1] {
            hypothesis.startSample = peak + offset * step
            let synchronisation = weigh(samples, origin: origin, hypothesis)
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
    mutating func decodeWide(_ samples: Span<Float>, origin: Int, middle: Double, stretch: Double) -> DecodedFrame? {
        let symbolLength = format.symbolSeconds * sampleRateHertz
        let half = Double(format.frameSymbolCount) / 2 * symbolLength
        var place = (middle: middle, stretch: stretch)
        func hypothesis(_ place: (middle: Double, stretch: Double)) -> FrameHypothesis {
            FrameHypothesis(startSample: place.middle - half * place.stretch, stretch: place.stretch, tuningCents: 0)
        }
        // Tones that are all off by the same are far clearer of noise than tones anywhere in their bands.
        var tuning: Double?
        func weighed(_ place: (middle: Double, stretch: Double), _ decoder: inout FrameDecoder) -> Float {
            decoder.spectra.compute(
                samples, origin: origin, hypothesis: hypothesis(place), transform: &decoder.transform)
            _ = tuning.map { decoder.weighExact(tuningCents: $0) } ?? decoder.weighBands()
            return decoder.evidence.alignment(energies: decoder.energies)
        }
        _ = weighed(place, &self)
        let bandSynchronisation = evidence.synchronisation()
        let commonTuning = commonTuning(of: (0..<format.frameSymbolCount).map { UInt8(evidence.bestTone($0)) })
        if weighExact(tuningCents: commonTuning) > bandSynchronisation {
            tuning = commonTuning
        } else {
            _ = weighBands()
        }
        guard evidence.synchronisation() > Self.leastWideSynchronisation, promise() > Self.leastPromise else {
            return nil
        }
        // The scan's place and tempo are coarse, and its peaks flat for loud chirps. What plays fast or slow is most often
        // also sharp or flat by as much, and that is measured far better.
        var most = -Float.infinity
        // Up to 1.5 % the scan's symbol starts are those of the nominal tempo, and near 2 % hardly others.
        let beside = stretch == 1 ? [0.98, 0.99, 1.01, 1.02] : [stretch - 0.01, stretch + 0.01]
        for tempo in [stretch, Double.exp2(-commonTuning / 1200)] + beside {
            for offset in [-0.5, -0.25, 0, 0.25, 0.5] {
                let start = (middle: middle + offset * symbolLength, stretch: tempo)
                let alignment = weighed(start, &self)
                if alignment > most { (most, place) = (alignment, start) }
            }
        }
        // Time and tempo in turn, in ever smaller steps.
        for (timeStep, stretchStep) in [(0.125, 0.005), (0.06, 0.002), (0.03, 0.0007)] {
            let times = (-2...2).map {
                weighed((place.middle + Double($0) * timeStep * symbolLength, place.stretch), &self)
            }
            place.middle += (Self.peak(times) - 2) * timeStep * symbolLength
            let tempos = (-2...2).map { weighed((place.middle, place.stretch + Double($0) * stretchStep), &self) }
            place.stretch += (Self.peak(tempos) - 2) * stretchStep
        }
        _ = weighed(place, &self)
        let synchronisation = evidence.synchronisation()
        guard synchronisation > Self.leastWideSynchronisation else { return nil }
        guard let free = decodeEvidence(hypothesis(place), synchronisation: synchronisation) else { return nil }

        // Once more with the tones at exact pitches, all off by the same.
        var tuned = hypothesis(place)
        tuned.tuningCents = self.commonTuning(of: free.codeword.frame)
        let exactSynchronisation = weighExact(tuningCents: tuned.tuningCents)
        let exact = decodeEvidence(tuned, synchronisation: exactSynchronisation)
        guard let exact else { return free }
        // How steady the noise is shows in the exact tones alone.
        var best = exact.parityEvidence > free.parityEvidence ? exact : free
        best.unsteadiness = exact.unsteadiness
        best.hypothesis.tuningCents = tuned.tuningCents
        best.logOdds = Self.logOdds(
            parityEvidence: best.parityEvidence, synchronisation: best.synchronisation, unsteadiness: best.unsteadiness,
            unevenness: best.unevenness, lead: best.lead, falseStarts: falseStarts + 1)
        return best
    }

    /// The median of the deviations of the tones that are heard, weighted towards high tones, where the same error in
    /// hertz is fewer cents.
    func commonTuning(of frame: [UInt8], fallback: Double = 0) -> Double {
        var deviations: [(cents: Double, weight: Double)] = []
        for (symbol, tone) in frame.enumerated() where evidence.ratios[32 * symbol + Int(tone)] > 4 {
            guard let cents = spectra.deviationCents(symbol: symbol, tone: tone) else { continue }
            deviations.append((cents, format.pitchHertz(of: tone)))
        }
        deviations.sort { $0.cents < $1.cents }
        var rest = deviations.reduce(0) { $0 + $1.weight } / 2
        for (cents, weight) in deviations {
            rest -= weight
            if rest <= 0 { return cents }
        }
        return fallback
    }

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
