internal import RealModule

extension Receiver {
    /// How long a word that was reported is not reported again because its copies go on, in seconds: sixteen of the greatest distance.
    private static let silenceAfterReport = Double(CopyCombiner.mostCopies) * CopyCombiner.spacings.upperBound
    /// Codeword evidence by a quick look below which a longer one would find nothing.
    private static let minimumQuickEvidence: Float = 1
    /// What a word out of several copies needs in steady noise, in nats: evidence for a frame and for the word together, evidence for the word, and
    /// lead over the next best one.
    private static let demanded: (total: Float, evidence: Float, margin: Float) = (29, 8.5, 5.5)
    /// As much where something else may repeat itself: machines, music.
    private static let demandedElsewhere: (total: Float, evidence: Float, margin: Float) = (40, 14, 8)

    /// Looks whether the newest place but one ends a chain of copies, and reports what their sum says with certainty.
    mutating func combineCopies(_ newest: Int) {
        guard let history = scan.coherent.history else { return }
        guard let chain = combiner?.chain(endingAt: newest - 1, history),
            let refined = combiner?.refined(chain, history)
        else { return }
        decode(refined.chain, refined.logLikelihoods, refined.ratios)
    }

    private mutating func decode(_ chain: CopyCombiner.Chain, _ logLikelihoods: [Float], _ ratios: [Float]) {
        guard let newest = chain.places.first, let oldest = chain.places.last else { return }
        let soft = SoftFrame(
            logLikelihoods: logLikelihoods, ratios: ratios, frameLLR: chain.frameLLR, preamble: format.startCode)
        let timing = FrameTiming(startSample: sample(ofPlace: oldest))
        self.combiner?.noteDecoding()
        let context = context(at: sample(ofPlace: newest))
        guard let first = decoder.decode(soft, at: timing, context, patternBudgets: [FrameDecoder.patternBudgets[0]]),
            first.codewordEvidence > Self.minimumQuickEvidence,
            let frame = decoder.decode(soft, at: timing, context)
        else { return }
        let logOdds = logOdds(of: frame)
        let tones = format.frame(of: frame.codeword)
        guard logOdds > Self.minimumLogOdds, Self.isVaried(tones), !isKnown(frame.codeword) else { return }
        noteRepeated(frame.codeword, at: sample(ofPlace: newest))
        let energy =
            tones.enumerated().reduce(Float(0)) { $0 + soft.energies[32 * $1.offset + Int($1.element)] }
            / Float(tones.count)
        // One symbol's energy over the noise's density, over the whole band.
        let snr = Double(max(0.05, energy - 1)) / (0.5 * sampleRateHertz * format.symbolSeconds)
        found.append(
            DetectedChirp(
                codeword: frame.codeword, startSeconds: max(0, timing.startSample / sampleRateHertz),
                durationSeconds: format.frameSeconds, snrDecibels: min(120, max(-60, 10 * Double.log10(snr))),
                correctedSymbolCount: zip(tones, soft.bestTones).dropFirst(format.startCode.count).count { $0 != $1 },
                confidence: 1 / (1 + Double.exp(-Double(logOdds))), tuningCents: 0, speed: 1, format: format,
                repeats: chain.places.count))
    }

    /// Symbols that one tone has at most in a word out of several copies: notes that are held, over and over, make words of few tones.
    private static let mostOfOneTone = 6

    private static func isVaried(_ tones: [UInt8]) -> Bool {
        tones.allSatisfy { tone in tones.count { $0 == tone } <= mostOfOneTone }
    }

    /// Logarithm of the odds that a word out of several copies is right.
    private func logOdds(of frame: DecodedFrame) -> Float {
        let demanded = detector.noiseIsStationary && falseStarts.isEmpty ? Self.demanded : Self.demandedElsewhere
        return min(
            frame.frameLLR + frame.codewordEvidence - demanded.total,
            min(frame.codewordEvidence - demanded.evidence, frame.margin - demanded.margin))
    }

    private func sample(ofPlace place: Double) -> Double { place * scan.blockSamples - Double(ring.silence) }

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
