internal import RealModule

/// The spectra of a frame's twenty symbols under one hypothesis of its time and tempo, in the band of the tones.
struct FrameSpectra: Sendable {
    let format: WireFormat
    /// First bin that is kept.
    private let firstBin: Int
    private let binCount: Int
    private let blockLength: Int
    private let binsPerHertz: Double
    /// Bins on either side of a tone that are looked at least, the tone's own among them.
    private let minimumReach: Double
    /// Complex values, `2 · binCount` floats a symbol.
    private var values: [Float]
    /// Bins of each tone within ±47 cents, counted from `firstBin`, and the noise's greatest there over its mean.
    private let bands: [Range<Int>]
    let bandBias: [Float]

    init(format: WireFormat, transform: borrowing FractionalBinTransform) {
        self.format = format
        blockLength = transform.blockLength
        binsPerHertz = Double(transform.length) / transform.sampleRateHertz
        let lowestHalfStep = format.basePitchHertz * (format.halfStepRatio(of: 0) - 1) * binsPerHertz
        minimumReach = lowestHalfStep < Self.minimumAdjacentBins ? Self.wideAdjacentBins : Self.minimumAdjacentBins
        let first = max(0, Int(format.bandHertz.lowerBound * binsPerHertz) - Int(minimumReach) + 1)
        let end = min(transform.binCount, Int(format.bandHertz.upperBound * binsPerHertz) + 4)
        firstBin = first
        binCount = end - first
        // Sums are formed of eight values at a time, the last of which may lie behind the end.
        values = [Float](repeating: 0, count: 2 * (end - first) * format.frameSymbolCount + 8)
        let binsPerHertz = binsPerHertz
        bands = (0..<format.toneCount).map { tone in
            let middle = format.pitchHertz(of: UInt8(tone)) * binsPerHertz
            let width = format.bandRatio(of: UInt8(tone), cents: 47)
            let low = Int((middle / width).rounded()) - first
            let high = min(end - 1, Int((middle * width).rounded())) - first
            return low < high ? low..<high + 1 : 0..<0
        }
        // Mean of the greatest of n exponential variates: the harmonic number.
        bandBias = bands.map { band in (1...max(1, band.count)).reduce(0) { $0 + 1 / Float($1) } / 1.5 }
    }

    /// Transforms the twenty symbols. What has not been heard of them, or is not there any more, counts as silence, and so does a
    /// symbol with less than an eighth left, which is too little to measure noise by.
    mutating func compute(
        _ samples: borrowing SampleRing, at timing: FrameTiming, transform: inout FractionalBinTransform
    ) {
        let symbolLength = format.symbolSeconds * timing.periodRatio * transform.sampleRateHertz
        let width = 2 * binCount
        let offset = 2 * firstBin
        for symbol in 0..<format.frameSymbolCount {
            let middle = timing.startSample + (Double(symbol) + 0.5) * symbolLength
            let start = Int(middle.rounded(.down)) - blockLength / 2
            let base = width * symbol
            let heard = min(start + blockLength, samples.horizon) - max(start, samples.origin)
            guard 8 * heard >= blockLength else {
                var target = values.mutableSpan
                target.clear(base..<base + width)
                continue
            }
            transform.transformBlock(of: samples, at: start) { spectrum in
                var target = values.mutableSpan
                target.copy(spectrum, offset..<offset + width, to: base)
            }
        }
    }

    /// Energies of the 32 tones in each of the twenty symbols, `energies[32 · symbol + tone]`, noise counting with its
    /// variance: zero for tones beyond the band.
    func energies(tuningCents: Double, transform: borrowing FractionalBinTransform) -> [Float] {
        var energies = [Float](repeating: 0, count: format.toneCount * format.frameSymbolCount)
        let ratio = Double.exp2(tuningCents / 1200)
        for tone in 0..<format.toneCount {
            let place = transform.place(hertz: format.pitchHertz(of: UInt8(tone)) * ratio)
            let first = place.firstBin - firstBin
            guard first >= 0, first + 4 <= binCount else { continue }
            let scale = 1 / transform.gains[place.fraction]
            for symbol in 0..<format.frameSymbolCount {
                let value = transform.value(
                    values.span, at: FractionalBin(firstBin: first + binCount * symbol, fraction: place.fraction))
                energies[32 * symbol + tone] = (value.x * value.x + value.y * value.y) * scale
            }
        }
        return energies
    }

