internal import RealModule

extension Receiver {
    /// Synchronisation by the energies of the scan, off by up to an eighth of a symbol, and that of the better of the places beside it, which a
    /// frame has and a peak of noise has not: together they must have this for a closer look.
    static let minimumScannedLLR: Float = -12
    /// In steady noise, synchronisation by the energies of the scan at a place and those beside it together, and three times what
    /// the metric is beyond its threshold, must have this for a closer look.
    static let minimumSteadyPromise: Float = -16
    /// Frame log-likelihood ratio from which on nearly all tones are so far above the noise that they count for no more: all have 188.8.
    static let clearestFrameLLR: Float = 180
    /// Frames more likely than this, as a logarithm of odds, may be reported: four in five.
    static let minimumLogOdds: Float = 1.4
    /// As much, 90 %, where something lately looked like a chirp and was none, and for a single chirp where copies of it may decide.
    static let minimumLogOddsInDoubt: Float = 2.2
    /// As much in steady noise, where the odds are exact: three in five.
    static let minimumLogOddsInSteadyNoise: Float = 0.4
    /// As much, 95 %, under a chirp that was reported.
    static let minimumLogOddsBeneath: Float = 3
    /// As much, 98 %, in other formats than the original, to which the acceptance model was not fitted.
    static let minimumLogOddsElsewhere: Float = 4
    /// What is less than certain is reported where its margin over chirps that begin later is more than this, in nats.
    static let minimumMarginOverLater: Float = 1.5
    /// Frame likelihood ratio by the energies of the scan from which on a start is looked at without awaiting those after it.
    static let minimumLLRAtNominalTiming: Float = 20
    /// Likelihood ratio of the preamble by the same, as a logarithm: a look needs zero, and weighs what each moment has of noise a little otherwise.
    static let minimumScannedPreambleLLR: Float = -2
    /// Odds, as a logarithm, by the energies of the scan below which a start is not looked at before those after it.
    static let minimumScannedLogOdds: Float = -10
    /// As much below which it is not looked at at all: of 129 chirps in all rows that were read after a first look the least had -14.
    static let hopelessScannedLogOdds: Float = -16
    /// Noncoherent metric from which on tones are so plain that those of the preamble can be asked for: 20 times the logarithm of 5.5.
    static let loudWideMetric: Float = 34

    /// Block 0 begins with the silence before the first sample.
    func sample(ofBlock block: Int) -> Int { scan.blockStart(block) - ring.silence }

    /// Takes all whole blocks that are there.
    mutating func advance() {
        while true {
            let next = sample(ofBlock: scan.blockCount + 1)
            guard next <= ring.end else { return }
            ring.horizon = next
            takeBlock()
            budget.follow(seconds: scan.blockSamples / sampleRateHertz, work: decoder.work)
            let newest = scan.blockCount - scan.frameBlocks
            guard newest >= 0 else { continue }
            let metrics = scan.metrics(start: newest)
            follow(metrics, start: newest)
            decodeNewestStart(metrics, start: newest)
            catchHeldTone(start: newest - CoarseAcquisition.heldToneDelay)
            window.append(metrics)
            guard window.count > 2 * CandidateDetector.reach else { continue }
            let candidate = newest - CandidateDetector.reach
            if let frame = decodeCandidate(window, start: candidate) { enqueue(frame) }
            window.removeFirst()
            emitDue()
            combineCopies(newest)
        }
    }

    /// Lets the detector follow the metrics of a start, and remembers what it was before.
    private mutating func follow(_ metrics: FrameMetrics, start: Int) {
        pastDetectors[CoarseAcquisition.place(of: start)] = detector
        followWeakMetric(start)
        // Silence, as that before the first sample, says nothing about what follows.
        if sample(ofBlock: start) >= 0, !scan.hasSilence(start: start) { detector.follow(metrics) }
    }

    private mutating func takeBlock() {
        scan.process(ring, at: sample(ofBlock: scan.blockCount), transform: &blockTransform)
    }

