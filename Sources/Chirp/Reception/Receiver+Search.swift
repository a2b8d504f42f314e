internal import RealModule

extension Receiver {
    /// Synchronisation by the energies of the scan, off by up to an eighth of a symbol, and that of the better of the places
    /// beside it, which a frame has and a peak of noise has not: together they must have this for a closer look. Of 1,266
    /// places picked in an hour of white noise 338 have it, and each of 1,112 frames reported at −25 to −26.5 dB.
    static let leastScanned: Float = -15
    /// Frames more likely than this, as a logarithm of odds, may be reported.
    static let leastLogOdds: Float = 0.3
    /// Frames more likely than this are reported as soon as their end has been heard.
    static let certainLogOdds: Float = 8
    /// So are others whose lead over chirps that begin later is more than this. Of 2,700 chirps at −23.5 to −26.5 dB each of 524
    /// right ones that were not certain had more, and of 35 mixtures of a chirp that was still to come seven.
    static let promptLead: Float = 1.5
    /// Synchronisation by the energies of the scan from which on a start is looked at without awaiting those after it. Of 200 chirps
    /// in a room of RT60 1.5 s 190 are recovered with 40, with 80 187 as with none.
    static let leastGlanced: Float = 20
    /// What the start code gives at least where it is heard: both its tones, of which each gives 3.4 at most. A frame taken
    /// one symbol too early between two tempi still has something of both.
    static let certainOpening: Float = 5

    /// Block 0 begins with the silence before the first sample.
    private func sample(ofBlock block: Int) -> Int { scan.blockStart(block) - recording.silence }

    /// Takes all whole blocks that are there.
    mutating func advance() {
        while true {
            let next = sample(ofBlock: scan.blockCount + 1)
            guard next <= recording.end else { return }
            recording.horizon = next
            takeBlock(at: sample(ofBlock: scan.blockCount))
            let newest = scan.blockCount - scan.frameBlocks
            guard newest >= 0 else { continue }
            let metrics = scan.metrics(start: newest)
            follow(metrics, start: newest)
            glance(metrics, start: newest)
            window.append(metrics)
            if window.count > 2 * CandidatePicker.reach + 1 { window.removeFirst() }
            guard window.count == 2 * CandidatePicker.reach + 1 else { continue }
            let candidate = newest - CandidatePicker.reach
            if let frame = examine(window, start: candidate) { hold(frame) }
            releaseHeld()
        }
    }

    /// Lets the picker follow the metrics of a start, and remembers what it was before.
    private mutating func follow(_ metrics: FrameMetrics, start: Int) {
        pastPickers[start % pastPickers.count] = picker
        picker.follow(metrics)
    }

    private mutating func takeBlock(at start: Int) {
        scan.process(recording, at: start, transform: &blockTransform)
    }

    /// Takes a short look at the newest start, be it a peak or not, and keeps what is certain.
    ///
    /// In a room a chirp is heard many times over. Where its echoes together are strongest it may be late, or each symbol be hidden
    /// by the echoes of the one before, while a little earlier or later it is plain. Of 800 chirps in rooms of RT60 1.0 and 1.5 s
    /// 780 are recovered so instead of 762, and one wrong code is told instead of four.
    private mutating func glance(_ metrics: FrameMetrics, start: Int) {
        guard metrics.exact > picker.exactThreshold, scan.synchronisation(start: start) > Self.leastGlanced else {
            return
        }
        let first = Double(sample(ofBlock: start))
        prepareDecoder(forFrameAt: first)
        if let frame = decoder.glance(recording, start: first), frame.logOdds > Self.certainLogOdds { hold(frame) }
    }

    /// Looks closer at the middle of a window of metrics when it is worth it.
    private mutating func examine(_ window: [FrameMetrics], start: Int) -> DecodedFrame? {
        let pick = picker.pick(window)
        guard pick.isExact || pick.isWide else { return nil }
        let first = Double(sample(ofBlock: start))
        prepareDecoder(forFrameAt: first)
        var best: DecodedFrame?
        if pick.isExact, isPromising(start) {
            best = decoder.decodeExact(recording, start: first)
        }
        if pick.isWide, (best?.logOdds ?? -1) < Self.certainLogOdds {
            let half = Double(scan.frameBlocks) / 2 * scan.blockSamples
            let frame = decoder.decodeWide(
                recording, middle: first + half, stretch: window[CandidatePicker.reach].wideStretch)
            if let frame, frame.logOdds > best?.logOdds ?? -.infinity { best = frame }
        }
        // A place that is looked at again is the same one, and what is left of a chirp looks like one.
        if let best, best.logOdds <= Self.leastLogOdds, best.synchronisation > 14, !falseStarts.contains(first),
            !reported.contains(where: { isBeside(first, $0) })
        {
            falseStarts.append(first)
        }
        return best
    }

