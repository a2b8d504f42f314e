internal import RealModule

extension Receiver {
    /// How long a word that was reported is not reported again because its copies go on, in seconds: sixteen of the greatest distance.
    private static let silenceAfterReport = Double(CopyCombiner.maximumCopyCount) * CopyCombiner.spacings.upperBound
    /// How much less evidence a quick look may find than a longer one, in nats.
    private static let quickShortfall: Float = 4
    /// What a word out of a sum needs, in nats: evidence for a frame and for the word together, evidence for the word, and lead over the next
    /// best one.
    struct Demand {
        let total: Float
        let evidence: Float
        var margin: Float = 0
        /// Whether it is made of copies, which may be of something else than a chirp, and count the preamble once.
        var isOfCopies = false
        /// Whether the odds are those in steady noise, of which the lead is a part; the preamble counts once.
        var isExact = false
        /// Logarithm of the odds that it needs: 85 % where they are exact, and otherwise so many nats beyond what is demanded.
        var minimumLogOdds: Float { isExact ? Self.minimumExactLogOdds : 0.2 }

        /// Of so many copies in steady noise: they are looked for at many distances. An error of the noise counts in each of them. Most words of
        /// many are clear, and so are those where amplitudes add up; what is just as clear as others have to be is noise, or different chirps.
        static func copies(_ count: Int, areAligned: Bool) -> Demand {
            let others = Float(count - 2)
            let isFew = count <= CopyCombiner.fewCopies
            return Demand(
                total: 21.5 + 0.5 * others, evidence: isFew && !areAligned ? 7 : min(6 + 0.75 * others, 10.5),
                margin: (areAligned ? 5 : isFew ? 4 : 3) + 0.25 * others, isOfCopies: true)
        }
        /// Of channels in steady noise, where the odds follow from the likelihoods: what these ask for at least.
        static let channels = Demand(
            total: logOddsOfPlaces.againstChirp + minimumExactLogOdds,
            evidence: logOddsOfPlaces.ofChirpElsewhere + minimumExactLogOdds, isExact: true)
        private static let minimumExactLogOdds: Float = 1.75
        /// Of channels whose noise is partly the same: their evidence is less than it seems.
        static let likeChannels = Demand(total: 33, evidence: 11.5, margin: 8)
        /// Where something else may repeat itself or come from elsewhere: machines, music.
        static let elsewhere = Demand(total: 40, evidence: 14, margin: 8)
        /// Frame likelihood ratio of copies from which on more evidence is demanded, so much for each nat: what makes a frame likely, but no
        /// word, is something else that repeats. Of 402 words out of copies one has less.
        private static let plainFrame: (llr: Float, evidence: Float) = (30, 0.2)
        /// Logarithms of the odds that no chirp begins where a sum of channels is looked at, and of how many places are looked at about one: of
        /// many delays some suit the noise.
        private static let logOddsOfPlaces: (againstChirp: Float, ofChirpElsewhere: Float) = (20, 4)

        /// The evidence that a word needs.
        func minimumEvidence(frameLLR: Float, preambleLLR: Float) -> Float {
            let least = max(evidence, total - frameLLR + (isOfCopies || isExact ? preambleLLR : 0))
            guard isOfCopies else { return least }
            let plain = evidence + Self.plainFrame.evidence * (frameLLR - Self.plainFrame.llr)
            return max(least, min(plain, Self.elsewhere.evidence))
        }

        /// Logarithm of the odds that a word is right.
        func logOdds(of frame: DecodedFrame) -> Float {
            let features = frame.features
            guard !isExact else {
                return features.logOddsInSteadyNoise(
                    againstChirp: Self.logOddsOfPlaces.againstChirp,
                    ofChirpElsewhere: Self.logOddsOfPlaces.ofChirpElsewhere)
            }
            let needed = minimumEvidence(frameLLR: features.frameLLR, preambleLLR: features.preambleLLR)
            return min(features.codewordEvidence - needed, features.margin - margin)
        }
    }

