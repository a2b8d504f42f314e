internal import RealModule

/// Finds copies of one chirp, each too weak to be decoded, by their equal distance, and adds up their energies.
///
/// In three steps, each dearer and rarer than the one before: the acquisition's own metric of the newest place and of those before it at some
/// distance is added up; the energies of the tones at the places that stand out, symbol by symbol, and those of older copies that make the chain
/// likelier, of more than two if they are on one line; and the same with each copy at its likeliest place between two blocks. That noncoherent copies are
/// added before anything is decided is how weak-signal programs for moonbounce average (J. Taylor, S. Franke and B. Somerville, "Work the World
/// with WSJT-X", 2017; averaging in JT65 and Q65).
package struct CopyCombiner: Sendable {
    /// Distances of copies from start to start, in seconds.
    static let spacings = 1.8...15.0
    /// Copies that are added up at most.
    static let maximumCopyCount = 16

    let format: WireFormat
    private let lags: ClosedRange<Int>
    private var scores: ScoreHistory
    private var places: [Int] = []
    private var sums: CopySums
    private let delays: DelaySearch
    private let decoder: SoftDecoder
    /// What the scores of a word and its preamble must sum up to at a glance.
    private let minimumWordScore: Float
    /// What may go on, in no order.
    private var tracks: [Track] = []
    /// Before this start none is due.
    private var nextDue = Int.max
    /// What is asked of chains, by what was lately received.
    private var demands = Demands.steadyNoise
    /// Roughness of the latest frames.
    private var roughness = greatestRoughness
    // The white-noise figures of the metric.
    private var baseline = CandidateDetector.Baseline(mean: -5, deviation: 2.6)
    private(set) var work = Work()
    /// What may be spent, in microseconds of one core as measured: it grows with each start, so that no sound costs more than its share.
    private var credit: Float = greatestCredit

    /// What was spent, in operations that do not depend on the machine.
    package struct Work: Sendable {
        /// Newest places that were a peak, and distances from them that were followed back.
        package var peaks = 0
        package var pairs = 0
        /// Copies whose energies were computed to place them between blocks, and sums that were decoded.
        package var weighed = 0
        package var decoded = 0
    }

    /// Scores, in standard deviations, beyond which none counts, so that one copy neither makes nor spoils a chain.
    private static let highestScore: Float = 6
    private static let lowestScore: Float = -1.5
    /// What the newest place must have.
    private static let minimumScore: Float = 0.2
    /// What the scores of the newest two, in one channel and in several, three and four copies must sum up to.
    private static let minimumSums: (two: Float, twoInChannels: Float, three: Float, four: Float) = (4.5, 3.5, 4.6, 5.2)
    /// What the scores of so many copies say: the logarithm of the likelihood ratio is so much for each of them less the penalty. A chain whose
    /// scores sum up to less than what is hopeless is not followed further; one more copy moves the distance by a share of what it is off.
    private struct Outlook: Sendable {
        let weight: Float
        let penalty: Float
        let hopeless: Float
        let share: Double

        init(copies: Int) {
            let count = Float(max(1, copies))
            // Deviations by which a copy's metric stands out at the level at which half of so many copies come through.
            weight = 3.4 / Float.pow(count, 0.39)
            penalty = 0.5 * weight * weight * count
            // A standard deviation less than sixteen copies have, at their level.
            hopeless = 1.15 * count - count.squareRoot()
            share = 0.5 / Double(count)
        }
    }
    private let outlooks = (0...maximumCopyCount).map { Outlook(copies: $0) }
    /// What is asked of a chain before it is looked at between blocks, by what was lately received: logarithms of likelihood ratios, in nats.
    private struct Demands: Sendable {
        /// By its scores: in one channel, and in several.
        let scoreLLR: (alone: Float, inChannels: Float)
        /// By the best tones of the copies that its scores tell: of few copies, and of more.
        let firstLLR: (few: Float, many: Float)
        /// Of their preamble; nil where that is not asked for.
        let firstPreambleLLR: Float?
        /// By the best tones of all copies, from which on the next one is awaited, and from which on all tones count.
        let trackLLR: Float
        let llr: Float
        /// What each start adds to what may be spent, in microseconds.
        let creditPerStart: Float

        static let steadyNoise = Demands(
            scoreLLR: (4, 3), firstLLR: (5.5, 8), firstPreambleLLR: nil, trackLLR: 8, llr: minimumLLR - 1,
            creditPerStart: 30)
        /// Where something else was received chains are plentiful, more is asked of words (``Receiver/Demand/elsewhere``), and more looks would
        /// find few more chirps. Of 197 sums in music and speech that made words the least had 67 nats at first, and 38 where a chain went on.
        static let elsewhere = Demands(
            scoreLLR: (7, 3), firstLLR: (50, 50), firstPreambleLLR: 3, trackLLR: 35, llr: clearLLR, creditPerStart: 6)
    }
    /// Logarithm of the likelihood ratio by the best tones from which on a chain must make a word at a glance, whatever was received: what its
    /// preamble must have, that for each copy more than two, and the evidence for the word, in nats. Of 161 sums in music and speech that made
    /// words six have less in their preambles, none less than 60 nats, and four less evidence; seven in eight of the chains that make none have
    /// less in their preambles, and of the others 2 in 100 have as much evidence.
    private static let clearLLR: Float = 60
    private static let minimumOfClear: (preambleLLR: Float, perCopy: Float, evidence: Float) = (10, 1, 3)
    /// What the scores of more than so many copies tell less than their tones do, in nats.
    static let fewCopies = 4
    private static let bonusOfMany: Float = 2
    /// The more that is asked of these between blocks: of such sums as make words none has less.
    private static let surplusOfMany: Float = 4
    /// The most that is saved up of what may be spent, and what is spent on a distance, on the tones of a chain at a glance and in full, on its
    /// word at a glance, on each copy between blocks, on each search of a copy's delay, and on decoding, in microseconds.
    private static let greatestCredit: Float = 20_000
    /// What must be left for any chain of a start but the likeliest.
    private static let minimumCreditForMore: Float = 10_000
    private static let costs = (
        lag: Float(0.1), bestTones: Float(2), allTones: Float(6), word: Float(30), copy: Float(25), delay: Float(20),
        decoding: Float(400)
    )
    /// What the greatest of three successive scores is more than any of them.
    private static let choiceBias: Float = 0.4
    /// How many chains that end with a start are followed, the likeliest at distances that differ by more than so many blocks: a copy that is
    /// clear by itself makes many that are likely.
    private static let followedChains = 4
    static let likeDistances = 3
    /// How many chains are awaited at once.
    private static let maximumTracks = 128
    /// How much more is asked of what came so: the place of each copy was chosen by the tones.
    private static let surplusOfTracks: Float = 3
    /// What a chain must have more than the clearest of its copies alone, in nats.
    private static let minimumGain: Float = 1
    /// Logarithm of the likelihood ratio that a chain must have by all tones, at times half a block apart, and at times a quarter apart.
    private static let minimumLLR: Float = 8
    private static let minimumCoarseLLR: Float = 9
    private static let minimumRefinedLLR: Float = 11
    /// What further looks at times a quarter of a block apart may add to it.
    private static let greatestRefinement: Float = 5.5
    /// What more than a few copies on one line must have by their best tones: of 26 sums of eight copies that made words two have less, and of 1,204
    /// chains of noise 1,103.
    private static let minimumLineLLR: Float = 13
    /// What copies that are decoded must have: by their amplitudes, and by their energies.
    private static let minimumFrameLLR: (aligned: Float, other: Float) = (12, 14)
    /// What the preamble must have: of 297 sums in steady noise that made words none has less, and most that repeats in music has.
    private static let minimumPreambleLLR: Float = -1.5
    /// Roughness of the latest frames in steady noise (``ToneHistory/roughness(of:symbolCount:)``): in the frames of 241 sums in white noise that made
    /// words it was 1.94 at most, and more than 2 in those of 240 of 278 chains in music that was taken for noise by its metric.
    private static let greatestRoughness: Float = 2
    /// From how many starts on to the next ones the roughness of a frame is measured, and the share of the newest.
    private static let roughnessStarts = 16
    private static let roughnessRate: Float = 1.0 / 8

    init(format: WireFormat) {
        self.format = format
        sums = CopySums(format: format)
        delays = DelaySearch(format)
        decoder = SoftDecoder(code: ReedSolomon(format: format))
        minimumWordScore = Self.minimumOfClear.evidence + FrameDecoder.dataPrior(of: format)
        lags = Self.lags(of: format)
        scores = ScoreHistory(
            minimumScore: Self.lowestScore, length: Self.keptBlocks(of: format), longestLag: lags.upperBound)
    }

    /// Distances of copies in blocks. Scores are looked at in eights.
    private static func lags(of format: WireFormat) -> ClosedRange<Int> {
        let starts = Double(CoarseAcquisition.blocksPerSymbol) / format.symbolSeconds
        return max(8, Int(spacings.lowerBound * starts))...max(8, Int(spacings.upperBound * starts)) + 1
    }

    /// The blocks of which is to be known what was received: those from the first of as many copies as there may be on, at the greatest distance, and
    /// four frames more, as clocks differ, and frames are read some symbols early.
    static func keptBlocks(of format: WireFormat) -> Int {
        let frameBlocks = CoarseAcquisition.blocksPerSymbol * format.frameSymbolCount
        return (maximumCopyCount - 1) * lags(of: format).upperBound + 4 * frameBlocks
    }

    /// Counts the decoding of a chain.
    mutating func noteDecoding() {
        work.decoded += 1
        credit -= Self.costs.decoding
    }

    /// Takes the metric of a start; nil where nothing is known of it.
    mutating func follow(_ metric: Float?, start: Int) {
        guard let metric else { return scores.set(Self.lowestScore, start: start) }
        baseline.follow(metric)
        let score = (metric - baseline.mean) / baseline.deviation
        scores.set(max(Self.lowestScore, min(Self.highestScore, score)), start: start)
    }

    /// What the likeliest copies say that are worth decoding, the newest of which begins with a start, if that is a peak, or about there, where one
    /// was due: for each of some distances, those first whose energies are likeliest.
    ///
    /// - Parameter isSteadyNoise: whether for some time nothing but steady noise was received.
    mutating func copies(
        endingAt start: Int, isSteadyNoise: Bool, _ history: borrowing ToneHistories
    ) -> [CopyEvidence] {
        if start % Self.roughnessStarts == 0 {
            let own = history.first.roughness(of: start, symbolCount: format.frameSymbolCount)
            roughness += (own - roughness) * Self.roughnessRate
        }
        demands = isSteadyNoise && roughness < Self.greatestRoughness ? .steadyNoise : .elsewhere
        var found: [CopyEvidence] = []
        for (number, chain) in chains(endingAt: start, history).enumerated() {
            // Less likely ones are not worth what later copies may need.
            guard number == 0 || credit > Self.minimumCreditForMore else { break }
            guard let refined = refined(chain, history) else { continue }
            let copies = evidence(of: refined, history)
            if copies.soft.frameLLR > (copies.areAligned ? Self.minimumFrameLLR.aligned : Self.minimumFrameLLR.other) {
                found.append(copies)
            }
        }
        return found
    }

    /// The likeliest chains of copies that end with a start: those that go on there, and others if it is a peak.
    private mutating func chains(endingAt start: Int, _ history: borrowing ToneHistories) -> [Chain] {
        let channelCount = Float(history.channelCount)
        credit = min(Self.greatestCredit * channelCount, credit + demands.creditPerStart * channelCount)
        let due = takeDueTracks(start, maximumCount: Self.maximumCopyCount / history.channelCount)
        let (before, own, after) = scores.around(start)
        let isPeak = own > Self.minimumScore && own >= before && own > after
        guard isPeak || !due.isEmpty else { return [] }
        guard credit > 0 else { return [] }
        let isAlone = history.channelCount == 1
        var histories = copy history
        var found: [Chain] = []
        for track in due {
            places = track.places
            if !isAlone { histories = withLikeliestDelays(history) }
            credit -= Self.costs.bestTones
            sums.set(places, histories)
            let llr = sums.follow(at: start - 1...start + 1, histories)
            awaitNext(llr)
            guard llr > track.llr, isLikePreamble() else { continue }
            consider(llr, lag: sums.places[0] - sums.places[1], among: &found, surplus: Self.surplusOfTracks, histories)
        }
        guard isPeak else { return found }
        work.peaks += 1
        let least = Self.minimumSums
        let two = isAlone ? least.two : least.twoInChannels
        for lag in scores.lags(in: lags, before: start, exceeding: (two, least.three, least.four)) {
            work.pairs += 1
            credit -= Self.costs.lag
            guard findPlaces(endingAt: start, lag: lag, history) else { continue }
            if !isAlone { histories = withLikeliestDelays(history) }
            credit -= Self.costs.bestTones
            let first = sums.llrOfBestTones(at: places, histories)
            let minimum = places.count > Self.fewCopies ? demands.firstLLR.many : demands.firstLLR.few
            guard first > minimum else { continue }
            sums.set(places, histories)
            guard isLikePreamble() else { continue }
            let llr = sums.extend(from: first, histories)
            credit -= Self.costs.bestTones * Float(sums.places.count - places.count + 1)
            awaitNext(llr)
            consider(llr, lag: lag, among: &found, histories)
        }
        return found
    }

    /// Takes the chains whose next copy is due, of as many copies at most: what more channels hear together than before may be more than is added up.
    private mutating func takeDueTracks(_ start: Int, maximumCount: Int) -> [Track] {
        guard nextDue <= start else { return [] }
        nextDue = .max
        var due: [Track] = []
        var index = 0
        while index < tracks.count {
            if tracks[index].next > start {
                nextDue = min(nextDue, tracks[index].next)
                index += 1
            } else {
                due.append(tracks.remove(at: index))
            }
        }
        return due.filter { $0.places.count <= maximumCount }
    }

    /// Whether the copies at hand have a preamble, where that tells a chirp from what else was received.
    private func isLikePreamble() -> Bool {
        guard let minimum = demands.firstPreambleLLR else { return true }
        return sums.preambleLLR() > minimum
    }

    /// Whether the copies at hand make a word at a glance.
    @inline(never)
    private mutating func isLikeWord() -> Bool {
        let minimum = Self.minimumOfClear
        guard sums.preambleLLR() > minimum.preambleLLR + minimum.perCopy * Float(sums.places.count - 2) else {
            return false
        }
        credit -= Self.costs.word
        let scores = sums.scores(erasureProbability: SoftFrame.erasureProbability)
        // It makes the preamble likelier than other tones: of 197 sums that made words each did, and of chains that make none three in four do.
        guard scores.preamble > 0 else { return false }
        return scores.preamble + decoder.scoreAtAGlance(scores.codeword) > minimumWordScore
    }

    /// Keeps the copies at hand where they are likely enough.
    ///
    /// - Parameters:
    ///   - llr: logarithm of their likelihood ratio by their best tones.
    ///   - lag: the distance at which they were looked for.
    ///   - surplus: what they must have more than others.
    @inline(never)
    private mutating func consider(
        _ llr: Float, lag: Int, among found: inout [Chain], surplus: Float = 0, _ history: borrowing ToneHistories
    ) {
        guard llr > demands.llr, llr <= Self.clearLLR || isLikeWord() else { return }
        credit -= Self.costs.allTones
        let llr = sums.llr() - surplus
        guard llr > Self.minimumLLR, llr > clearest(history) + Self.minimumGain else { return }
        // Two copies are on a line anywhere.
        if sums.places.count > 2 {
            credit -= Self.costs.bestTones * Float(CopySums.lineCount)
            let llr = sums.straighten(history)
            guard sums.places.count <= Self.fewCopies || llr > Self.minimumLineLLR else { return }
        }
        guard sums.preambleLLR() > Self.minimumPreambleLLR else { return }
        let chain = Chain(places: history.places(of: sums.places), frameLLR: llr, lag: lag)
        // The likeliest first, at about the same distance one.
        if let like = found.firstIndex(where: { $0.isLike(chain) }) {
            guard found[like].frameLLR < llr else { return }
            found.remove(at: like)
        }
        found.insert(chain, at: found.firstIndex { $0.frameLLR < llr } ?? found.count)
        if found.count > Self.followedChains { found.removeLast() }
    }

    /// Awaits the copy after those at hand where they are likely enough, of those that are about the same the likeliest.
    private mutating func awaitNext(_ llr: Float) {
        guard llr > demands.trackLLR else { return }
        let track = Track(sums.places, llr: llr)
        nextDue = min(nextDue, track.next)
        if let like = tracks.firstIndex(where: { $0.isLike(track) }) {
            if tracks[like].llr < track.llr { tracks[like] = track }
        } else if tracks.count < Self.maximumTracks {
            tracks.append(track)
        }
    }

    /// What the channels measured, with the delays at which the copies at hand are likeliest.
    @inline(never)
    private mutating func withLikeliestDelays(_ histories: borrowing ToneHistories) -> ToneHistories {
        var (best, most) = (copy histories, sums.llrOfBestTones(at: places, histories))
        for channel in 1..<histories.channelCount {
            let current = best
            for delay in [-1, 1] {
                let other = current.delaying(channel, by: delay)
                credit -= Self.costs.bestTones
                let llr = sums.llrOfBestTones(at: places, other)
                if llr > most { (best, most) = (other, llr) }
            }
        }
        return best
    }

    /// Finds the starts of the copies at a distance whose metrics stand out most together; whether they do.
    private mutating func findPlaces(endingAt start: Int, lag: Int, _ history: borrowing ToneHistories) -> Bool {
        var spacing = Double(lag)
        var found = InlineArray<16, Int>(repeating: start)
        found[1] = start - lag
        guard found[1] > 0 else { return false }
        var sum = scores[start] + scores[start - lag]
        let isAlone = history.channelCount == 1
        // In several channels each tells less.
        let agreement = isAlone ? 1.5 * Float(history.first.agreement(start, start - lag)) - 1.9 : 0
        var (best, count) = (isAlone ? demands.scoreLLR.alone : demands.scoreLLR.inChannels, 0)
        let maximumCount = Self.maximumCopyCount / history.channelCount
        for copies in 2...maximumCount {
            let outlook = outlooks[copies]
            var llr = outlook.weight * sum - outlook.penalty
            if copies < 4 { llr += agreement / Float(copies - 1) }
            if copies > Self.fewCopies { llr += Self.bonusOfMany }
            if llr > best { (best, count) = (llr, copies) }
            guard copies < maximumCount, sum > outlook.hopeless else { break }
            // Rounded; the places beside it are looked at as well.
            let place = start &- Int(Double(copies) * spacing + 0.5)
            guard place > 0 else { break }
            // The distance is known the better, the longer the chain.
            let (before, at, after) = scores.around(place)
            let (side, beside) = before > after ? (-1, before) : (1, after)
            let offset = beside > at ? side : 0
            found[copies] = place &+ offset
            spacing -= Double(offset) * outlook.share
            sum += (beside > at ? beside : at) - Self.choiceBias
        }
        guard count > 0 else { return false }
        places.removeAll(keepingCapacity: true)
        for copy in 0..<count { places.append(found[copy]) }
        return true
    }

    /// The greatest likelihood ratio of any of the copies alone.
    private func clearest(_ history: borrowing ToneHistories) -> Float {
        var single = CopySums(format: format)
        var most: Float = 0
        for place in sums.places where scores[place] > 3 {
            single.set([place], history)
            most = max(most, single.llr())
        }
        return most
    }

    /// What the copies of a chain say together, each of them at any of the times near its place, as likely as its frame.
    private mutating func refined(_ chain: Chain, _ history: borrowing ToneHistories) -> JointCopyLikelihood? {
        let isOfMany = chain.places.count / history.channelCount > Self.fewCopies
        let surplus = isOfMany ? Self.surplusOfMany : 0
        var coarse = weighed(chain.places, step: 0.5, history)
        coarse.sweep()
        guard coarse.frameLLR > Self.minimumCoarseLLR + surplus else { return nil }
        var refinement = weighed(coarse.places, step: 0.25, history)
        refinement.sweep()
        guard refinement.frameLLR - surplus > Self.minimumRefinedLLR - Self.greatestRefinement else { return nil }
        refinement.sweep()
        refinement.sweep()
        return refinement.frameLLR - surplus > Self.minimumRefinedLLR ? refinement : nil
    }

    /// What copies say together by their amplitudes, where their sound is the same each time, which makes it likelier, and otherwise by their
    /// energies.
    private mutating func evidence(of copies: JointCopyLikelihood, _ history: borrowing ToneHistories) -> CopyEvidence {
        credit -= Self.costs.delay * Float(CoherentCopyLikelihood.searchCount(copies: copies.places.count))
        let places = copies.places
        let sounds = places.enumerated().map {
            delays.correlations(of: $0.element, beside: places[0], history[$0.offset % history.channelCount])
        }
        let byEnergies = copies.logLikelihoods
        let sum = CoherentCopyLikelihood(
            sounds, logLikelihoods: byEnergies, format, delays, of: .copies(inChannels: history.channelCount)
        ).sum
        let coherent = sum.flatMap { $0.frameLLR > copies.frameLLR ? $0 : nil }
        let logLikelihoods = coherent?.logLikelihoods ?? byEnergies
        let soft = SoftFrame(
            logLikelihoods: logLikelihoods, ratios: coherent?.energies ?? copies.meanEnergies(history),
            frameLLR: coherent?.frameLLR ?? copies.frameLLR, preamble: format.startCode)
        return CopyEvidence(
            places: places, channelCount: history.channelCount, soft: soft, logLikelihoods: logLikelihoods,
            choice: coherent?.choice ?? 0, likelihoodsOfCopies: copies.likelihoodsOfCopies, sounds: sounds)
    }

    /// The copies at times about the line near their places, a part of a block apart.
    private mutating func weighed(
        _ places: [Double], step: Double, _ history: borrowing ToneHistories
    ) -> JointCopyLikelihood {
        work.weighed += places.count
        credit -= Self.costs.copy * Float(places.count)
        return JointCopyLikelihood(
            Chain.evenPlaces(near: places, channelCount: history.channelCount), step: step, format,
            CopyLikelihood.singleRatios[places.count], history)
    }
}
