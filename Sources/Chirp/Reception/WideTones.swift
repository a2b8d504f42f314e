internal import RealModule

/// The strongest bin near each tone over every symbol-long stretch, whatever its exact pitch, and what it says about it.
struct WideTones: Sendable {
    private typealias Lanes = SIMD8<Float>
    private static let ringBlocks = ToneScan.blocksPerSymbol
    private static let neighbours: Float = 0.3
    private static let tiny: Float = 1e-20

    private let firstBin: Int
    /// Vectors of eight bins.
    private let vectorCount: Int
    private let binCount: Int
    /// Bins within ±45 cents of each tone, from `firstBin`.
    private let bands: [Range<Int>]
    private var powers: [Lanes]
    private var ratios: [Lanes]
    private var floor: [Lanes]
    private var heardCount = 0
    /// Best ratio of each tone, rows of 32 a symbol start, one symbol back.
    private var bandRatios: [Float]
    private var metrics: [Float]

    init(format: WireFormat, transform: borrowing BandTransform) {
        let binsPerHertz = Double(transform.length) / transform.sampleRateHertz
        let width = Double.exp2(45.0 / 1200)
        let first = Int(format.basePitchHertz / width * binsPerHertz)
        let last = min(transform.binCount - 1, Int(format.highestPitchHertz * width * binsPerHertz) + 1)
        firstBin = first
        // Whole vectors, as far as the spectrum reaches.
        vectorCount = min((last - first + 8) / 8, (transform.binCount - first) / 8)
        binCount = 8 * vectorCount
        let end = first + binCount
        bands = (0..<format.toneCount).compactMap { tone in
            let middle = format.pitchHertz(of: UInt8(tone)) * binsPerHertz
            let low = Int((middle / width).rounded())
            let high = Int((middle * width).rounded())
            return high < end ? low - first..<high - first + 1 : nil
        }
        powers = [Lanes](repeating: Lanes(), count: vectorCount * Self.ringBlocks)
        ratios = [Lanes](repeating: Lanes(), count: vectorCount)
        floor = [Lanes](repeating: Lanes(), count: vectorCount)
        bandRatios = [Float](repeating: 0, count: 32 * 2 * ToneScan.blocksPerSymbol)
        metrics = [Float](repeating: 0, count: ToneScan.historyLength)
    }

    func metric(at start: Int) -> Float { metrics[start & (ToneScan.historyLength - 1)] }

    /// Takes a block's spectrum; completes the symbol that ends with it.
    mutating func take(_ spectrum: Span<Float>, block: Int) {
        let base = vectorCount * (block % Self.ringBlocks)
        for vector in 0..<vectorCount {
            let index = 2 * (firstBin + 8 * vector)
            let part = SIMD16(lowHalf: spectrum.eight(at: index), highHalf: spectrum.eight(at: index + 8))
            let (re, im) = (part.evenHalf, part.oddHalf)
            powers[base + vector] = re * re + im * im
        }
        let start = block - ToneScan.blocksPerSymbol + 1
        if start >= 0 { finishSymbol(start) }
    }

    private mutating func finishSymbol(_ start: Int) {
        let history = start & (ToneScan.historyLength - 1)
        let ring = 2 * ToneScan.blocksPerSymbol
        let row = 32 * (start % ring)
        let before = 32 * ((start + ToneScan.blocksPerSymbol) % ring)
        var total = Lanes()
        heardCount += 1
        let rate: Float = heardCount <= 128 ? 1 / Float(heardCount) : 0
        var spreadSum = Lanes()
        let greatest = Lanes(repeating: 30)
        for vector in 0..<vectorCount {
            var sum = powers[vector] + powers[vectorCount + vector]
            sum += powers[2 * vectorCount + vector] + powers[3 * vectorCount + vector]
            total += sum
            floor[vector] += (sum - floor[vector]) * rate
            var ratio = sum / (floor[vector] + Self.tiny)
            ratios[vector] = ratio
            ratio.replace(with: greatest, where: ratio .> greatest)
            spreadSum += ratio
        }
        guard total.sum() > 0 else {
            heardCount -= 1
            metrics[history] = 0
            for tone in bands.indices { bandRatios[row + tone] = 0 }
            return
        }
        let spread = max(1, spreadSum.sum() / Float(binCount))
        let scale = 1 / spread
        var best: Float = 0
        for (tone, band) in bands.enumerated() {
            var most: Float = 0
            for bin in band {
                let ratio = ratios[bin >> 3][bin & 7]
                most = ratio > most ? ratio : most
            }
            most *= scale
            bandRatios[row + tone] = most
            let held = Self.neighbours * bandRatios[before + tone]
            let contrast = held > 1 ? most / held : most
            best = contrast > best ? contrast : best
        }
        metrics[history] = best > 20 ? Float.log(20) + 0.2 * Float.log(best / 20) : Float.log(max(best, 0.1))
        guard heardCount > 128 else { return }
        for vector in 0..<vectorCount {
            var sum = powers[vector] + powers[vectorCount + vector]
            sum += powers[2 * vectorCount + vector] + powers[3 * vectorCount + vector]
            let limit = floor[vector] * (3 * spread)
            sum.replace(with: limit, where: sum .> limit)
            floor[vector] += (sum - floor[vector]) * (1.0 / 128)
        }
    }
}