    /// Energy of the strongest bin within ±47 cents of each tone, laid out and scaled as ``energies(tuningCents:transform:)``.
    func bandEnergies() -> [Float] {
        var energies = [Float](repeating: 0, count: format.toneCount * format.frameSymbolCount)
        let scale = 1 / Float(blockLength)
        for symbol in 0..<format.frameSymbolCount {
            for tone in 0..<format.toneCount {
                var most: Float = 0
                for bin in bands[tone] {
                    let power = power(symbol: symbol, bin: bin)
                    most = power > most ? power : most
                }
                energies[32 * symbol + tone] = most * scale
            }
        }
        return energies
    }

    /// The strongest bin within ±47 cents of a tone: its energy, scaled as ``bandEnergies()``, and how far it lies above the
    /// nominal pitch, in cents, by parabolic interpolation; nil for a tone beyond the band, and for silence.
    func peak(symbol: Int, tone: UInt8) -> (energy: Float, cents: Double)? {
        let bins = bands[Int(tone)]
        guard let peak = bins.max(by: { power(symbol: symbol, bin: $0) < power(symbol: symbol, bin: $1) }),
            case let most = power(symbol: symbol, bin: peak), most > 0, peak + 1 < binCount
        else { return nil }
        let (a, b, c) = (
            Double(power(symbol: symbol, bin: peak - 1)).squareRoot(), Double(most).squareRoot(),
            Double(power(symbol: symbol, bin: peak + 1)).squareRoot()
        )
        let shift = parabolaPeak(a, b, c)
        let hertz = (Double(firstBin + peak) + shift) / binsPerHertz
        return (most / Float(blockLength), 1200 * Double.log2(hertz / format.pitchHertz(of: tone)))
    }

    @inline(__always)
    private func power(symbol: Int, bin: Int) -> Float {
        let index = 2 * (binCount * symbol + bin)
        return values[index] * values[index] + values[index + 1] * values[index + 1]
    }

    /// ``minimumReach``: where half a step is less, neighbours that sound count as what is beside it.
    private static let minimumAdjacentBins = 4.0
    /// As many where half a step of the lowest tones is less than that: fewer measure the noise so poorly that it is taken for
    /// tones.
    private static let wideAdjacentBins = 9.0

    /// Mean power within half a step of each tone, the tone itself left out, on the scale of noise energy:
    /// `powers[32 · symbol + tone]`.
    func adjacentPowers(tuningCents: Double) -> [Float] {
        var powers = [Float](repeating: 0, count: format.toneCount * format.frameSymbolCount)
        let ratio = Double.exp2(tuningCents / 1200)
        for tone in 0..<format.toneCount {
            let middle = format.pitchHertz(of: UInt8(tone)) * ratio * binsPerHertz - Double(firstBin)
            let edge = Double(firstBin)
            let halfStep = format.halfStepRatio(of: UInt8(tone))
            let outer = (
                Int(min((middle + edge) / halfStep - edge, middle - minimumReach)),
                Int(max((middle + edge) * halfStep - edge, middle + minimumReach)) + 1
            )
            let inner = (Int((middle - 2).rounded()), Int((middle + 2).rounded()) + 1)
            guard outer.0 >= 0, outer.1 <= binCount, inner.1 < outer.1 else { continue }
            let scale = 1 / (Float(outer.1 - outer.0 - inner.1 + inner.0) * Float(blockLength))
            let below = Stretch(first: 2 * outer.0, count: 2 * (inner.0 - outer.0))
            let above = Stretch(first: 2 * inner.1, count: 2 * (outer.1 - inner.1))
            for symbol in 0..<format.frameSymbolCount {
                let base = 2 * binCount * symbol
                let sum = below.squares(values.span, from: base) + above.squares(values.span, from: base)
                powers[32 * symbol + tone] = sum.total * scale
            }
        }
        return powers
    }
}

/// Values of a symbol that lie side by side.
private struct Stretch {
    private let first: Int
    private let wholeCount: Int
    /// One for those of the last eight that belong to it, and zero for others.
    private let lastMask: SIMD8<Float>

    init(first: Int, count: Int) {
        self.first = first
        wholeCount = max(0, count) / 8
        lastMask = SIMD8(firstLanes: max(0, count) % 8)
    }

    /// The sums of the squares of every eighth value, of those that begin at `base` and have eight more behind their end.
    @inline(__always)
    func squares(_ values: Span<Float>, from base: Int) -> SIMD8<Float> {
        let begin = base + first
        precondition(begin >= 0 && begin + 8 * wholeCount + 8 <= values.count, "the values are there")
        var sum = SIMD8<Float>()
        for group in 0..<wholeCount {
            let part = unsafe values.eight(uncheckedAt: begin &+ 8 &* group)
            sum += part * part
        }
        let last = unsafe values.eight(uncheckedAt: begin &+ 8 &* wholeCount) * lastMask
        return sum + last * last
    }
}
