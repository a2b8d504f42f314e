internal import RealModule

/// What copies of one chirp say whose sound is the same each time, as that of a recording, or of any sender of ours, or what channels say that
/// heard it without much of a room between them.
///
/// Their amplitudes add up then, and not their energies alone, once the times from each to the others are known to a part of a period: a second
/// copy is worth 3 dB, and with unknown phases about 2. These times are what the phases of all tones tell together. Which tones are there is known
/// by their energies, but not well: the best of many pairs are aligned, and more copies to the sum of these, which tells the tones better
/// and better.
struct CoherentCopyLikelihood {
    /// Copies whose phases agree, and what they say.
    private struct Alignment {
        var members: [Int]
        /// Of each copy beside the first member's.
        var delays: [DelaySearch.Peak]
        var sum: TonePhasors
        var frameLLR: Float
    }

    /// What is summed up.
    struct Source {
        /// Nats that each sound after the first has for the choice of its delay.
        let choice: Float
        /// How many of the sounds are the newest copy.
        let newestCount: Int
        let mayBeInverted: Bool

        /// The newest first, and what each of so many channels heard of a copy in a row. The choice is the logarithm of how many times all delays
        /// are more than those that are like one of them: 12 ms to either side, 13 µs each.
        static func copies(inChannels channelCount: Int) -> Source {
            Source(choice: 7.5, newestCount: channelCount, mayBeInverted: channelCount > 1)
        }
        /// For the choice of two channels less was found to be enough; of more the combiner asks for more.
        static let channels = Source(choice: 5, newestCount: .max, mayBeInverted: true)
    }

    /// How many copies from one on its partners in pairs are, pairs to which others are aligned, delays of a pair that are looked at, and delays of another copy.
    private static let pairReach = 4
    private static let pairCount = 4
    private static let delaysOfPair = 8
    private static let delaysOfOther = 4
    /// Tones of the sum of two copies, and of more, which are clearer at the level at which half of these come through.
    private static let pairLikelihood = SymbolLikelihood(energyRatio: 4.6, outage: 0.02)
    private static let sumLikelihood = SymbolLikelihood(energyRatio: 5.5, outage: 0.02)
    private static func likelihood(of count: Int) -> SymbolLikelihood { count > 2 ? sumLikelihood : pairLikelihood }

    private let format: WireFormat
    private let search: DelaySearch
    private let source: Source
    /// Correlations of the copies, turned to the place of the first one.
    private let copies: [TonePhasors]
    /// How likely each tone is by its energies alone.
    private let shares: [SIMD8<Float>]
    private var best: Alignment?

    /// - Parameters:
    ///   - copies: correlations of each, turned to the place of the first one.
    ///   - logLikelihoods: of each tone in each symbol by the copies' energies, `[32 · symbol + tone]`.
    ///   - search: with the pitches of the tones.
    init(
        _ copies: [TonePhasors], logLikelihoods: [Float], _ format: WireFormat, _ search: DelaySearch, of source: Source
    ) {
        self.format = format
        self.search = search
        self.source = source
        self.copies = copies
        shares = Self.shares(logLikelihoods, format)
        align()
    }

    /// How often delays of a copy are searched for at most.
    static func searchCount(copies: Int) -> Int {
        let pairs = (1..<copies).reduce(0) { $0 + min($1, pairReach) }
        return pairs + (2 * min(pairCount, pairs) + 1) * (copies - 2)
    }

    /// What the sum of their amplitudes says.
    var sum: CoherentSum? {
        guard let best else { return nil }
        var (logs, energies): ([Float], [Float]) = ([], [])
        let count = Float(best.members.count)
        let likelihood = Self.likelihood(of: best.members.count)
        for index in best.sum.values.indices {
            let energy = best.sum.energies(index) * (1 / count)
            let likelihoods = likelihood(energy)
            // Signals have the sum's energy over the count; the noise of one copy is more.
            let mean = energy * (1 / count) + (1 - 1 / count)
            for lane in 0..<8 {
                logs.append(Float.log(likelihoods[lane]))
                energies.append(mean[lane])
            }
        }
        return CoherentSum(
            frameLLR: best.frameLLR, logLikelihoods: logs, energies: energies, choice: source.choice * (count - 1),
            phasors: best.sum, members: best.members.map { copies[$0] })
    }

    private mutating func align() {
        var pairs: [(first: Int, second: Int, peaks: [DelaySearch.Peak])] = []
        for first in copies.indices {
            for second in copies.indices where second > first && second <= first + Self.pairReach {
                let peaks = peaks(of: second, in: copies[first], shares, count: Self.delaysOfPair)
                if !peaks.isEmpty { pairs.append((first, second, peaks)) }
            }
        }
        pairs.sort { $0.peaks[0].value > $1.peaks[0].value }
        for pair in pairs.prefix(Self.pairCount) {
            let first = Alignment(
                members: [pair.first], delays: [DelaySearch.Peak](repeating: .none, count: copies.count),
                sum: copies[pair.first],
                frameLLR: 0)
            guard let two = extended(first, by: pair.second, pair.peaks) else { continue }
            let all = extended(two)
            // What is certain without the newest copy was told before it was there.
            guard all.members.contains(where: { $0 < source.newestCount }) else { continue }
            if all.frameLLR > best?.frameLLR ?? -.infinity { best = all }
        }
        best = best.map { swept($0) }
    }

