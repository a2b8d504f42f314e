internal import RealModule

/// Adds up what several channels heard of one chirp, each with its own noise and its own delay.
///
/// The energies of each tone are added symbol by symbol, as an array of antennas is added where phases are not known (square-law combining:
/// Proakis and Salehi, "Digital Communications", 5th ed., section 13.4-1), and what stands out of the sum is looked at between blocks, and by the
/// sum of the amplitudes, which says more where all channels hear the same sound. Channels
/// that hear the same noise say the same twice: the more alike they are, the less their sum counts.
package struct ChannelCombiner: Sendable {
    /// Channels that are added up at most.
    static let maximumChannelCount = 8
    /// How many blocks later or earlier than the first channel another one may hear the same, between blocks: 30 ms and the error of a place.
    private static let greatestDelay = 1.75

    /// Where there may be a chirp.
    struct Place: Sendable {
        /// The block with which it starts in the first channel, about.
        var start: Int
        /// Where it starts in each channel, in blocks.
        var starts: [Double]
        /// What the sum of the channels' evidence counts.
        var weight: Float
    }

    /// Chirps of several channels at one time.
    struct Sum: Sendable {
        /// Where the frame starts in each channel, in blocks.
        var places: [Double]
        /// The channel in which it is plainest.
        var best: Int
        /// What they say together.
        var soft: SoftFrame
        /// The sum of the channels' amplitudes, where that is what counts.
        var coherent: CoherentSum?
        /// Whether the channels hear noise of their own, which is what the evidence of a sum counts on.
        var isIndependent: Bool
    }

    /// What the energies of the channels, delayed against the first one by whole blocks, say together.
    private struct Hypothesis: Sendable {
        let delays: [Int]
        var symbols: FrameMetricRing
        /// The metrics of the latest three starts, the newest last.
        var latest: (Float, Float, Float) = (0, 0, 0)
        /// What the sum of the channels' evidence counts.
        var weight: Float = 1
    }

    private let format: WireFormat
    private let channelCount: Int
    private let delays: DelaySearch
    private var hypotheses: [Hypothesis]
    private var likeness: ChannelLikeness
    /// The first symbol start that has not been added up.
    private var nextStart = 0
    /// Likelihood ratios of a tone to none by the sum of its energies, for each number of channels that hear anything.
    private let sumLikelihoods: [[Float]]
    /// Logarithms of it by the energy in one of the channels.
    private let logLikelihoods: [Float]
    /// Metrics of the latest starts, at the likeliest delays, until they are asked for.
    private var metrics: [(start: Int, value: Float)] = []
    /// What may be spent, in microseconds of one core as measured.
    private var credit: Float

    /// What each start adds to what may be spent for each channel, in microseconds of one core as measured, the most that is saved up, and what
    /// is spent on a channel's energies at one place, on its samples there, on each search of its delay, and on decoding.
    private static let creditPerStart: Float = 12
    private static let greatestCredit: Float = 25_000
    private static let costs: (place: Float, refinement: Float, delay: Float, decoding: Float, pattern: Float) = (
        12, 250, 20, 60, 0.004
    )

    /// Logarithm of the likelihood ratio of a frame, at whole blocks, from which on it is looked at, and between them, from which on it is decoded.
    static let minimumBlockLLR: Float = -1
    static let minimumCoarseLLR: Float = 3
    static let minimumLLR: Float = 7
    /// What the preamble must give of it: a chirp that is a few symbols off has none.
    static let minimumPreambleLLR: Float = -2
    /// Squared coherence of the channels from which on their noise is not independent: what is estimated of independent noise stays below.
    private static let minimumCoherence: Float = 0.06
    /// What each channel after the first two, and all of them at most, must add to what the amplitudes say, in nats: of many delays some suit the
    /// noise. Of 241 right words of four and eight channels one has less, and of 21 wrong ones seventeen.
    private static let priceOfMember: Float = 5
    private static let greatestPrice: Float = 13.5
    /// Steps of time by which places are refined, in blocks.
    private static let steps = [0.25, 0.125]

    init(format: WireFormat, channelCount: Int) {
        precondition(channelCount > 1 && channelCount <= Self.maximumChannelCount, "there is something to add up")
        self.format = format
        self.channelCount = channelCount
        delays = DelaySearch(format)
        credit = Self.greatestCredit * Float(channelCount)
        likeness = ChannelLikeness(channelCount: channelCount)
        hypotheses = Self.delays(channelCount: channelCount).map {
            Hypothesis(delays: $0, symbols: FrameMetricRing(preambleCount: format.startCode.count))
        }
        sumLikelihoods = Array(CopyLikelihood.sumRatios[0...channelCount])
        logLikelihoods = CopyLikelihood.single[channelCount]
    }

    /// By how many blocks the channels may be late, against the first of them: any of up to four, and of more one or all but one.
    private static func delays(channelCount: Int) -> [[Int]] {
        let late: [[Int]] =
            channelCount <= 4
            ? (0..<1 << channelCount).map { bits in (0..<channelCount).map { bits >> $0 & 1 } }
            : (-channelCount...channelCount).map { one in
                (1...channelCount).map { $0 == one || one < 0 && $0 != -one ? 1 : 0 }
            }
        return late.filter { $0.contains(0) }
    }

    /// The metrics of the starts that were added up since this was asked last, each at the likeliest delays.
    mutating func takeMetrics() -> [(start: Int, value: Float)] {
        defer { metrics.removeAll(keepingCapacity: true) }
        return metrics
    }

    /// Counts a decoding and the codewords that were tried in it.
    mutating func noteDecoding(patterns: Int64) {
        credit -= Self.costs.decoding + Self.costs.pattern * Float(patterns)
    }

    /// Adds up all that the channels have taken, up to so many blocks, and gives what looks like a chirp.
    mutating func places(blockCount: Int, _ histories: [ToneHistory]) -> [Place] {
        var found: [Place] = []
        // The symbol of the latest delay must have been taken, too.
        while nextStart + CoarseAcquisition.blocksPerSymbol + 1 <= blockCount {
            add(nextStart, histories)
            let start = nextStart - CoarseAcquisition.blocksPerSymbol * (format.frameSymbolCount - 1)
            nextStart += 1
            if start >= 0, let place = takeFrame(start, histories) { found.append(place) }
        }
        return found
    }

    /// Adds up the energies of the symbol that starts with a block.
    private mutating func add(_ start: Int, _ histories: [ToneHistory]) {
        for index in hypotheses.indices {
            var (low, high) = (SIMD16<UInt16>(), SIMD16<UInt16>())
            var liveCount = 0
            for (channel, delay) in hypotheses[index].delays.enumerated() {
                let row = histories[channel][start + delay]
                // Nothing is known of digital silence.
                guard row != ToneHistory.unknown else { continue }
                liveCount += 1
                low &+= SIMD16<UInt16>(truncatingIfNeeded: row.lowHalf)
                high &+= SIMD16<UInt16>(truncatingIfNeeded: row.highHalf)
            }
            let table = sumLikelihoods[liveCount]
            var total: Float = 0
            for lane in 0..<16 { total += table[Int(low[lane])] + table[Int(high[lane])] }
            hypotheses[index].symbols.set(start, any: Float.log(total * (1.0 / 32))) { symbol in
                let tone = Int(format.startCode[symbol])
                return Float.log(table[Int(tone < 16 ? low[tone] : high[tone - 16])])
            }
        }
        guard start % CoarseAcquisition.blocksPerSymbol == 0 else { return }
        likeness.follow(histories, at: start)
        for index in hypotheses.indices {
            hypotheses[index].weight = likeness.weight(delays: hypotheses[index].delays)
        }
    }

    /// Takes the metrics of a frame's start; what the start before it is, if that is a peak.
    private mutating func takeFrame(_ start: Int, _ histories: [ToneHistory]) -> Place? {
        let channels = Float(channelCount)
        credit = min(Self.greatestCredit * channels, credit + Self.creditPerStart * channels)
        var peak: (index: Int, llr: Float) = (0, -.infinity)
        var (before, after) = (-Float.infinity, -Float.infinity)
        for index in hypotheses.indices {
            let latest = hypotheses[index].latest
            let frame = hypotheses[index].symbols.frame(start: start, symbolCount: format.frameSymbolCount)
            let metric = frame * hypotheses[index].weight
            hypotheses[index].latest = (latest.1, latest.2, metric)
            if latest.2 > peak.llr { peak = (index, latest.2) }
            before = max(before, latest.1)
            after = max(after, metric)
        }
        metrics.append((start, after))
        // Where a channel is silent, delays a block apart are the same a block later.
        guard start > 0, peak.llr > Self.minimumBlockLLR, peak.llr >= before, peak.llr > after else { return nil }
        guard credit > 0 else { return nil }
        return coarsePlace(start - 1, hypotheses[peak.index], histories)
    }

    /// Where a chirp starts in each channel, between blocks, as far as the acquisition's blocks tell.
    private mutating func coarsePlace(_ start: Int, _ hypothesis: Hypothesis, _ histories: [ToneHistory]) -> Place? {
        let weight = hypothesis.weight
        var starts = hypothesis.delays.map { Double(start + $0) }
        var looks = 0
        func weighed(_ channel: Int, _ place: Double) -> [Float] {
            looks += 1
            return weigh(histories[channel].energies(of: place, symbolCount: format.frameSymbolCount))
        }
        var own = starts.indices.map { weighed($0, starts[$0]) }
        let llr = ascend(&starts, &own, by: [0.5, 0.25], near: start, weight: weight, weighed)
        credit -= Self.costs.place * Float(looks)
        return llr > Self.minimumCoarseLLR ? Place(start: start, starts: starts, weight: weight) : nil
    }

    /// The sum at the likeliest places, by what the channels' own samples tell about any of them.
    ///
    /// - Parameters:
    ///   - histories: of the channels.
    ///   - ratios: energies of the tones over the noise in a channel's frame that begins at a place.
    mutating func sum(_ place: Place, _ histories: [ToneHistory], ratios: (_ channel: Int, _ start: Double) -> [Float])
        -> Sum?
    {
        credit -= Self.costs.refinement * Float(channelCount)
        var starts = place.starts
        var own = starts.indices.map { weigh(ratios($0, starts[$0])) }
        let llr = ascend(&starts, &own, by: Self.steps, near: place.start, weight: place.weight) {
            weigh(ratios($0, $1))
        }
        guard llr > Self.minimumLLR else { return nil }
        let sums = marginalised(starts, own, weight: place.weight, ratios)
        let preamble = format.startCode.enumerated().reduce(Float(0)) { $0 + sums[32 * $1.offset + Int($1.element)] }
        guard preamble > Self.minimumPreambleLLR else { return nil }
        let all = starts.indices.map { ratios($0, starts[$0]) }
        // One that hears nothing at all is not the plainest.
        let alone = zip(own, all).map { $1.contains { $0 > 0 } ? frameLLR($0) : -.infinity }
        let best = alone.indices.max { alone[$0] < alone[$1] } ?? 0
        let isIndependent = isIndependent(weight: place.weight)
        var sum = Sum(
            places: starts, best: best,
            soft: SoftFrame(
                logLikelihoods: sums, ratios: Self.sum(all).map { $0 / Float(channelCount) }, frameLLR: llr,
                preamble: format.startCode),
            isIndependent: isIndependent)
        if isIndependent, let coherent = coherentSum(starts, sums, histories) {
            let others = Float(coherent.members.count - 2)
            let priced = coherent.frameLLR - min(others * Self.priceOfMember, Self.greatestPrice)
            if priced > llr {
                sum.coherent = coherent
                sum.soft = SoftFrame(
                    logLikelihoods: coherent.logLikelihoods, ratios: coherent.energies, frameLLR: priced,
                    preamble: format.startCode)
            }
        }
        return sum
    }

    /// Whether the channels hear noise of their own, whichever delays they have.
    var areIndependent: Bool { hypotheses.allSatisfy { isIndependent(weight: $0.weight) } }

    private func isIndependent(weight: Float) -> Bool {
        (1 / weight - 1) / Float(channelCount - 1) < Self.minimumCoherence
    }

    /// What the channels say by their amplitudes: where nothing but their distance from the sender tells them apart, these add up.
    private mutating func coherentSum(
        _ starts: [Double], _ logLikelihoods: [Float], _ histories: [ToneHistory]
    ) -> CoherentSum? {
        credit -= Self.costs.delay * Float(CoherentCopyLikelihood.searchCount(copies: channelCount))
        let sounds = zip(starts, histories).map { delays.correlations(of: $0, beside: starts[0], $1) }
        return CoherentCopyLikelihood(sounds, logLikelihoods: logLikelihoods, format, delays, of: .channels).sum
    }

    /// What the channels say together at all places near by, each as likely as its frame: near the limit none of them is plainly the right one.
    private func marginalised(
        _ starts: [Double], _ own: [[Float]], weight: Float, _ ratios: (_ channel: Int, _ start: Double) -> [Float]
    ) -> [Float] {
        let shifts = Self.marginalShifts
        let rows = starts.indices.map { channel in
            shifts.map { $0 == 0 ? own[channel] : weigh(ratios(channel, starts[channel] + $0)) }
        }
        // All channels together, and each of them by itself.
        var readings = shifts.indices.map { shift in rows.map { $0[shift] } }
        for channel in starts.indices {
            for shift in shifts.indices where shifts[shift] != 0 {
                var reading = own
                reading[channel] = rows[channel][shift]
                readings.append(reading)
            }
        }
        let sums = readings.map { Self.sum($0).map { weight * $0 } }
        let llrs = sums.map { frameLLR($0) }
        let most = llrs.max() ?? 0
        let weights = llrs.map { Float.exp($0 - most) }
        let total = weights.reduce(0, +)
        return sums[0].indices.map { index in
            var sum: Float = 0
            for (reading, weight) in zip(sums, weights) { sum += weight * Float.exp(reading[index]) }
            return Float.log(sum / total)
        }
    }

    private static let marginalShifts: [Double] = [-0.25, -0.125, 0, 0.125, 0.25]

    /// Moves places, all together and each by itself, by ever smaller steps to where the sum is likeliest; its likelihood ratio.
    private func ascend(
        _ places: inout [Double], _ own: inout [[Float]], by steps: [Double], near start: Int, weight: Float,
        _ weigh: (_ channel: Int, _ place: Double) -> [Float]
    ) -> Float {
        var most = weight * frameLLR(Self.sum(own))
        for step in steps {
            let moves: [[Int]] = [Array(places.indices)] + places.indices.map { [$0] }
            for move in moves {
                for shift in [step, -step] {
                    var (others, weights) = (places, own)
                    for channel in move { others[channel] += shift }
                    guard isAllowed(others, start) else { continue }
                    for channel in move { weights[channel] = weigh(channel, others[channel]) }
                    let llr = weight * frameLLR(Self.sum(weights))
                    guard llr > most else { continue }
                    (places, own, most) = (others, weights, llr)
                }
            }
        }
        return most
    }

    private func isAllowed(_ places: [Double], _ start: Int) -> Bool {
        places.allSatisfy { abs($0 - Double(start)) < Self.greatestDelay && $0 >= 0 }
            && places.allSatisfy { abs($0 - places[0]) < Self.greatestDelay }
    }

    private static func sum(_ rows: [[Float]]) -> [Float] {
        var total = rows[0]
        for row in rows.dropFirst() {
            for index in total.indices { total[index] += row[index] }
        }
        return total
    }

    /// What energies over the noise say about each tone in each symbol: of digital silence, nothing.
    private func weigh(_ ratios: [Float]) -> [Float] {
        var logs = [Float](repeating: 0, count: ratios.count)
        for symbol in stride(from: 0, to: ratios.count, by: 32) {
            let tones = symbol..<min(symbol + 32, ratios.count)
            guard ratios[tones].contains(where: { $0 > 0 }) else { continue }
            for index in tones {
                logs[index] =
                    logLikelihoods[min(Int(ratios[index] * ToneHistory.energySteps), logLikelihoods.count - 1)]
            }
        }
        return logs
    }

    /// Logarithm of the likelihood ratio of some chirp to none by those of all tones in all symbols, `[32 · symbol + tone]`.
    private func frameLLR(_ logLikelihoods: [Float]) -> Float {
        var total: Float = 0
        let values = logLikelihoods.span
        for symbol in 0..<format.frameSymbolCount {
            if symbol < format.startCode.count {
                total += values[32 * symbol + Int(format.startCode[symbol])]
            } else {
                var most = -Float.infinity
                for tone in 0..<32 { most = max(most, values[32 &* symbol &+ tone]) }
                var sum: Float = 0
                for tone in 0..<32 where values[32 &* symbol &+ tone] > most - 8 {
                    sum += Float.exp(values[32 &* symbol &+ tone] - most)
                }
                total += most + Float.log(sum * (1.0 / 32))
            }
        }
        return total
    }
}

