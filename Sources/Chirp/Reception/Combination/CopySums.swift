internal import RealModule

/// Energies of the 32 tones in the symbols of a frame, added up over copies that begin with whole blocks, and over the channels that heard them, and
/// how likely these are one chirp: what one copy more would say costs a glance.
struct CopySums: Sendable {
    private let startCode: [UInt8]
    private let symbolCount: Int
    /// The even tones of each symbol, and the odd ones, in the history's steps.
    private var rows: [SIMD16<UInt16>]
    private(set) var places: [Int] = []
    /// How many channels heard each copy.
    private var channelCount = 1

    /// What the likelihood ratio of the best of three places beside each other is more than that of any: the logarithm of three.
    private static let choice: Float = 1.1
    /// By how many blocks lines are turned at either end, and moved.
    private static let lineTurns = [-1, -0.5, 0, 0.5, 1]
    private static let lineOffsets = [-0.5, 0, 0.5]
    static let lineCount = lineTurns.count * lineOffsets.count
    /// How much less likely a chain may become for a copy, before others make it likelier.
    private static let patience: Float = 1

    init(format: WireFormat) {
        startCode = format.startCode
        symbolCount = format.frameSymbolCount
        rows = [SIMD16<UInt16>](repeating: SIMD16(), count: 2 * symbolCount)
    }

    /// Begins anew with copies at some places, the newest first.
    mutating func set(_ places: [Int], _ history: borrowing ToneHistories) {
        self.places.removeAll(keepingCapacity: true)
        self.places.append(contentsOf: places)
        channelCount = history.channelCount
        let frames = history.places(of: places, symbolCount: symbolCount)
        for symbol in 0..<symbolCount {
            (rows[2 * symbol], rows[2 * symbol + 1]) = history.energies(
                at: frames.span, places.count, later: CoarseAcquisition.blocksPerSymbol &* symbol)
        }
    }

    private mutating func add(_ place: Int, _ history: borrowing ToneHistories, at index: Int) {
        places.insert(place, at: index)
        for symbol in 0..<symbolCount {
            let energies = history.energies(of: place, later: CoarseAcquisition.blocksPerSymbol &* symbol)
            rows[2 * symbol] &+= energies.even
            rows[2 * symbol + 1] &+= energies.odd
        }
    }

    private mutating func removeLast(_ history: borrowing ToneHistories) {
        let place = places.removeLast()
        for symbol in 0..<symbolCount {
            let energies = history.energies(of: place, later: CoarseAcquisition.blocksPerSymbol &* symbol)
            rows[2 * symbol] &-= energies.even
            rows[2 * symbol + 1] &-= energies.odd
        }
    }

    /// Adds the copy that followed the others, at the likeliest place of some.
    ///
    /// - Returns: the logarithm of the likelihood ratio with it.
    mutating func follow(at following: ClosedRange<Int>, _ history: borrowing ToneHistories) -> Float {
        if channelCount * (places.count + 1) > CopyCombiner.maximumCopyCount { removeLast(history) }
        let most = likeliest(following, history)
        add(most.place, history, at: 0)
        return most.llr
    }

    /// The likeliest place of one more copy, and what the likelihood ratio is with it, less what the choice alone gives.
    private func likeliest(_ range: ClosedRange<Int>, _ history: borrowing ToneHistories) -> (llr: Float, place: Int) {
        var most: (llr: Float, place: Int) = (-.infinity, range.lowerBound)
        for place in range {
            let llr = llrOfBestTones(withCopyAt: place, history)
            if llr > most.llr { most = (llr, place) }
        }
        return (most.llr - Self.choice, most.place)
    }

    /// Adds older copies at the same distance as long as they make the chain likelier.
    ///
    /// - Parameter llr: what the likelihood ratio is with the copies at hand.
    /// - Returns: the logarithm of the likelihood ratio of the chain that is likeliest.
    mutating func extend(from llr: Float, _ history: borrowing ToneHistories) -> Float {
        var (best, count) = (llr, places.count)
        while channelCount * (places.count + 1) <= CopyCombiner.maximumCopyCount {
            let older = CopyCombiner.Chain.placesBeyond(places).older
            guard older > 0 else { break }
            let most = likeliest(older - 1...older + 1, history)
            guard most.llr > best - Self.patience else { break }
            add(most.place, history, at: places.count)
            if most.llr > best { (best, count) = (most.llr, places.count) }
        }
        while places.count > count { removeLast(history) }
        return best
    }

    /// Puts the copies on the likeliest of some lines near their places: copies are at equal distances, and what was chosen out of noise, each at
    /// the best of several places, is not likely there.
    ///
    /// - Returns: the logarithm of the likelihood ratio there, by the best tones.
    mutating func straighten(_ history: borrowing ToneHistories) -> Float {
        let even = CopyCombiner.Chain.evenPlaces(near: places.map(Double.init))
        let middle = Double(places.count - 1) / 2
        var best: (llr: Float, places: [Int]) = (-.infinity, places)
        for turn in Self.lineTurns {
            for offset in Self.lineOffsets {
                let line = even.indices.map {
                    Int((even[$0] + offset + turn * (Double($0) - middle) / middle).rounded())
                }
                guard line.allSatisfy({ $0 > 0 }) else { continue }
                let llr = llrOfBestTones(at: line, history)
                if llr > best.llr { best = (llr, line) }
            }
        }
        set(best.places, history)
        return best.llr
    }