    /// Takes a short look at the newest start, be it a peak or not, and keeps what is certain.
    ///
    /// In a room a chirp is heard many times over. Where its echoes together are strongest it may be late, or each symbol be hidden
    /// by the echoes of the one before, while a little earlier or later it is plain.
    private mutating func decodeNewestStart(_ metrics: FrameMetrics, start: Int) {
        guard metrics.exact > detector.exactThreshold, scan.preambleLLR(start: start) > Self.minimumScannedPreambleLLR,
            scan.frameLLR(start: start) > Self.minimumLLRAtNominalTiming, !overlapsSureFrame(start)
        else { return }
        guard !scan.isRising(start: start) else {
            let first = risingStarts.contains(start) ? risingStarts.lowerBound : start
            risingStarts = first...start + CoarseAcquisition.blocksPerSymbol
            return
        }
        let soft = scan.softFrame(start: start)
        guard soft.hasPreamble else { return }
        let first = Double(sample(ofBlock: start))
        let context = context(at: first)
        guard mayBeLouderThanResidue(start, context, margin: Self.newestResidueMargin) else { return }
        // The energies at hand tell what is worth transforming, and of plain tones everything.
        guard let scanned = decoder.decodeAtNominalTiming(soft, start: first, context) else { return }
        if scanned.logOdds < Self.hopelessScannedLogOdds {
            hopelessReadings.append(scanned)
            if hopelessReadings.count > 2 * CandidateDetector.reach { hopelessReadings.removeFirst() }
        }
        guard scanned.logOdds > Self.minimumScannedLogOdds else { return }
        guard !scanned.isPlain else {
            return enqueue(decoder.withRefinedTiming(scanned, ring), risingBefore: start)
        }
        guard budget.allows(.look, counting: &decoder.work) else { return }
        if let frame = decoder.decodeAtNominalTiming(ring, start: first, context),
            frame.logOdds > DecodedFrame.certainLogOdds
        {
            enqueue(frame, risingBefore: start)
        }
    }

    /// Keeps a reading that begins about where a frame has risen, and waits no longer than if it had been read when it began to.
    private mutating func enqueue(_ reading: DecodedFrame, risingBefore start: Int) {
        guard risingStarts.contains(start) else { return enqueue(reading) }
        var reading = reading
        let first = Double(sample(ofBlock: risingStarts.lowerBound))
        reading.earliestEnd = min(reading.earliestEnd, first + decoder.frameSamples)
        enqueue(reading)
    }

    /// Whether a reading that is at least so certain, and began within some seconds since time zero, waits to be reported.
    func awaitsReading(beginningWithin seconds: ClosedRange<Double>, confidence: Double) -> Bool {
        pending.readings.contains {
            $0.confidence >= confidence && seconds.contains($0.timing.startSample / sampleRateHertz)
        }
    }

    /// Whether a frame that is still being received plainly began within some seconds since time zero.
    func isFrameUnderway(beginningWithin seconds: ClosedRange<Double>) -> Bool {
        func block(_ seconds: Double) -> Int {
            Int((seconds * sampleRateHertz + Double(ring.silence)) / scan.blockSamples)
        }
        return isFrameUnderway(beginningWithBlock: block(seconds.lowerBound)...block(seconds.upperBound))
    }

    /// The same, by blocks.
    func isFrameUnderway(beginningWithBlock blocks: ClosedRange<Int>) -> Bool {
        // Older ones are no longer kept.
        let kept = scan.blockCount - CoarseAcquisition.historyLength + 2 * CoarseAcquisition.blocksPerSymbol
        return blocks.contains { (kept...scan.blockCount).contains($0) && scan.isFrameUnderway(start: $0) }
    }

    /// Decodes a preamble that is followed by one tone throughout.
    private mutating func catchHeldTone(start: Int) {
        guard scan.isHeldFrame(start: start), !overlapsSureFrame(start) else { return }
        let timing = FrameTiming(startSample: Double(sample(ofBlock: start)))
        let context = context(at: timing.startSample)
        let soft = decoder.observe(ring, timing)
        if let frame = decoder.decodeWithoutEcho(soft, at: timing, context), frame.isSure {
            enqueue(decoder.withRefinedTiming(frame, ring))
        }
    }