    /// Takes the metric of the newest start, and again those of starts before it whose noise was not known.
    mutating func followWeakMetric(_ start: Int) {
        guard combiner != nil else { return }
        for start in max(0, min(start, scan.takeRevisedStart() ?? start))...max(0, start) {
            combiner?.follow(
                scan.coherent.weakMetric(start: start, symbolCount: format.frameSymbolCount), start: start)
        }
    }

    /// Looks whether the newest place but one ends a chain of copies, and reports what their sum says with certainty.
    mutating func combineCopies(_ newest: Int) {
        guard let recorder = scan.coherent.recorder else { return }
        let history = ToneHistories(recorder.history)
        let isSteady = detector.noiseIsStationary
        for copies in combiner?.copies(endingAt: newest - 1, isSteadyNoise: isSteady, history) ?? [] {
            combiner?.noteDecoding()
            guard let (sum, chirp) = decodeCopies(copies), !isKnown(sum.codeword),
                isOfCopies(sum.codeword, copies), !isFrameUnderway(at: copies.places[0]),
                Self.isLikeliestShift(sum.codeword, at: copies.places.map { ($0, history.first) }, format)
            else { continue }
            noteRepeated(sum.codeword, at: sample(ofPlace: copies.places[0]))
            found.append(chirp)
            return
        }
    }

    /// Whether a word is that of two copies, none of which will be told by itself.
    func isOfCopies(_ codeword: Codeword, _ copies: CopyEvidence) -> Bool {
        let tones = format.frame(of: codeword).dropFirst(format.startCode.count)
        return copies.areTwo(with: tones) && !copies.isPlain(tones)
    }

    /// The word of copies, where that is certain enough, and what is reported of it.
    ///
    /// - Parameter channel: which of the channels that heard them is this receiver's.
    mutating func decodeCopies(_ copies: CopyEvidence, channel: Int = 0) -> (sum: DecodedFrame, chirp: DetectedChirp)? {
        let places = copies.places(inChannel: channel)
        let demand = Demand.copies(copies.places.count, areAligned: copies.areAligned)
        guard var sum = decodeSum(copies.soft, places: places, demand, copies: copies) else { return nil }
        let heard = copies.copies(with: format.frame(of: sum.codeword).dropFirst(format.startCode.count))
        if let first = heard.last { sum.timing.startSample = sample(ofPlace: places[first]) }
        return (sum, chirp(sum, in: copies.soft, repeats: heard.count))
    }

    /// The word of a sum of energies, with the odds that it is right, where that is certain enough.
    ///
    /// - Parameters:
    ///   - places: where its frames start, the newest first.
    ///   - copies: what they say, where it is a sum of copies.
    ///   - channels: where it is a sum of the amplitudes of channels.
    mutating func decodeSum(
        _ soft: SoftFrame, places: [Double], _ demand: Demand, copies: CopyEvidence? = nil,
        channels: CoherentSum? = nil
    ) -> DecodedFrame? {
        guard let newest = places.first, let oldest = places.last else { return nil }
        let timing = FrameTiming(startSample: sample(ofPlace: oldest))
        let context = context(at: sample(ofPlace: newest))
        var demand = isSteadyNoise(but: places) ? demand : .elsewhere
        // What has much less evidence than is asked for by few patterns is not worth a longer look.
        let isWorthwhile = decoder.quickEvidence(soft) {
            demand.minimumEvidence(frameLLR: soft.frameLLR, preambleLLR: $0) - Self.quickShortfall
        }
        guard isWorthwhile, var frame = decoder.decode(soft, at: timing, context) else { return nil }
        let tones = format.frame(of: frame.codeword)
        // While a chirp arrives, noise may complete it to another word.
        guard soft.weakestHalfShare(tones) > FrameDecoder.minimumHalfShare else { return nil }
        if demand.isOfCopies, let copies,
            !isLikeChirp(frame, tones, in: soft, copyCount: copies.copyCount) || !isInEachCopy(tones, copies)
                || copies.roughness(besides: tones) > Self.greatestRoughness
        {
            demand = .elsewhere
        }
        if let channels, demand.isExact,
            channels.sharedNoise(besides: tones) > Self.greatestSharedNoise
        {
            demand = .likeChannels
        }
        frame.logOdds = demand.logOdds(of: frame)
        return frame.logOdds > demand.minimumLogOdds && Self.isVaried(tones) ? frame : nil
    }