    /// How many frames are added up.
    private var count: Int { channelCount * places.count }

    /// The part of the logarithm of the likelihood ratio that the preamble gives.
    @inline(never)
    func preambleLLR() -> Float {
        let ratios = CopyLikelihood.sumRatios[count]
        return startCode.indices.reduce(Float(0)) { sum, symbol in
            sum + Float.log(ratios[Self.energy(startCode[symbol], rows[2 * symbol], rows[2 * symbol + 1])])
        }
    }

    /// Logarithm of the likelihood ratio of some chirp to none.
    func llr() -> Float {
        let table = CopyLikelihood.sumRatios[count]
        let (rows, ratios) = (rows.span, table.span)
        precondition(ratios.count > 255 * count, "each sum of bytes has its ratio")
        var total = preambleLLR()
        for symbol in startCode.count..<symbolCount {
            let (even, odd) = (rows[2 * symbol], rows[2 * symbol + 1])
            var sum: Float = 0
            for lane in 0..<16 {
                sum += unsafe ratios[unchecked: Int(even[lane])] + ratios[unchecked: Int(odd[lane])]
            }
            total += Float.log(sum * (1.0 / 32))
        }
        return total
    }

    /// Scores of the symbols after the preamble, `[32 · position + symbol]`, and the preamble's own sum: logarithms of 32 times each one's
    /// probability, given that some was sent, and that with the probability of an erasure what was received says nothing about it.
    @inline(never)
    func scores(erasureProbability: Float) -> (preamble: Float, codeword: [Float]) {
        let ratios = CopyLikelihood.sumRatios[count]
        var scores = [Float](repeating: 0, count: 32 * symbolCount)
        for symbol in 0..<symbolCount {
            let (even, odd) = (rows[2 * symbol], rows[2 * symbol + 1])
            for lane in 0..<16 {
                scores[32 * symbol + 2 * lane] = ratios[Int(even[lane])]
                scores[32 * symbol + 2 * lane + 1] = ratios[Int(odd[lane])]
            }
        }
        for row in stride(from: 0, to: scores.count, by: 32) {
            let scale = (1 - erasureProbability) * 32 / scores[row..<row + 32].reduce(0, +)
            for tone in row..<row + 32 { scores[tone] = Float.log(scale * scores[tone] + erasureProbability) }
        }
        let preamble = startCode.enumerated().reduce(Float(0)) { $0 + scores[32 * $1.offset + Int($1.element)] }
        return (preamble, Array(scores.dropFirst(32 * startCode.count)))
    }

    /// Logarithm of the likelihood ratio of some chirp to none of copies at some places, by the best tone of each symbol alone.
    func llrOfBestTones(at places: [Int], _ history: borrowing ToneHistories) -> Float {
        let frames = history.places(of: places, symbolCount: symbolCount)
        return llrOfBestTones(of: history.channelCount * places.count) {
            history.energies(at: frames.span, places.count, later: CoarseAcquisition.blocksPerSymbol &* $0)
        }
    }

    /// The same of the copies at hand and one more.
    private func llrOfBestTones(withCopyAt place: Int, _ history: borrowing ToneHistories) -> Float {
        let rows = rows.span
        return llrOfBestTones(of: count + channelCount) {
            let own = history.energies(of: place, later: CoarseAcquisition.blocksPerSymbol &* $0)
            return (rows[2 &* $0] &+ own.even, rows[2 &* $0 &+ 1] &+ own.odd)
        }
    }

    /// The same of so many frames, by their energies in a symbol.
    @inline(__always)
    private func llrOfBestTones(
        of count: Int, _ energies: (_ symbol: Int) -> (even: SIMD16<UInt16>, odd: SIMD16<UInt16>)
    ) -> Float {
        let (ratios, best) = (CopyLikelihood.sumRatios[count], CopyLikelihood.bestOfSums[count])
        var total: Float = 0
        for symbol in 0..<symbolCount {
            let (even, odd) = energies(symbol)
            total +=
                symbol < startCode.count
                ? Float.log(ratios[Self.energy(startCode[symbol], even, odd)]) : best[Int(Self.greatest(even, odd))]
        }
        return total
    }

    private static func energy(_ tone: UInt8, _ even: SIMD16<UInt16>, _ odd: SIMD16<UInt16>) -> Int {
        Int(tone & 1 == 0 ? even[Int(tone / 2)] : odd[Int(tone / 2)])
    }

    /// The greatest element of two vectors, lane by lane, as compilers make one instruction of these.
    @inline(never)
    private static func greatest(_ even: SIMD16<UInt16>, _ odd: SIMD16<UInt16>) -> Int16 {
        // Signed, as the oldest processors compare no others; sixteen bytes do not reach the sign.
        var most = unsafe unsafeBitCast(even, to: SIMD16<Int16>.self)
        let other = unsafe unsafeBitCast(odd, to: SIMD16<Int16>.self)
        for lane in 0..<16 { most[lane] = other[lane] > most[lane] ? other[lane] : most[lane] }
        var eight = most.lowHalf
        for lane in 0..<8 { eight[lane] = most[lane + 8] > eight[lane] ? most[lane + 8] : eight[lane] }
        var four = eight.lowHalf
        for lane in 0..<4 { four[lane] = eight[lane + 4] > four[lane] ? eight[lane + 4] : four[lane] }
        return max(max(four[0], four[1]), max(four[2], four[3]))
    }
}