    /// Looks closer at the middle of a window of metrics when it is worth it.
    private mutating func decodeCandidate(_ window: [FrameMetrics], start: Int) -> DecodedFrame? {
        let pick = detector.pick(window)
        guard pick.isExact || pick.isWide, !overlapsSureFrame(start) else { return nil }
        let first = Double(sample(ofBlock: start))
        let context = context(at: first)
        guard mayBeLouderThanResidue(start, context, margin: Self.peakResidueMargin) else { return nil }
        var best = pick.isExact ? decodeTuned(start, window[CandidateDetector.reach], context) : nil
        if let peak = best, detector.noiseIsStationary, peak.isDoubtful {
            best = likeliest(of: peak, andBeside: start, window, context)
        }
        // Where all tones are as clear as can be at nominal tempo and pitch, they are no clearer elsewhere.
        if let best, best.features.frameLLR > Self.clearestFrameLLR { latestClearStart = start }
        if pick.isWide, (best?.logOdds ?? -1) < DecodedFrame.certainLogOdds,
            abs(start - latestClearStart) > CoarseAcquisition.blocksPerSymbol,
            allowsWideFrame(window[CandidateDetector.reach], start: start),
            allows(.search, near: start, window[CandidateDetector.reach])
        {
            let half = Double(scan.frameBlocks) / 2 * scan.blockSamples
            let frame = decoder.decodeWide(
                ring, middle: first + half, periodRatio: window[CandidateDetector.reach].widePeriodRatio, context)
            if let frame, frame.logOdds > best?.logOdds ?? -.infinity { best = frame }
        }
        if let best { noteFalseStart(best, at: first) }
        return best
    }

    /// Whether there is enough left for a look or a search near a start, which needs more where the preamble is missing.
    private mutating func allows(_ priority: WorkBudget.Priority, near start: Int, _ metrics: FrameMetrics) -> Bool {
        budget.allows(scan.lacksPreamble(near: start, metrics) ? .withoutPreamble : priority, counting: &decoder.work)
    }

    /// Decodes what begins about a start at nominal tempo and pitch, if the energies of the acquisition allow for a frame there.
    private mutating func decodeTuned(
        _ start: Int, _ metrics: FrameMetrics, _ context: ReceptionContext
    ) -> DecodedFrame? {
        guard !scan.isPlainFrameToCome(start: start), isPromising(start, metrics), isPlausible(start) else {
            return nil
        }
        let first = Double(sample(ofBlock: start))
        if let reading = hopelessReadings.first(where: { $0.timing.startSample == first }) { return reading }
        guard allows(.look, near: start, metrics) else { return nil }
        return decoder.decodeTuned(ring, start: first + placeBetweenBlocks(start), context)
    }

    /// The likeliest of a doubtful reading in steady noise and those at the starts beside it whose metric stands out as well: noise makes one of
    /// these the peak.
    private mutating func likeliest(
        of peak: DecodedFrame, andBeside start: Int, _ window: [FrameMetrics], _ context: ReceptionContext
    ) -> DecodedFrame {
        var best = peak
        for side in [-1, 1] where best.isDoubtful {
            let metrics = window[CandidateDetector.reach + side]
            guard metrics.exact > detector.exactThreshold,
                let beside = decodeTuned(start + side, metrics, context), beside.logOdds > best.logOdds
            else { continue }
            best = beside
        }
        return best
    }

    /// Whether what begins at a start may have louder tones than cancellation leaves, which is looked at no closer.
    ///
    /// - Parameter margin: how many times fainter they may be.
    private func mayBeLouderThanResidue(_ start: Int, _ context: ReceptionContext, margin: Float) -> Bool {
        margin * scan.greatestMedianLevel(start: start) >= context.minimumToneEnergy
    }

    /// Counts what looked like a chirp and gave no word.
    private mutating func noteFalseStart(_ frame: DecodedFrame, at first: Double) {
        // What is left of a chirp looks like one.
        guard frame.logOdds <= Self.minimumLogOdds, frame.features.frameLLR > FrameDecoder.minimumFrameLLR,
            !frame.mayBeFaintChirp, !reported.contains(where: { isBeside(first, $0) })
        else { return }
        falseStarts.append(first)
    }

    /// How long what looked like a chirp and gave no word counts.
    static let falseStartSeconds = 60.0