    /// What channels share of their noise at most, in deviations of independent noise: one in a thousand has more.
    private static let greatestSharedNoise: Float = 3
    /// Roughness of the rest of the sound that steady noise has at most: of 900 right words none has more than 2.4, and words that a loop made
    /// before it was known to be one have 3.4 and 4.1.
    private static let greatestRoughness: Float = 2.6

    /// The clearest symbols of a word out of copies, and the share of its likelihood that they have at most in a chirp: the beats of a loop have
    /// more. Of 402 words out of copies none has, and of 10 that were made of loops five.
    private static let clearestSymbols = 6
    private static let clearestShare: Float = 0.7
    /// Different tones that most words have at least: of random ones 99 in 100. The beats of a loop are of fewer.
    private static let minimumToneCount = 11

    /// Mean energy of a word's tones in symbols of others, beyond that of the noise and times the root of the number of copies: of 289 right words
    /// none has more than 0.11, and what a loop made a word of 0.44.
    private static let greatestExcessBeside: Float = 0.3

    /// Whether a word out of copies has a preamble, is made of several tones, which are heard in its symbols alone, and is about as clear in all of
    /// these.
    private func isLikeChirp(_ frame: DecodedFrame, _ tones: [UInt8], in soft: SoftFrame, copyCount: Int) -> Bool {
        let values = soft.logLikelihoods(of: tones).sorted()
        return frame.features.preambleLLR > 0
            && Set(tones.dropFirst(format.startCode.count)).count >= Self.minimumToneCount
            && soft.meanEnergyBeside(tones) < 1 + Self.greatestExcessBeside / Float(copyCount).squareRoot()
            && values.suffix(Self.clearestSymbols).reduce(0, +) < Self.clearestShare * values.reduce(0, +)
    }

    /// Agreement that two copies have at least, and by which power of the number of others it grows: six of 363 right words have less. In 2,000
    /// sequences of different codes at equal distances it leaves twelve wrong words of 77.
    private static let minimumAgreement: (two: Float, power: Float) = (12, 0.55)

    /// Whether a word's tones are there in each copy, and not one here and another there.
    private func isInEachCopy(_ tones: [UInt8], _ copies: CopyEvidence) -> Bool {
        let needed = Self.minimumAgreement.two * Float.pow(Float(copies.copyCount - 1), Self.minimumAgreement.power)
        return copies.agreement(on: tones.dropFirst(format.startCode.count)) > needed
    }

    /// What is reported of a sum.
    func chirp(_ sum: DecodedFrame, in soft: SoftFrame, repeats: Int) -> DetectedChirp {
        let tones = format.frame(of: sum.codeword)
        let energy = SoftFrame.values(of: tones, in: soft.energies).reduce(0, +) / Float(tones.count)
        // One symbol's energy over the noise's density, over the whole band.
        let snr = Double(max(0.05, energy - 1)) / (0.5 * sampleRateHertz * format.symbolSeconds)
        return detection(
            of: sum, startSeconds: sum.timing.startSample / sampleRateHertz, snr: snr,
            correctedSymbolCount: zip(tones, soft.bestTones).dropFirst(format.startCode.count).count { $0 != $1 },
            repeats: repeats)
    }

    /// Symbols that one tone has at most in a word out of several copies: notes that are held, over and over, make words of few tones.
    private static let maximumOfOneTone = 6

    private static func isVaried(_ tones: [UInt8]) -> Bool {
        tones.allSatisfy { tone in tones.count { $0 == tone } <= maximumOfOneTone }
    }