/// How much alike the noise of several channels is, at the delays at which they are added up, by one block of each symbol.
struct ChannelLikeness: Sendable {
    /// Blocks of which it is the mean, about: six seconds.
    private static let blocks: Float = 64
    /// How much of the energy of two symbols a block apart is that of the same sound.
    private static let sharedEnergy = Float.pow(1 - 1 / Float(CoarseAcquisition.blocksPerSymbol), 2)
    private typealias Lanes = SIMD32<Float>

    /// What two channels have in common, one of them late by a block or neither.
    private struct Pair: Sendable {
        let channels: (Int, Int)
        let delays: (Int, Int)
        /// Mean products, and mean powers.
        var product = ComplexVector<Lanes>()
        var first = Lanes()
        var second = Lanes()
        /// Their squared coherence, the mean over the tones.
        var coherence: Float = 0
    }

    private let channelCount: Int
    private var pairs: [Pair] = []
    private var count = 0

    init(channelCount: Int) {
        self.channelCount = channelCount
        for first in 0..<channelCount {
            for second in first + 1..<channelCount {
                for delays in [(0, 0), (0, 1), (1, 0)] { pairs.append(Pair(channels: (first, second), delays: delays)) }
            }
        }
    }

    /// Takes a block of each channel, and the one after it.
    mutating func follow(_ histories: [ToneHistory], at block: Int) {
        count += 1
        let rate = max(1 / Self.blocks, 1 / Float(count))
        let values = histories.map { [$0.correlations(block), $0.correlations(block + 1)] }
        for index in pairs.indices {
            let (channels, delays) = (pairs[index].channels, pairs[index].delays)
            let (a, b) = (values[channels.0][delays.0], values[channels.1][delays.1])
            pairs[index].product += (a.timesConjugate(b) - pairs[index].product) * rate
            pairs[index].first += (a.power - pairs[index].first) * rate
            pairs[index].second += (b.power - pairs[index].second) * rate
            // One of them at a time: they change slowly.
            guard (index + count) & 7 == 0 || count < 8 else { continue }
            let pair = pairs[index]
            pairs[index].coherence = (pair.product.power / (pair.first * pair.second + 1e-3)).sum() / 32
        }
    }

    /// What the sum of the channels' evidence counts at some delays: one where their noise is independent, one over their number where it is
    /// the same. A symbol that is a block later still shares three quarters of the same noise.
    func weight(delays: [Int]) -> Float {
        var total: Float = 0
        for first in stride(from: 0, to: pairs.count, by: 3) {
            total += (first..<first + 3).reduce(Float(0)) { most, index in
                let pair = pairs[index]
                let delay = delays[pair.channels.0] - delays[pair.channels.1]
                let isSame = delay == pair.delays.0 - pair.delays.1
                return max(most, pair.coherence * (isSame ? 1 : Self.sharedEnergy))
            }
        }
        let mean = total / Float(channelCount * (channelCount - 1) / 2)
        return 1 / (1 + Float(channelCount - 1) * mean)
    }
}
