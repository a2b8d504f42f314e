internal import RealModule

/// The strongest bin near each tone over every symbol-long stretch, whatever its exact pitch, and what it says about it.
struct NoncoherentToneBank: Sendable {
    private typealias Lanes = SIMD8<Float>

    private let firstBin: Int
    /// Vectors of eight bins.
    private let vectorCount: Int
    private let binCount: Int
    /// Bins within ±45 cents of each tone: the first eight, one for those of them that are meant and zero for others, and the last eight.
    private let bands: [Band]
    private typealias Band = (first: Int, mask: SIMD8<Float>, last: Int)
    private var powers: [Lanes]
    private var sums: [Lanes]
    /// Of each bin, from `firstBin`, and eight zeros.
    private var ratios: [Float]
    private var noiseFloors: NoiseFloors
    /// Best ratio of each tone, four vectors a symbol start, as far back as the scan may be rewound.
    private var bandRatios: [Float]
    /// The power of the strongest bin in each symbol, as far back, and of the strongest one near each tone of the preamble.
    private var greatestPowers: [Float]
    private var preamblePowers: [Float]
    private let preambleBins: [Range<Int>]
    private(set) var metrics = PrefixSumRing()

    init(format: WireFormat, transform: borrowing FractionalBinTransform) {
        let binsPerHertz = Double(transform.length) / transform.sampleRateHertz
        let highest = UInt8(format.toneCount - 1)
        let first = Int(format.basePitchHertz / format.bandRatio(of: 0, cents: 45) * binsPerHertz)
        let last = min(
            transform.binCount - 1,
            Int(format.highestPitchHertz * format.bandRatio(of: highest, cents: 45) * binsPerHertz) + 1)
        firstBin = first
        // Whole vectors, as far as the spectrum reaches.
        vectorCount = min((last - first + 8) / 8, (transform.binCount - first) / 8)
        binCount = 8 * vectorCount
        func bins(of tone: UInt8) -> Range<Int> {
            let middle = format.pitchHertz(of: tone) * binsPerHertz
            let width = format.bandRatio(of: tone, cents: 45)
            return Int((middle / width).rounded()) - first..<Int((middle * width).rounded()) + 1 - first
        }
        let end = binCount
        bands = (0..<UInt8(format.toneCount)).compactMap { tone in
            let bins = bins(of: tone)
            guard bins.upperBound <= end else { return nil }
            precondition(bins.lowerBound >= 0, "bands lie within the ratios")
            let mask = SIMD8<Float>(firstLanes: bins.count)
            return (bins.lowerBound, mask, max(bins.lowerBound, bins.upperBound - 8))
        }
        preambleBins = format.startCode.map { bins(of: $0).clamped(to: 0..<end) }
        powers = [Lanes](repeating: Lanes(), count: vectorCount * CoarseAcquisition.blocksPerSymbol)
        sums = [Lanes](repeating: Lanes(), count: vectorCount)
        ratios = [Float](repeating: 0, count: binCount + 8)
        noiseFloors = NoiseFloors(rows: vectorCount)
        bandRatios = [Float](repeating: 0, count: 32 * CoarseAcquisition.historyLength)
        greatestPowers = [Float](repeating: 0, count: CoarseAcquisition.historyLength)
        preamblePowers = [Float](repeating: 0, count: preambleBins.count * CoarseAcquisition.historyLength)
    }

    /// Goes back to what was known before the symbol that starts with block `start`, before which floors are kept.
    mutating func rewind(to start: Int) { noiseFloors.rewind(to: start) }

    /// Takes a block's spectrum.
    ///
    /// - Parameter start: first block of the symbol that ends with this one, if all of it has been taken.
    mutating func take(_ spectrum: Span<Float>, block: Int, completing start: Int?) {
        Self.keepPowers(
            of: spectrum, from: firstBin, in: &powers, at: vectorCount * (block % CoarseAcquisition.blocksPerSymbol),
            count: vectorCount)
        if let start { finishSymbol(start) }
    }

    /// Keeps the powers of bins; this and the functions below are apart from the structure, so that a write to one array is checked once and
    /// not for each element.
    private static func keepPowers(
        of spectrum: Span<Float>, from firstBin: Int, in powers: inout [Lanes], at base: Int, count: Int
    ) {
        var target = powers.mutableSpan
        precondition(firstBin >= 0 && 2 * (firstBin + 8 * count) <= spectrum.count, "the spectrum has the bins")
        precondition(base >= 0 && base + count <= target.count, "there is room for the powers")
        for vector in 0..<count {
            let index = 2 &* (firstBin &+ 8 &* vector)
            let part = unsafe SIMD16(
                lowHalf: spectrum.eight(uncheckedAt: index), highHalf: spectrum.eight(uncheckedAt: index &+ 8))
            let (re, im) = (part.evenHalf, part.oddHalf)
            unsafe target[unchecked: base &+ vector] = re * re + im * im
        }
    }

    /// The ratio of a tone's strongest bin to its floor in the symbol that starts with block `start`, and the greatest of all tones'.
    func ratio(of tone: UInt8, at start: Int) -> (own: Float, greatest: Float) {
        let row = ratioRow(start)
        var most = bandRatios.span.eight(at: row)
        for lanes in stride(from: 8, to: 32, by: 8) {
            let ratios = bandRatios.span.eight(at: row + lanes)
            most.formGreater(ratios)
        }
        return (bandRatios[row + Int(tone)], most.greatest)
    }

