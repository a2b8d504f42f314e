internal import RealModule

extension Receiver {
    /// How long a word that was reported is not reported again because its copies go on, in seconds: sixteen of the greatest distance.
    private static let silenceAfterReport = Double(CopyCombiner.mostCopies) * CopyCombiner.spacings.upperBound
    /// Codeword evidence by a quick look below which a longer one would find nothing.
    private static let minimumQuickEvidence: Float = 1
    /// What a word out of a sum needs, in nats: evidence for a frame and for the word together, evidence for the word, and lead over the next
    /// best one.
    struct Demand {
        let total: Float
        let evidence: Float
        let margin: Float

        /// Of copies in steady noise: they are looked for at many distances.
        static let copies = Demand(total: 29, evidence: 8.5, margin: 5.5)
        /// Of channels in steady noise: as much as of a frame that is heard by itself.
        static let channels = Demand(total: 24.5, evidence: 4.5, margin: 2.5)
        /// Of channels whose noise is partly the same: their evidence is less than it seems.
        static let likeChannels = Demand(total: 33, evidence: 11.5, margin: 8)
        /// Where something else may repeat itself or come from elsewhere: machines, music.
        static let elsewhere = Demand(total: 40, evidence: 14, margin: 8)
    }

    /// Looks whether the newest place but one ends a chain of copies, and reports what their sum says with certainty.
    mutating func combineCopies(_ newest: Int) {
        guard let history = scan.coherent.history else { return }
        guard let chain = combiner?.chain(endingAt: newest - 1, history),
            let refined = combiner?.refined(chain, history)
        else { return }
        decode(refined.chain, refined.logLikelihoods, refined.ratios)
    }

    private mutating func decode(_ chain: CopyCombiner.Chain, _ logLikelihoods: [Float], _ ratios: [Float]) {
        guard let newest = chain.places.first else { return }
        let soft = SoftFrame(
            logLikelihoods: logLikelihoods, ratios: ratios, frameLLR: chain.frameLLR, preamble: format.startCode)
        combiner?.noteDecoding()
        guard let sum = decodeSum(soft, places: chain.places, .copies), !isKnown(sum.codeword) else { return }
        noteRepeated(sum.codeword, at: sample(ofPlace: newest))
        found.append(chirp(sum, in: soft, repeats: chain.places.count))
    }

    /// The word of a sum of energies, with the odds that it is right, where that is certain enough.
    ///
    /// - Parameter places: where its frames start, the newest first.
    mutating func decodeSum(_ soft: SoftFrame, places: [Double], _ demand: Demand) -> DecodedFrame? {
        guard let newest = places.first, let oldest = places.last else { return nil }
        let timing = FrameTiming(startSample: sample(ofPlace: oldest))
        let context = context(at: sample(ofPlace: newest))
        guard let quick = decoder.decode(soft, at: timing, context, patternBudgets: [FrameDecoder.patternBudgets[0]]),
            quick.codewordEvidence > Self.minimumQuickEvidence,
            var frame = decoder.decode(soft, at: timing, context)
        else { return nil }
        frame.logOdds = logOdds(of: frame, isSteadyNoise(but: places) ? demand : .elsewhere)
        guard frame.logOdds > Self.minimumLogOdds, Self.isVaried(format.frame(of: frame.codeword)) else { return nil }
        return frame
    }

    /// What is reported of a sum.
    func chirp(_ sum: DecodedFrame, in soft: SoftFrame, repeats: Int) -> DetectedChirp {
        let tones = format.frame(of: sum.codeword)
        let energy =
            tones.enumerated().reduce(Float(0)) { $0 + soft.energies[32 * $1.offset + Int($1.element)] }
            / Float(tones.count)
        // One symbol's energy over the noise's density, over the whole band.
        let snr = Double(max(0.05, energy - 1)) / (0.5 * sampleRateHertz * format.symbolSeconds)
        return DetectedChirp(
            codeword: sum.codeword, startSeconds: max(0, sum.timing.startSample / sampleRateHertz),
            durationSeconds: format.frameSeconds, snrDecibels: min(120, max(-60, 10 * Double.log10(snr))),
            correctedSymbolCount: zip(tones, soft.bestTones).dropFirst(format.startCode.count).count { $0 != $1 },
            confidence: 1 / (1 + Double.exp(-Double(sum.logOdds))), tuningCents: 0, speed: 1, format: format,
            repeats: repeats)
    }

