internal import RealModule

/// Finds copies of one chirp, each too weak to be decoded, by their equal distance, and adds up their energies.
///
/// In three steps, each dearer and rarer than the one before: the acquisition's own metric of the newest place and of those before it at some
/// distance is added up; the energies of the tones at the places that stand out, symbol by symbol; and the same with each copy at its
/// likeliest place between two blocks. That noncoherent copies are added before anything is decided is how weak-signal programs for moonbounce
/// average (J. Taylor, S. Franke and B. Somerville, "Work the World with WSJT-X", 2017; averaging in JT65 and Q65).
package struct CopyCombiner: Sendable {
    /// Distances of copies from start to start, in seconds.
    static let spacings = 1.8...15.0
    /// Copies that are added up at most.
    static let maximumCopyCount = 16

    /// Copies at equal distance, the newest first, by the blocks with which they start.
    struct Chain: Sendable {
        var places: [Double]
        /// Logarithm of the likelihood ratio of some chirp to none.
        var frameLLR: Float
    }

    let format: WireFormat
    private let lags: ClosedRange<Int>
    private(set) var scores = ScoreHistory(minimumScore: Self.lowestScore)
    private var places: [Int] = []
    // The white-noise figures of the metric.
    private(set) var baseline = CandidateDetector.Baseline(mean: -5, deviation: 2.6)
    private(set) var work = Work()
    /// What may be spent, in microseconds of one core as measured: it grows with each start, so that no sound costs more than its share.
    private var credit: Float = greatestCredit

    /// What was spent, in operations that do not depend on the machine.
    package struct Work: Sendable {
        /// Places that were not looked at, as too much had been spent before.
        package var dropped = 0
        /// Newest places that were a peak, and distances from them that were followed back.
        package var peaks = 0
        package var pairs = 0
        /// Chains whose tones were looked at by their greatest energies, and by all.
        package var summed = 0
        package var looked = 0
        /// Chains that were placed between blocks, and copies whose energies were computed for that.
        package var refined = 0
        package var weighed = 0
        package var decoded = 0
    }

    /// Scores, in standard deviations, beyond which none counts, so that one copy neither makes nor spoils a chain.
    private static let highestScore: Float = 6
    private static let lowestScore: Float = -1.5
    /// What the newest place must have.
    private static let minimumScore: Float = 0.2
    /// What the scores of the newest two, three and four copies must sum up to.
    private static let minimumSums: (two: Float, three: Float, four: Float) = (4.4, 5.3, 5.3)
    /// Deviations by which a copy's metric stands out at the level at which half of so many copies come through.
    private static let expectedScores: [Float] = (0...maximumCopyCount).map { 3.4 / Float.pow(Float(max(1, $0)), 0.39) }
    /// Logarithm of the likelihood ratio of a chain by its scores, from which on its tones are looked at.
    private static let minimumScoreLLR: Float = 5.5
    /// Share of the usual sum of scores below which a chain is not followed further.
    private static let hopelessShare: Float = 0.55
    /// What each start adds to what may be spent, the most that is saved up, and what is spent on a distance, on the tones of a chain at a glance
    /// and in full, on each copy between blocks, and on decoding.
    private static let creditPerStart: Float = 8
    private static let greatestCredit: Float = 20_000
    private static let costs: (lag: Float, glance: Float, look: Float, copy: Float, decoding: Float) = (
        0.2, 3, 12, 25, 400
    )
    /// What the greatest of three successive scores is more than any of them.
    private static let choiceBias: Float = 0.4
    /// What a chain must have more than the clearest of its copies alone, in nats.
    private static let minimumGain: Float = 2
    /// Logarithm of the likelihood ratio that a chain must have by the energies at whole blocks, and summed over times between them.
    static let minimumLLR: Float = 8
    static let minimumRefinedLLR: Float = 14
    /// What further looks at those times may add to it.
    static let greatestRefinement: Float = 5.5

    init(format: WireFormat) {
        self.format = format
        let starts = Double(CoarseAcquisition.blocksPerSymbol) / format.symbolSeconds
        // Scores are looked at in eights.
        lags = max(8, Int(Self.spacings.lowerBound * starts))...max(8, Int(Self.spacings.upperBound * starts)) + 1
    }

    // The tables for each number of copies, made once: that takes as long as half a minute of noise.
    static let likelihoodTables = (0...maximumCopyCount).map { likelihoodTable(copies: $0) }
    /// The likelihood ratios themselves.
    private static let ratioTables = likelihoodTables.map { $0.map { Float.exp($0) } }
    static let sumTables = (0...maximumCopyCount).map { sumTable(copies: $0) }
    /// As those of sums, for a symbol by its best tone.
    private static let bestToneTables = sumTables.map { $0.map { Float.log((Float.exp($0) + otherTones) / 32) } }

    /// What the tones of a symbol that are not its best are likely to be together, as a likelihood ratio.
    private static let otherTones: Float = 15

    /// Es/N0 of each of so many copies at which half of the chirps come through.
    static func design(copies: Int) -> Double { 4.3 / Double.pow(Double(max(1, copies)), 0.6) }

    /// Logarithms of the likelihood ratio of a tone to none by its energy in one of so many copies, in the history's steps.
    private static func likelihoodTable(copies: Int) -> [Float] {
        let design = design(copies: copies)
        return (0...255).map { step in
            let ratio = Double(step) / Double(ToneHistory.energySteps)
            let likelihood = Double.exp(SymbolLikelihood.logBesselI0(2 * (design * ratio).squareRoot()) - design)
            return Float(Double.log((1 - outage) * likelihood + outage))
        }
    }

    /// Logarithms of the likelihood ratio of a tone to none by the sum of its energies over so many copies, in the history's steps.
    ///
    /// The sum has a noncentral χ² distribution with twice as many degrees of freedom; its ratio to the central one is
    /// exp(−Mγ) · ₀F₁(M; Mγ e) with γ = Es/N0 (Proakis and Salehi, "Digital Communications", 5th ed., section 11.1-1).
    private static func sumTable(copies: Int) -> [Float] {
        guard copies > 0 else { return [] }
        let total = Double(copies) * design(copies: copies)
        return (0...255 * copies).map { step in
            let x = total * Double(step) / Double(ToneHistory.energySteps)
            var (term, sum, n) = (1.0, 1.0, 0.0)
            repeat {
                term *= x / ((n + 1) * (Double(copies) + n))
                sum += term
                n += 1
            } while term > 1e-9 * sum
            return Float(Double.log((1 - outage) * Double.exp(-total) * sum + outage))
        }
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

    private func score(_ start: Int) -> Float { scores[start] }

    /// The likeliest chain of copies that ends with a start, if that is a peak.
    mutating func chain(endingAt start: Int, _ history: borrowing ToneHistory) -> Chain? {
        credit = min(Self.greatestCredit, credit + Self.creditPerStart)
        let own = scores[start]
        guard own > Self.minimumScore, own >= scores[start - 1], own > scores[start + 1] else { return nil }
        guard credit > 0 else {
            work.dropped += 1
            return nil
        }
        work.peaks += 1
        var best: Chain?
        for lag in scores.lags(in: lags, before: start, exceeding: Self.minimumSums) {
            work.pairs += 1
            credit -= Self.costs.lag
            guard findPlaces(endingAt: start, lag: lag, history) else { continue }
            work.summed += 1
            credit -= Self.costs.glance
            guard approximateLLR(history) > Self.minimumLLR - 1 else { continue }
            work.looked += 1
            credit -= Self.costs.look
            let llr = frameLLR(of: places, history)
            guard llr > best?.frameLLR ?? Self.minimumLLR, llr > clearest(places, history) + Self.minimumGain
            else { continue }
            best = Chain(places: places.map(Double.init), frameLLR: llr)
        }
        return best
    }

    /// Finds the starts of the copies at a distance whose metrics stand out most together; whether they do.
    private mutating func findPlaces(endingAt start: Int, lag: Int, _ history: borrowing ToneHistory) -> Bool {
        var spacing = Double(lag)
        var found = InlineArray<16, Int>(repeating: start)
        found[1] = start - lag
        var sum = scores[start] + scores[start - lag]
        let agreement = 1.5 * Float(history.agreement(start, start - lag)) - 1.9
        var (best, count): (Float, Int) = (Self.minimumScoreLLR, 0)
        for copies in 2...Self.maximumCopyCount {
            let expected = Self.expectedScores[copies]
            var llr = expected * sum - 0.5 * expected * expected * Float(copies)
            if copies < 4 { llr += agreement / Float(copies - 1) }
            if llr > best { (best, count) = (llr, copies) }
            guard copies < Self.maximumCopyCount, sum > Self.hopelessShare * expected * Float(copies) else { break }
            // Rounded; the places beside it are looked at as well.
            let place = start - Int(Double(copies) * spacing + 0.5)
            // The distance is known the better, the longer the chain.
            let (before, at, after) = (scores[place - 1], scores[place], scores[place + 1])
            let offset = before > at ? (before > after ? -1 : 1) : (after > at ? 1 : 0)
            found[copies] = place + offset
            spacing -= Double(offset) / Double(copies) * 0.5
            sum += max(at, max(before, after)) - Self.choiceBias
        }
        places.removeAll(keepingCapacity: true)
        for copy in 0..<count { places.append(found[copy]) }
        return count > 0
    }

    /// Logarithm of the likelihood ratio of some chirp to none, by the best tones alone.
    private func approximateLLR(_ history: borrowing ToneHistory) -> Float {
        let (sums, bestTones) = (Self.sumTables[places.count], Self.bestToneTables[places.count])
        var total: Float = 0
        for symbol in 0..<format.frameSymbolCount {
            let offset = CoarseAcquisition.blocksPerSymbol * symbol
            var (low, high) = (SIMD16<Int16>(), SIMD16<Int16>())
            for place in places {
                history.addEnergies(place + offset, to: &low, &high)
            }
            if symbol < format.startCode.count {
                let tone = Int(format.startCode[symbol])
                total += sums[Int(tone < 16 ? low[tone] : high[tone - 16])]
            } else {
                total += bestTones[Int(Self.greatest(low, high))]
            }
        }
        return total
    }

    /// The greatest element of two vectors, lane by lane, as compilers make one instruction of these.
    @inline(never)
    private static func greatest(_ low: SIMD16<Int16>, _ high: SIMD16<Int16>) -> Int16 {
        var most = low
        for lane in 0..<16 { most[lane] = high[lane] > most[lane] ? high[lane] : most[lane] }
        var eight = most.lowHalf
        for lane in 0..<8 { eight[lane] = most[lane + 8] > eight[lane] ? most[lane + 8] : eight[lane] }
        var four = eight.lowHalf
        for lane in 0..<4 { four[lane] = eight[lane + 4] > four[lane] ? eight[lane + 4] : four[lane] }
        return max(max(four[0], four[1]), max(four[2], four[3]))
    }

    /// The greatest likelihood ratio of any of the places alone.
    private func clearest(_ places: [Int], _ history: borrowing ToneHistory) -> Float {
        var most: Float = 0
        for place in places where scores[place] > 3 { most = max(most, frameLLR(of: [place], history)) }
        return most
    }

    private func frameLLR(of places: [Int], _ history: borrowing ToneHistory) -> Float {
        let ratios = Self.ratioTables[places.count]
        let table = ratios.span
        var products = [Float](repeating: 1, count: 32)
        var total: Float = 0
        for symbol in 0..<format.frameSymbolCount {
            // A float has room for the ratios of sixteen copies.
            var values = products.mutableSpan
            for row in stride(from: 0, to: 32, by: 8) { values.setEight(at: row, SIMD8(repeating: 1)) }
            for place in places {
                history.multiply(&values, by: table, place &+ CoarseAcquisition.blocksPerSymbol &* symbol)
            }
            if symbol < format.startCode.count {
                total += Float.log(values[Int(format.startCode[symbol])])
            } else {
                var sum = values.span.eight(at: 0) + values.span.eight(at: 8)
                sum += values.span.eight(at: 16) + values.span.eight(at: 24)
                total += Float.log(sum.total * (1.0 / 32))
            }
        }
        return total
    }

    /// What the copies of a chain say together, each of them at any of the times near its place, as likely as its frame.
    mutating func refined(
        _ chain: Chain, _ history: borrowing ToneHistory
    ) -> (chain: Chain, logLikelihoods: [Float], ratios: [Float])? {
        work.refined += 1
        var refinement = JointCopyLikelihood(chain.places, format, Self.ratioTables[chain.places.count], history)
        work.weighed += chain.places.count
        credit -= Self.costs.copy * Float(chain.places.count)
        refinement.sweep()
        guard refinement.frameLLR > Self.minimumRefinedLLR - Self.greatestRefinement else { return nil }
        refinement.sweep()
        refinement.sweep()
        guard refinement.frameLLR > Self.minimumRefinedLLR else { return nil }
        return (
            Chain(places: refinement.places, frameLLR: refinement.frameLLR), refinement.logLikelihoods,
            refinement.meanEnergies
        )
    }
}

private let outage = Double(SymbolLikelihood.outage)