    /// The power of the strongest bin in the symbol that starts with block `start`, of its four blocks together.
    func greatestPower(at start: Int) -> Float { greatestPowers[CoarseAcquisition.place(of: start)] }

    /// The power of the strongest bin near the tone of a symbol of the preamble in the symbol that starts with block `start`.
    func preamblePower(_ symbol: Int, at start: Int) -> Float {
        preamblePowers[preambleBins.count * CoarseAcquisition.place(of: start) + symbol]
    }

    private func ratioRow(_ start: Int) -> Int { 32 * CoarseAcquisition.place(of: start) }

    private mutating func finishSymbol(_ start: Int) {
        let row = ratioRow(start)
        let before = ratioRow(start - CoarseAcquisition.blocksPerSymbol)
        let history = CoarseAcquisition.place(of: start)
        noiseFloors.keep(before: start)
        let added = Self.addUp(powers, into: &sums)
        greatestPowers[history] = added.greatest.greatest
        for (symbol, bins) in preambleBins.enumerated() {
            preamblePowers[preambleBins.count * history + symbol] = Self.greatest(of: sums, in: bins)
        }
        guard added.total.total > 0 else {
            metrics[start] = 0
            noiseFloors.hearSilence()
            for tone in bands.indices { bandRatios[row + tone] = 0 }
            return
        }
        noiseFloors.hear(sums, from: 0)
        let spread = max(1, Self.weigh(sums, inverseFloors: noiseFloors.inverse, into: &ratios) / Float(binCount))
        metrics[start] = Self.metric(
            Self.bestContrast(ratios, bands: bands, scale: 1 / spread, into: &bandRatios, row: row, before: before))
        noiseFloors.follow(sums, from: 0, start: start, limit: 3 * spread)
    }

    /// Adds up the blocks of a symbol, and gives the sum and the greatest of all powers.
    private static func addUp(_ powers: [Lanes], into sums: inout [Lanes]) -> (total: Lanes, greatest: Lanes) {
        let powers = powers.span
        var target = sums.mutableSpan
        let count = target.count
        var total = Lanes()
        var greatest = Lanes()
        for vector in 0..<count {
            var sum = powers[vector] + powers[count &+ vector]
            sum += powers[2 &* count &+ vector] + powers[3 &* count &+ vector]
            unsafe target[unchecked: vector] = sum
            total += sum
            greatest.formGreater(sum)
        }
        return (total, greatest)
    }

    /// The greatest of some elements, in rows of eight.
    private static func greatest(of rows: [Lanes], in range: Range<Int>) -> Float {
        let (values, size) = unsafe (rows.span.bytes, MemoryLayout<Float>.stride)
        precondition(range.lowerBound >= 0 && size * range.upperBound <= values.byteCount, "the rows have the range")
        var most: Float = 0
        for place in range {
            let value = unsafe values.unsafeLoad(fromUncheckedByteOffset: size &* place, as: Float.self)
            most = value > most ? value : most
        }
        return most
    }

    /// The ratio of each bin to its floor; gives their sum, of which each counts as 30 at most.
    private static func weigh(_ sums: [Lanes], inverseFloors: [Lanes], into ratios: inout [Float]) -> Float {
        var total = Lanes()
        let (sums, inverseFloors) = (sums.span, inverseFloors.span)
        var target = ratios.mutableSpan
        precondition(inverseFloors.count == sums.count && target.count >= 8 * sums.count, "each bin has a ratio")
        for vector in 0..<sums.count {
            var ratio = unsafe sums[unchecked: vector] * inverseFloors[unchecked: vector]
            ratio.formLesser(CoarseAcquisition.greatestRatio)
            unsafe target.setEight(uncheckedAt: 8 &* vector, ratio)
            ratio.formLesser(30)
            total += ratio
        }
        return total.total
    }

    /// The greatest ratio near any tone, by that of the same tone a symbol earlier if it still rang.
    private static func bestContrast(
        _ ratios: [Float], bands: [Band], scale: Float, into bandRatios: inout [Float], row: Int, before: Int
    ) -> Float {
        let (bands, ratios) = (bands.span, ratios.span)
        var target = bandRatios.mutableSpan
        precondition(row >= 0 && row + bands.count <= target.count, "each tone has a place")
        for tone in 0..<bands.count {
            let band = bands[tone]
            // Bands lie within the ratios by their making.
            var most = unsafe ratios.eight(uncheckedAt: band.first) * band.mask
            var next = band.first
            while next < band.last {
                next = min(next &+ 8, band.last)
                let ratio = unsafe ratios.eight(uncheckedAt: next)
                most.formGreater(ratio)
            }
            unsafe target[unchecked: row &+ tone] = most.greatestInline * scale
        }
        var best = Lanes()
        for lanes in stride(from: 0, to: 32, by: 8) {
            var contrast = target.span.eight(at: row + lanes)
            let ringing = target.span.eight(at: before + lanes) * CoarseAcquisition.neighbours
            contrast.replace(with: contrast / ringing, where: ringing .> 1)
            best.formGreater(contrast)
        }
        return best.greatest
    }

    private static func metric(_ ratio: Float) -> Float {
        ratio > 20 ? Float.log(20) + 0.2 * Float.log(ratio / 20) : Float.log(max(ratio, 0.1))
    }
}