    /// What was received before a frame.
    mutating func context(at sample: Double) -> ReceptionContext {
        falseStarts.removeAll { $0 < sample - Self.falseStartSeconds * sampleRateHertz }
        // Readings of the same sound a few symbols off are no false starts.
        return ReceptionContext(
            falseStartCount: falseStarts.count { $0 < sample - besideSamples },
            noiseIsStationary: detector.noiseIsStationary, minimumToneEnergy: residualEnergy(at: sample))
    }

    /// Energy that tones may have which cancellation has left of reported frames that share the time of one.
    private func residualEnergy(at sample: Double) -> Float {
        let slack = decoder.symbolSamples
        return reported.reduce(0) { most, other in
            let overlaps =
                sample < other.endSample - slack && other.timing.startSample < sample + decoder.frameSamples - slack
            return overlaps ? max(most, Self.coarseShare * Self.residue * other.toneEnergy) : most
        }
    }

    /// How far from a frame's start what looks like a chirp may be made of it.
    private var besideSamples: Double { 1.2 * format.frameSeconds * sampleRateHertz }

    private func isBeside(_ sample: Double, _ frame: DecodedFrame) -> Bool {
        abs(sample - frame.timing.startSample) < besideSamples
    }

    /// Whether the tones of any pitch around a start may be a frame's, by what is plain of them.
    private func allowsWideFrame(_ metrics: FrameMetrics, start: Int) -> Bool {
        guard scan.floorsAreSettled else { return scan.allowsFrameOverAssumedFloor(near: start) }
        return metrics.wide < Self.loudWideMetric
            ? !scan.isLoudFrameToCome(start: start) : scan.allowsLoudFrame(near: start)
    }

    private func isPromising(_ start: Int, _ metrics: FrameMetrics) -> Bool {
        let (before, own, after) = scannedLLRs(about: start)
        guard !detector.noiseIsStationary else {
            return before + own + after + 3 * (metrics.exact - detector.exactThreshold) > Self.minimumSteadyPromise
        }
        // A peak is no less than what is beside it, but for what the noise does.
        return min(own, own + max(before, after)) > Self.minimumScannedLLR
    }

    private func scannedLLRs(about start: Int) -> (before: Float, own: Float, after: Float) {
        (scan.frameLLR(start: start - 1), scan.frameLLR(start: start), scan.frameLLR(start: start + 1))
    }

    /// How many samples beyond a block's first one a frame in steady noise begins, by the energies of the scan.
    private func placeBetweenBlocks(_ start: Int) -> Double {
        guard detector.noiseIsStationary else { return 0 }
        let (before, own, after) = scannedLLRs(about: start)
        return Double(parabolaPeak(before, own, after)) * scan.blockSamples
    }

    /// Whether the energies of the acquisition allow for a frame at a start: of loud tones they tell plainly.
    private mutating func isPlausible(_ start: Int) -> Bool {
        !scan.floorsAreSettled || decoder.isPlausible(scan.softFrame(start: start))
    }

    /// Whether most of a frame that begins with a block is shared with a sure one that is about to be reported.
    private func overlapsSureFrame(_ start: Int) -> Bool {
        let first = Double(sample(ofBlock: start))
        return pending.readings.contains {
            $0.isSure && abs($0.timing.startSample - first) < decoder.frameSamples - decoder.symbolSamples
        }
    }

    /// The odds, as a logarithm, above which a reading may be reported.
    private func reportingLogOdds(of reading: DecodedFrame) -> Float {
        guard format == .original else { return Self.minimumLogOddsElsewhere }
        // Cancellation is never perfect.
        let isBeneath = reported.contains { $0.overlaps(reading, by: decoder.symbolSamples) }
        guard !isBeneath else { return Self.minimumLogOddsBeneath }
        guard reading.features.falseStartCount == 0 else { return Self.minimumLogOddsInDoubt }
        return reading.features.isMarginal ? Self.minimumLogOddsInSteadyNoise : Self.minimumLogOdds
    }

