internal import RealModule

/// What several copies of one chirp say together, each at any of the times near a place: near the limit none of these is plainly the right one. What
/// each channel heard of a copy counts as one.
///
/// The times of the copies are independent of each other. What one says is the mean over its times, each as likely as its frame together with
/// what the others say (a mean-field approximation of the sum over all combinations: C. Bishop, "Pattern Recognition and Machine Learning",
/// 2006, section 10.1).
struct JointCopyLikelihood {
    /// Times that are looked at before a copy's place, and after it.
    private static let reach = 2
    /// How far apart they are, in blocks.
    private let step: Double

    private let startCode: [UInt8]
    private let symbolCount: Int
    private let size: Int
    private let centres: [Double]
    private let channelCount: Int
    /// Likelihoods of each tone at each time of each copy.
    private var likelihoods: [[[Float]]] = []
    /// How likely each time of each copy is.
    private var weights: [[Float]]
    /// Likelihoods of each copy, the mean over its times.
    private var means: [[Float]] = []
    /// Logarithm of the likelihood ratio of some chirp to none.
    private(set) var frameLLR: Float = 0

    /// - Parameters:
    ///   - places: of each copy in each channel, the channels of a copy in a row.
    ///   - step: how far apart the times are that are looked at, in blocks.
    ///   - ratios: likelihood ratios of a tone to none by its energy, in the history's steps.
    init(
        _ places: [Double], step: Double, _ format: WireFormat, _ ratios: [Float],
        _ histories: borrowing ToneHistories
    ) {
        channelCount = histories.channelCount
        self.step = step
        startCode = format.startCode
        symbolCount = format.frameSymbolCount
        size = 32 * symbolCount
        centres = places
        let times = 2 * Self.reach + 1
        weights = places.map { _ in [Float](repeating: 1 / Float(times), count: times) }
        for (index, place) in places.enumerated() {
            let extent = step * Double(Self.reach)
            let first = Int((place - extent).rounded(.down))
            let amplitudes = histories[index % channelCount].amplitudes(
                from: first, symbolCount: symbolCount, later: Int((place + extent).rounded(.down)) - first)
            let own = (-Self.reach...Self.reach).map { time in
                amplitudes.values(of: place + step * Double(time), symbolCount: format.frameSymbolCount, in: ratios)
            }
            likelihoods.append(own)
            means.append(own[Self.reach])
        }
    }

    /// Finds for each copy in turn how likely its times are, given the others.
    mutating func sweep() {
        // Products of what the copies before one say, and of what those after it say.
        var before = [Float](repeating: 1, count: size)
        var after = [before]
        for copy in centres.indices.dropFirst().reversed() {
            var product = means[copy]
            Self.multiply(&product, by: after[after.count - 1])
            after.append(product)
        }
        for copy in centres.indices {
            var others = after.removeLast()
            Self.multiply(&others, by: before)
            let ratios = likelihoods[copy].map { frameLLR(others, $0) }
            let most = ratios.max() ?? 0
            var sum: Float = 0
            for (time, ratio) in ratios.enumerated() {
                weights[copy][time] = Float.exp(ratio - most)
                sum += weights[copy][time]
            }
            for time in ratios.indices { weights[copy][time] /= sum }
            means[copy] = Self.mean(likelihoods[copy], weights[copy])
            if copy + 1 < means.count { Self.multiply(&before, by: means[copy]) }
        }
        // What was chosen for each copy is one of several times; so many are what one place stands for.
        let timesPerPlace = Float(1 / step)
        let choice = weights.reduce(Float(0)) { total, own in
            own.reduce(total) { $1 > 0 ? $0 + $1 * Float.log($1 * timesPerPlace) : $0 }
        }
        frameLLR = frameLLR(before, means[means.count - 1]) - choice
    }

    /// The likeliest places, of each copy in each channel.
    var places: [Double] {
        zip(centres, weights).map { centre, own in
            centre + own.enumerated().reduce(0) { $0 + Double($1.element) * step * Double($1.offset - Self.reach) }
        }
    }

    /// What the copies say about each tone.
    var logLikelihoods: [Float] {
        var product = means[0]
        for copy in means.dropFirst() { Self.multiply(&product, by: copy) }
        return product.map { Float.log($0) }
    }

    /// What each copy says about each tone in all channels.
    var likelihoodsOfCopies: [[Float]] {
        var copies: [[Float]] = []
        for (index, mean) in means.enumerated() {
            if index % channelCount == 0 {
                copies.append(mean)
            } else {
                Self.multiply(&copies[copies.count - 1], by: mean)
            }
        }
        return copies
    }

    /// Mean energies of the tones over the noise, at the likeliest places.
    func meanEnergies(_ histories: borrowing ToneHistories) -> [Float] {
        var sum = [Float](repeating: 0, count: size)
        for (index, place) in places.enumerated() {
            let own = histories[index % channelCount].energies(of: place, symbolCount: symbolCount)
            for tone in sum.indices { sum[tone] += own[tone] / Float(centres.count) }
        }
        return sum
    }

    private static func multiply(_ product: inout [Float], by factors: [Float]) {
        let source = factors.span
        var target = product.mutableSpan
        for index in 0..<source.count { target[index] *= source[index] }
    }

    private static func mean(_ rows: [[Float]], _ weights: [Float]) -> [Float] {
        var sum = [Float](repeating: 0, count: rows[0].count)
        var target = sum.mutableSpan
        for (row, weight) in zip(rows, weights) where weight > 1e-3 {
            let source = row.span
            for index in 0..<source.count { target[index] += weight * source[index] }
        }
        return sum
    }

    /// Logarithm of the likelihood ratio of some chirp to none by the products of two tables.
    private func frameLLR(_ first: [Float], _ second: [Float]) -> Float {
        var total: Float = 0
        // A float has room for the ratios of a few symbols.
        var product: Double = 1
        let (a, b) = (first.span, second.span)
        precondition(min(a.count, b.count) >= 32 * symbolCount, "each symbol has its values")
        for symbol in 0..<symbolCount {
            let row = 32 &* symbol
            if symbol < startCode.count {
                product *= Double(a[row + Int(startCode[symbol])] * b[row + Int(startCode[symbol])])
            } else {
                var sum = SIMD8<Float>()
                for lanes in stride(from: row, to: row &+ 32, by: 8) {
                    unsafe sum += a.eight(uncheckedAt: lanes) * b.eight(uncheckedAt: lanes)
                }
                product *= Double(sum.total * (1.0 / 32))
            }
            if symbol % 5 == 4 {
                total += Float(Double.log(product))
                product = 1
            }
        }
        return total + Float(Double.log(product))
    }
}