    /// Tells the decoder what was heard before a frame.
    private mutating func prepareDecoder(forFrameAt sample: Double) {
        falseStarts.removeAll { $0 < sample - 60 * sampleRateHertz }
        // Readings of the same sound a few symbols off are no false starts.
        decoder.falseStarts = falseStarts.count { $0 < sample - besideSamples }
        decoder.isCalm = picker.isCalm
    }

    /// How far from a frame's start what looks like a chirp may be made of it.
    private var besideSamples: Double { 1.2 * format.frameSeconds * sampleRateHertz }

    private func isBeside(_ sample: Double, _ frame: DecodedFrame) -> Bool {
        abs(sample - frame.hypothesis.startSample) < besideSamples
    }

    private func isPromising(_ start: Int) -> Bool {
        let beside = max(scan.synchronisation(start: start - 1), scan.synchronisation(start: start + 1))
        return scan.synchronisation(start: start) + beside > Self.leastScanned
    }

    /// Keeps a reading until it is released, or drops it.
    private mutating func hold(_ reading: DecodedFrame) {
        guard reading.logOdds > Self.leastLogOdds, !isEcho(reading) else { return }
        let slack = format.symbolSeconds * sampleRateHertz
        let rivals = held.indices.filter { held[$0].overlaps(reading, by: slack) }
        var frame = reading
        for index in rivals where held[index].codeword == frame.codeword {
            frame.earliestEnd = min(frame.earliestEnd, held[index].earliestEnd)
            held[index].earliestEnd = frame.earliestEnd
        }
        guard rivals.allSatisfy({ outranks(frame, held[$0]) }) else { return }
        for index in rivals.reversed() { held.remove(at: index) }
        held.append(frame)
    }

    /// Whether a frame is the better reading of the sound that it shares with another one.
    private func outranks(_ frame: DecodedFrame, _ other: DecodedFrame) -> Bool {
        guard isSure(frame) == isSure(other) else { return isSure(frame) }
        // Nothing is left to wait for.
        if frame.codeword == other.codeword, isSure(frame), isWhole(frame), !isWhole(other) { return true }
        return frame.merit > other.merit
    }

    private func isSure(_ frame: DecodedFrame) -> Bool {
        frame.logOdds > Self.certainLogOdds && frame.openingEvidence > Self.certainOpening
    }

    /// How long a frame is awaited beyond its end, in symbols, as without its last tone it would be told to be faster than it is.
    /// All waits are a little less than whole quarters, lest frames found at the same part of a block be due or not by rounding.
    private static let wait = 0.24
    /// How long one that may be another word a symbol or two later is: half of that one's last tone helps to tell.
    private static let ambiguousWait = 0.49
    /// How long at most beyond the earliest end of all readings of the word: in a room the best one may be of late echoes.
    private static let longestWaitInRooms = 0.49
    /// As much without one, more than what is awaited: the earliest reading may be half a symbol early, and the whole chirp is to
    /// be taken out.
    private static let earliestReading = 0.5
    /// Spread of the levels of a chirp's tones from which on echoes, or noise, are in them.
    private static let leastUneven: Float = 0.2

    /// Whether all that is awaited of a frame has been heard.
    private func isWhole(_ frame: DecodedFrame) -> Bool {
        let symbolSamples = format.symbolSeconds * sampleRateHertz
        let wait = frame.codeword.hasLaterReading ? Self.ambiguousWait : Self.wait
        let isEven = frame.unevenness.map { $0 < Self.leastUneven } ?? false
        let longestWait = isEven ? Self.earliestReading + wait : Self.longestWaitInRooms
        let due = min(frame.endSample + wait * symbolSamples, frame.earliestEnd + longestWait * symbolSamples)
        return due <= Double(recording.horizon)
    }

    /// Energy that cancellation may leave of a chirp, as a share.
    private static let residue: Float = 0.04

    /// Whether a frame is what is left of one that was reported: made of its tones and their echoes, or so weak that it
    /// may be made of what cancellation left.
    private func isEcho(_ frame: DecodedFrame) -> Bool {
        let slack = format.symbolSeconds * sampleRateHertz
        return reported.contains { other in
            frame.isRepetition(of: other, symbolSamples: slack)
                || other.overlaps(frame, by: slack) && frame.toneEnergy < Self.residue * other.toneEnergy
        }
    }

    /// Reports the held frames that nothing better can replace any more.
    private mutating func releaseHeld() {
        // Each is one chirp less in the recording; the bound is for sounds that cancellation does not touch.
        var remaining = 16
        while remaining > 0 {
            remaining -= 1
            doubtHeld()
            guard let index = held.firstIndex(where: { isDue($0) }) else { return }
            let frame = held.remove(at: index)
            let better = betterOfShifted(frame)
            if better.codeword != frame.codeword, !isDue(better) {
                held.append(better)
            } else {
                accept(better)
            }
        }
    }