    /// Keeps a reading until it is released, or drops it.
    private mutating func enqueue(_ reading: DecodedFrame) {
        candidates?.append(AcceptanceCandidate(codeword: reading.codeword, features: reading.features))
        guard reading.logOdds > reportingLogOdds(of: reading), !isResidualOfReported(reading) else { return }
        pending.insert(reading, horizon: ring.horizon)
    }

    /// Share of a tone's energy that is left an eighth of a symbol beside its place.
    private static let coarseShare: Float = 0.75
    /// Energy that cancellation may leave of a chirp, as a share.
    private static let residue: Float = 0.04
    /// How many times fainter than that, by the strongest bins of the acquisition, a peak may be that is looked at closer.
    private static let peakResidueMargin: Float = 2
    /// As much for the newest start, where a plain frame is believed that is far fainter than one whose time it shares.
    private static let newestResidueMargin: Float = 16

    /// Whether a frame is what is left of one that was reported: made of its tones and their echoes, or so weak that it
    /// may be made of what cancellation left.
    private func isResidualOfReported(_ frame: DecodedFrame) -> Bool {
        let slack = decoder.symbolSamples
        return reported.contains { other in
            frame.isRepetition(of: other, symbolSamples: slack) || isShiftedWord(frame, of: other)
                || !frame.isPlain && other.overlaps(frame, by: slack)
                    && frame.toneEnergy < Self.residue * other.toneEnergy
        }
    }

    /// Whether a frame shares the time of another one and is its word, but for a few symbols at the ends, read a few symbols early or late:
    /// an echo of it, or the same chirp out of another loudspeaker, makes such words.
    private func isShiftedWord(_ frame: DecodedFrame, of other: DecodedFrame) -> Bool {
        frame.overlaps(other, by: 0)
            && Codeword.ambiguousShifts.contains { other.codeword.codeword(symbolsLater: $0) == frame.codeword }
    }

    /// Reports the pending frames that nothing better can replace any more.
    private mutating func emitDue() {
        guard !pending.readings.isEmpty else { return }
        // Each is one chirp less in the ring; the bound is for sounds that cancellation does not touch.
        for _ in 0..<16 {
            rejectPartialFrames()
            guard let frame = pending.takeReady(horizon: ring.horizon) else { return }
            let better = resolvingShiftAmbiguity(frame)
            if better.codeword != frame.codeword, !pending.isReady(better, horizon: ring.horizon) {
                pending.readings.append(better)
            } else {
                accept(better)
            }
        }
    }

    /// Asks of each pending frame that is not certain, once its end has been heard, whether it is a part of a later chirp, or
    /// a poor reading of one of another tempo or pitch. What may as well be a part is dropped: nothing is told long after it
    /// was heard.
    private mutating func rejectPartialFrames() {
        while let index = pending.firstToCompare(horizon: ring.horizon) {
            let frame = pending.readings[index]
            let context = context(at: frame.timing.startSample)
            pending.readings[index].marginOverLater = decoder.marginOverLater(frame, ring)
            let middle = frame.timing.middle(nominalSamples: decoder.frameSamples)
            if budget.allows(.look, counting: &decoder.work),
                let other = decoder.decodeWide(ring, middle: middle, periodRatio: 1, context), other.isSure
            {
                enqueue(other)
            }
            // What is told of copies is to be decided by all of them.
            let combines = combiner != nil
            pending.readings.removeAll {
                guard let margin = $0.marginOverLater else { return false }
                return margin <= Self.minimumMarginOverLater || combines && $0.logOdds <= Self.minimumLogOddsInDoubt
            }
        }
    }

    /// Reports a frame, takes it out of the ring, and looks again at what lay under it.
    private mutating func accept(_ frame: DecodedFrame) {
        let refined = frame.isRefined ? frame : decoder.withRefinedTiming(frame, ring)
        report(refined)
        if let under = searchAgain(around: refined) { enqueue(under) }
    }

    private mutating func resolvingShiftAmbiguity(_ frame: DecodedFrame) -> DecodedFrame {
        let other = decoder.resolvingShiftAmbiguity(frame, ring, context(at: frame.timing.startSample))
        let isGood = other.isSure || !frame.isSure && other.logOdds > reportingLogOdds(of: other)
        return isGood && !isResidualOfReported(other) ? other : frame
    }