    /// Symbols that one tone has at most in a word out of several copies: notes that are held, over and over, make words of few tones.
    private static let mostOfOneTone = 6

    private static func isVaried(_ tones: [UInt8]) -> Bool {
        tones.allSatisfy { tone in tones.count { $0 == tone } <= mostOfOneTone }
    }

    /// Whether for some time nothing but steady noise was received, and the frames of a sum, which may have looked like a chirp by themselves.
    private func isSteadyNoise(but places: [Double]) -> Bool {
        detector.noiseIsStationary
            && falseStarts.allSatisfy { start in
                places.contains { abs(start - sample(ofPlace: $0)) < decoder.frameSamples }
            }
    }

    /// Logarithm of the odds that a word out of a sum is right.
    private func logOdds(of frame: DecodedFrame, _ demand: Demand) -> Float {
        min(
            frame.frameLLR + frame.codewordEvidence - demand.total,
            min(frame.codewordEvidence - demand.evidence, frame.margin - demand.margin))
    }

    func sample(ofPlace place: Double) -> Double { place * scan.blockSamples - Double(ring.silence) }

    /// Whether a frame is the newest copy of a word that was reported as the sum of several.
    func isReportedCopy(_ frame: DecodedFrame) -> Bool {
        repeatedWords.contains {
            $0.codeword == frame.codeword && abs($0.startSample - frame.timing.startSample) < decoder.symbolSamples
        }
    }

    /// Whether a word has been reported of which these are copies again.
    private func isKnown(_ codeword: Codeword) -> Bool {
        let own = format.frame(of: codeword)
        func isAlike(_ other: Codeword) -> Bool {
            zip(own, format.frame(of: other)).dropFirst(format.startCode.count).count { $0 == $1 } > 6
        }
        return repeatedWords.contains { isAlike($0.codeword) } || pending.contains { isAlike($0.codeword) }
    }

    /// Remembers a word that was reported, and forgets those of long ago.
    mutating func noteRepeated(_ codeword: Codeword, at startSample: Double) {
        guard combiner != nil else { return }
        repeatedWords.removeAll {
            $0.codeword == codeword || $0.startSample < startSample - Self.silenceAfterReport * sampleRateHertz
        }
        repeatedWords.append((codeword, startSample))
    }
}

extension Receiver {
    /// Whether this channel has reported something that shares the time of a sum of several, or is about to report what is likelier.
    func hasHeard(_ sum: DecodedFrame) -> Bool {
        let slack = decoder.symbolSamples
        return reported.contains { $0.overlaps(sum, by: slack) }
            || pending.contains { $0.logOdds > sum.logOdds && $0.overlaps(sum, by: slack) }
            || repeatedWords.contains {
                $0.codeword == sum.codeword && abs($0.startSample - sum.timing.startSample) < decoder.frameSamples
            }
    }

    /// Remembers a word that was reported as the sum of several channels, which this one is not to report again, nor another in its place.
    mutating func noteSum(_ sum: DecodedFrame, at place: Double) {
        pending.removeAll { $0.overlaps(sum, by: decoder.symbolSamples) }
        noteRepeated(sum.codeword, at: sample(ofPlace: place))
    }
}

extension Receiver {
    /// Correlates the sound around a frame that begins with a block, so that its energies may be read at any place near by; gives them as they are
    /// at that place.
    mutating func correlate(aroundBlock block: Int) -> SoftFrame {
        let timing = FrameTiming(startSample: sample(ofPlace: Double(block)))
        decoder.correlate(ring, around: timing, pitchesHertz: decoder.pitches(cents: 0))
        return decoder.observe(ring, timing)
    }

    /// Energies of the tones over the noise in a frame that begins at a place, by the correlations at hand.
    func ratios(at place: Double, like soft: SoftFrame) -> [Float] {
        decoder.correlated(at: FrameTiming(startSample: sample(ofPlace: place)), like: soft).ratios
    }
}