    /// Whether for some time nothing but steady noise was received, and the frames of a sum, which may have looked like a chirp by themselves.
    func isSteadyNoise(but places: [Double]) -> Bool {
        let newest = sample(ofPlace: places.max() ?? 0)
        return detector.noiseIsStationary
            && falseStarts.allSatisfy { start in
                start < newest - Self.falseStartSeconds * sampleRateHertz
                    || places.contains { abs(start - sample(ofPlace: $0)) < decoder.frameSamples }
            }
    }

    func sample(ofPlace place: Double) -> Double { place * scan.blockSamples - Double(ring.silence) }

    /// Whether a frame is the newest copy of a word that was reported as the sum of several.
    func isReportedCopy(_ frame: DecodedFrame) -> Bool {
        repeatedWords.contains {
            $0.codeword == frame.codeword && abs($0.startSample - frame.timing.startSample) < decoder.symbolSamples
        }
    }

    /// Whether a word has been reported of which these are copies again, or whose tones they are, read early or late.
    func isKnown(_ codeword: Codeword) -> Bool {
        let oldest = Double(ring.horizon) - Self.silenceAfterReport * sampleRateHertz
        return repeatedWords.contains {
            $0.startSample > oldest && codeword.isMadeOfTones(of: $0.codeword, in: format)
        }
            || pending.readings.contains { codeword.isMadeOfTones(of: $0.codeword, in: format) }
    }

    /// Whether a word is likelier than those that its frames are, too, where they are read some symbols early or late: one word in 32 has
    /// such a one for each symbol. What is still to come of a later one does not count.
    ///
    /// - Parameter places: where its frames start, in blocks, each with what heard it.
    static func isLikeliestShift(
        _ codeword: Codeword, at places: [(place: Double, history: ToneHistory)], _ format: WireFormat
    ) -> Bool {
        let symbols = format.frameSymbolCount
        let table = CopyLikelihood.single[places.count]
        func llr(_ word: Codeword, shift: Int) -> Float {
            let tones = format.frame(of: word)
            let blocks = Double(CoarseAcquisition.blocksPerSymbol * shift)
            let count = min(symbols, symbols - shift)
            var sum: Float = 0
            for (place, history) in places where place + blocks >= 0 {
                let energies = history.energies(of: place + blocks, symbolCount: count)
                for symbol in 0..<count {
                    let energy = energies[32 * symbol + Int(tones[symbol])]
                    // Digital silence says nothing.
                    if energy > 0 { sum += table[Int(energy * ToneHistory.energySteps)] }
                }
            }
            return sum
        }
        let own = llr(codeword, shift: 0)
        return Codeword.readingShifts.allSatisfy { shift in
            guard shift != 0, let other = codeword.codeword(symbolsLater: shift) else { return true }
            return llr(other, shift: shift) < own
        }
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
    /// Whether a frame that is still being received plainly begins about a place, in blocks, or up to a symbol after it: it is told by itself.
    func isFrameUnderway(at place: Double) -> Bool {
        let start = Int(place.rounded())
        return isFrameUnderway(beginningWithBlock: start - 1...start + CoarseAcquisition.blocksPerSymbol)
    }

    /// Whether this channel has reported something that shares the time of a sum of several, or is about to report what is sure or likelier,
    /// or looks for it as it is loud.
    ///
    /// - Parameter place: where the sum's frame starts in this channel, in blocks.
    func hasHeard(_ sum: DecodedFrame, at place: Double) -> Bool {
        let slack = decoder.symbolSamples
        return reported.contains { $0.overlaps(sum, by: slack) }
            || pending.readings.contains { ($0.isSure || $0.logOdds > sum.logOdds) && $0.overlaps(sum, by: slack) }
            || risingStarts.contains(Int(place.rounded())) || isFrameUnderway(at: place)
            || repeatedWords.contains { abs($0.startSample - sum.timing.startSample) < decoder.frameSamples }
    }

    /// Remembers a word that was reported as the sum of several channels, which this one is not to report again, nor another in its place.
    mutating func noteSum(_ sum: DecodedFrame, at place: Double) {
        pending.readings.removeAll { $0.overlaps(sum, by: decoder.symbolSamples) }
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