    /// The likeliest alignment with more of the copies than a pair, those first that agree with it most.
    private func extended(_ pair: Alignment) -> Alignment {
        var (current, best) = (pair, pair)
        let others = copies.indices.filter { !pair.members.contains($0) }
            .map { (copy: $0, peaks: peaks(of: $0, in: pair.sum, shares, count: Self.delaysOfOther)) }
            .sorted { $0.peaks.first?.value ?? 0 > $1.peaks.first?.value ?? 0 }
        for (copy, peaksInPair) in others {
            let peaks =
                current.members.count > 2
                ? peaks(of: copy, in: current.sum, shares(in: current), count: Self.delaysOfOther) : peaksInPair
            guard let next = extended(current, by: copy, peaks) else { continue }
            current = next
            if current.frameLLR > best.frameLLR { best = current }
        }
        return best
    }

    /// Aligns each copy to the sum of the others, which was made while fewer of them were known.
    private func swept(_ alignment: Alignment) -> Alignment {
        guard alignment.members.count > 2 else { return alignment }
        var current = alignment
        for copy in alignment.members {
            var rest = current
            rest.members.removeAll { $0 == copy }
            rest.sum = current.sum - turned(copy, by: current.delays[copy])
            let peaks = peaks(of: copy, in: rest.sum, shares(in: rest), count: Self.delaysOfOther)
            if let next = extended(rest, by: copy, peaks), next.frameLLR > current.frameLLR { current = next }
        }
        return current
    }

    /// An alignment with one copy more, at the likeliest of some delays.
    private func extended(_ alignment: Alignment, by copy: Int, _ peaks: [DelaySearch.Peak]) -> Alignment? {
        var best: Alignment?
        for peak in peaks {
            var next = alignment
            next.members.append(copy)
            next.delays[copy] = peak
            next.sum = alignment.sum + turned(copy, by: peak)
            next.frameLLR =
                frameLLR(next.sum, count: next.members.count) - source.choice * Float(next.members.count - 1)
            if next.frameLLR > best?.frameLLR ?? -.infinity { best = next }
        }
        return best
    }

    private func turned(_ copy: Int, by delay: DelaySearch.Peak) -> TonePhasors {
        copies[copy].turned(
            by: TonePhases(
                pitchesHertz: search.pitchesHertz, seconds: delay.seconds, isInverted: delay.isInverted))
    }

    private func peaks(
        of copy: Int, in sum: TonePhasors, _ weights: [SIMD8<Float>], count: Int
    ) -> [DelaySearch.Peak] {
        search.peaks(
            sum.products(with: copies[copy], weights: weights), count: count, mayBeInverted: source.mayBeInverted)
    }

    /// Logarithm of the likelihood ratio of some chirp to none by the sum of so many copies.
    private func frameLLR(_ sum: TonePhasors, count: Int) -> Float {
        let (scale, likelihood) = (1 / Float(count), Self.likelihood(of: count))
        var total: Float = 0
        for symbol in 0..<format.frameSymbolCount {
            let row = TonePhasors.rows * symbol
            if symbol < format.startCode.count {
                let tone = Int(format.startCode[symbol])
                total += Float.log(likelihood(sum.energies(row + tone / 8) * scale)[tone % 8])
            } else {
                var any = SIMD8<Float>()
                for lanes in 0..<TonePhasors.rows { any += likelihood(sum.energies(row + lanes) * scale) }
                total += Float.log(any.total * (1.0 / 32))
            }
        }
        return total
    }

    /// How likely each tone of each symbol is by the sum of an alignment.
    private func shares(in alignment: Alignment) -> [SIMD8<Float>] {
        let count = alignment.members.count
        let (scale, likelihood) = (1 / Float(count), Self.likelihood(of: count))
        return Self.shares(
            alignment.sum.values.indices.map { likelihood(alignment.sum.energies($0) * scale) }, of: format)
    }

    private static func shares(_ logLikelihoods: [Float], _ format: WireFormat) -> [SIMD8<Float>] {
        var likelihoods = [SIMD8<Float>](repeating: SIMD8(), count: logLikelihoods.count / 8)
        for row in stride(from: 0, to: logLikelihoods.count, by: 32) {
            let most = logLikelihoods[row..<row + 32].max() ?? 0
            for index in row..<row + 32 { likelihoods[index / 8][index % 8] = Float.exp(logLikelihoods[index] - most) }
        }
        return shares(likelihoods, of: format)
    }

    /// Likelihoods of the tones of a symbol over their sum; the preamble's tones are known.
    private static func shares(_ likelihoods: [SIMD8<Float>], of format: WireFormat) -> [SIMD8<Float>] {
        var shares = likelihoods
        for symbol in 0..<format.frameSymbolCount {
            let row = TonePhasors.rows * symbol
            if symbol < format.startCode.count {
                for lanes in 0..<TonePhasors.rows { shares[row + lanes] = SIMD8() }
                let tone = Int(format.startCode[symbol])
                shares[row + tone / 8][tone % 8] = 1
            } else {
                let sum = shares[row] + shares[row + 1] + shares[row + 2] + shares[row + 3]
                let scale = 1 / sum.total
                for lanes in 0..<TonePhasors.rows { shares[row + lanes] *= scale }
            }
        }
        return shares
    }
}