    private mutating func report(_ frame: DecodedFrame) {
        reported.removeAll { $0.endSample < Double(ring.origin) }
        reported.append(frame)
        let isCounted = isReportedCopy(frame)
        noteRepeated(frame.codeword, at: frame.timing.startSample)
        // One that was found again when another was taken out is waiting, too.
        let symbolSamples = decoder.symbolSamples
        pending.readings.removeAll { $0.isRepetition(of: frame, symbolSamples: symbolSamples) }
        falseStarts = falseStarts.filter { !isBeside($0, frame) }
        let details = decoder.details(of: frame, ring)
        let noise = canceller.cancel(&ring, timing: frame.timing, pitchesHertz: details.pitchesHertz)
        // The middle is what the search tells best: an error of its tempo moves the start by as much as a millisecond.
        let middle = frame.timing.middle(nominalSamples: decoder.frameSamples)
        let start = (middle - 0.5 * decoder.frameSamples / details.speed) / sampleRateHertz
        let signal = max(details.signalPower, 1e-12 * noise)
        guard !isCounted else { return }
        found.append(
            detection(
                of: frame, startSeconds: start, snr: noise > 0 ? signal / noise : .infinity,
                correctedSymbolCount: details.correctedSymbolCount, tuningCents: details.tuningCents,
                speed: details.speed))
    }

    /// What is reported of a frame.
    ///
    /// - Parameter snr: power over the noise power in the whole band.
    func detection(
        of frame: DecodedFrame, startSeconds: Double, snr: Double, correctedSymbolCount: Int, tuningCents: Double = 0,
        speed: Double = 1, repeats: Int = 1
    ) -> DetectedChirp {
        // As little as a sixteenth of a symbol before the first sample is the error of the estimate, and no beginning cut off.
        let isFromStart = startSeconds > -format.symbolSeconds / 16
        return DetectedChirp(
            codeword: frame.codeword, startSeconds: isFromStart ? max(0, startSeconds) : startSeconds,
            durationSeconds: format.frameSeconds / speed, snrDecibels: min(120, max(-60, 10 * Double.log10(snr))),
            correctedSymbolCount: correctedSymbolCount, confidence: frame.confidence, tuningCents: tuningCents,
            speed: speed, format: format, repeats: repeats)
    }

    /// Scans the time of a frame that was taken out once more; gives the most likely other one, certain enough to report.
    private mutating func searchAgain(around frame: DecodedFrame) -> DecodedFrame? {
        let blocks = scan.blockCount
        let firstChanged = Int((frame.timing.startSample + Double(ring.silence)) / scan.blockSamples) - 1
        // The first block that is still there as a whole, and that may be gone back to.
        let oldest = Int((Double(ring.origin + ring.silence) / scan.blockSamples).rounded(.up))
        let first = NoiseFloors.keptStart(from: oldest)
        // The first symbol start that has a part in what was changed.
        scan.rewind(to: max(first, firstChanged - CoarseAcquisition.blocksPerSymbol + 1))
        while scan.blockCount < blocks { takeBlock() }
        let earliest = max(first, firstChanged - scan.frameBlocks, blocks - Self.searchedFrames * scan.frameBlocks)
        let latest = blocks - scan.frameBlocks
        guard latest - earliest >= 2 * CandidateDetector.reach else { return nil }
        let all = (earliest...latest).map { scan.metrics(start: $0) }
        window = Array(all.suffix(window.count))
        hopelessReadings = []
        latestClearStart = Int.min / 2
        // What a loud chirp was must not hide the next one.
        detector = pastDetectors[CoarseAcquisition.place(of: earliest)]
        for (offset, metrics) in all.enumerated() { follow(metrics, start: earliest + offset) }
        var best: DecodedFrame?
        for middle in CandidateDetector.reach..<all.count - CandidateDetector.reach {
            let around = Array(all[middle - CandidateDetector.reach...middle + CandidateDetector.reach])
            guard let other = decodeCandidate(around, start: earliest + middle),
                other.logOdds > Self.minimumLogOdds, other.logOdds > best?.logOdds ?? -.infinity,
                !isResidualOfReported(other)
            else { continue }
            best = other
        }
        return best
    }
}