    /// Asks of each held frame that is not certain, once its end has been heard, whether it is a part of a later chirp, or
    /// a poor reading of one of another tempo or pitch. What may as well be a part is dropped: nothing is told long after it
    /// was heard.
    private mutating func doubtHeld() {
        while let index = held.firstIndex(where: {
            $0.leadOverLater == nil && $0.logOdds <= Self.certainLogOdds && isWhole($0)
        }) {
            let frame = held[index]
            prepareDecoder(forFrameAt: frame.hypothesis.startSample)
            held[index].leadOverLater = decoder.leadOverLater(frame, recording)
            let middle = decoder.place(of: frame.hypothesis).middle
            if let other = decoder.decodeWide(recording, middle: middle, stretch: 1), isSure(other) { hold(other) }
            held.removeAll { ($0.leadOverLater ?? .infinity) <= Self.promptLead }
        }
    }

    /// Whether a held frame is to be reported.
    private func isDue(_ frame: DecodedFrame) -> Bool {
        isWhole(frame) && (frame.logOdds > Self.certainLogOdds || frame.leadOverLater != nil)
    }

    /// Reports a frame, takes it out of the recording, and looks again at what lay under it.
    private mutating func accept(_ frame: DecodedFrame) {
        let placed = decoder.placed(frame, recording)
        report(placed)
        if let under = searchAgain(around: placed) { hold(under) }
    }

    private mutating func betterOfShifted(_ frame: DecodedFrame) -> DecodedFrame {
        prepareDecoder(forFrameAt: frame.hypothesis.startSample)
        let other = decoder.betterOfShifted(frame, recording)
        let isGood = isSure(other) || !isSure(frame) && other.logOdds > Self.leastLogOdds
        return isGood && !isEcho(other) ? other : frame
    }

    private mutating func report(_ frame: DecodedFrame) {
        reported.removeAll { $0.endSample < Double(recording.origin) }
        reported.append(frame)
        // One that was found again when another was taken out is waiting, too.
        let symbolSamples = format.symbolSeconds * sampleRateHertz
        held.removeAll { $0.isRepetition(of: frame, symbolSamples: symbolSamples) }
        falseStarts = falseStarts.filter { !isBeside($0, frame) }
        let details = decoder.details(of: frame, recording)
        let outcome = canceller.cancel(&recording, hypothesis: frame.hypothesis, pitchesHertz: details.pitchesHertz)
        // As little as a sixteenth of a symbol before the first sample is the error of the estimate, and no beginning cut off.
        let start = frame.hypothesis.startSample / sampleRateHertz
        let startSeconds = start > -format.symbolSeconds / 16 ? max(0, start) : start
        let noise = outcome.remainingPower / max(0.05, 1 - outcome.noiseShare)
        let signal = max(details.signalPower, 1e-12 * noise)
        let snr = noise > 0 ? 10 * Double.log10(signal / noise) : 120
        found.append(
            DetectedChirp(
                codeword: frame.codeword, startSeconds: startSeconds,
                durationSeconds: format.frameSeconds * frame.hypothesis.stretch,
                snrDecibels: min(120, max(-60, snr)), correctedSymbolCount: details.correctedSymbolCount,
                confidence: 1 / (1 + Double.exp(-Double(frame.logOdds))), tuningCents: details.tuningCents,
                speed: details.speed))
    }

    /// Scans the time of a frame that was taken out once more; gives the most likely other one, certain enough to report.
    private mutating func searchAgain(around frame: DecodedFrame) -> DecodedFrame? {
        let blocks = scan.blockCount
        let firstChanged = Int((frame.hypothesis.startSample + Double(recording.silence)) / scan.blockSamples) - 1
        // The first block that is still there as a whole.
        let first = Int((Double(recording.origin + recording.silence) / scan.blockSamples).rounded(.up))
        // The first symbol start that has a part in what was changed.
        scan.rewind(to: max(first, firstChanged - ToneScan.blocksPerSymbol + 1))
        while scan.blockCount < blocks { takeBlock(at: sample(ofBlock: scan.blockCount)) }
        let earliest = max(first, firstChanged - scan.frameBlocks, blocks - Self.searchedFrames * scan.frameBlocks)
        let latest = blocks - scan.frameBlocks
        guard latest - earliest >= 2 * CandidatePicker.reach else { return nil }
        let all = (earliest...latest).map { scan.metrics(start: $0) }
        window = Array(all.suffix(window.count))
        // What a loud chirp was must not hide the next one.
        picker = pastPickers[earliest % pastPickers.count]
        for (offset, metrics) in all.enumerated() { follow(metrics, start: earliest + offset) }
        var best: DecodedFrame?
        for middle in CandidatePicker.reach..<all.count - CandidatePicker.reach {
            let around = Array(all[middle - CandidatePicker.reach...middle + CandidatePicker.reach])
            guard let other = examine(around, start: earliest + middle),
                other.logOdds > Self.leastLogOdds, other.logOdds > best?.logOdds ?? -.infinity,
                !isEcho(other)
            else { continue }
            best = other
        }
        return best
    }
}
