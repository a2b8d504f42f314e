internal import RealModule

/// What the acquisition measured in the last minutes, small enough to be kept: the energies of the 32 tones at each start of a symbol, a byte
/// each, and the correlations with them in each block of a quarter symbol, two bytes each, both over the noise.
struct ToneHistory: Sendable {
    typealias Row = SIMD32<UInt8>

    /// Blocks that are kept, a power of two: more than sixteen copies that are 15 seconds apart.
    static let length = 1 << 14
    /// Steps of an energy, in noise energies, and of a correlation, in amplitudes of the noise of a symbol.
    static let energySteps: Float = 24
    private static let correlationSteps: Float = 40
    /// A byte holds no greater energy; a tone that has it is plain.
    private static let greatestEnergy: Float = 255 / energySteps

    private var energies = [Row](repeating: Row(), count: Self.length)
    /// The strongest tone of the symbol that starts with each block, one strand for each block of a symbol, every strand twice.
    private var strongest = [UInt8](repeating: 0, count: 2 * Self.length)
    private static let strandLength = length / CoarseAcquisition.blocksPerSymbol

    /// Real parts of the 32 tones, then imaginary ones, block by block.
    private var correlations = [Int8](repeating: 0, count: 64 * Self.length)

    /// The energies of the tones in the symbol that starts with a block.
    @inline(__always)
    subscript(start: Int) -> Row { energies[start & (Self.length &- 1)] }

    /// Keeps energies over the noise, in four vectors.
    mutating func setEnergies(_ start: Int, _ ratios: (SIMD8<Float>, SIMD8<Float>, SIMD8<Float>, SIMD8<Float>)) {
        energies[start & (Self.length - 1)] = Row(
            lowHalf: SIMD16(lowHalf: Self.byte(ratios.0), highHalf: Self.byte(ratios.1)),
            highHalf: SIMD16(lowHalf: Self.byte(ratios.2), highHalf: Self.byte(ratios.3)))
        let most = max(max(ratios.0.greatest, ratios.1.greatest), max(ratios.2.greatest, ratios.3.greatest))
        setStrongest(
            start,
            ratios.0.place(of: most) ?? ratios.1.place(of: most).map { 8 + $0 } ?? ratios.2.place(of: most).map {
                16 + $0
            }
                ?? ratios.3.place(of: most).map { 24 + $0 } ?? 0)
    }

    private mutating func setStrongest(_ start: Int, _ tone: Int) {
        let place = Self.strandPlace(start)
        strongest[place] = UInt8(tone)
        strongest[place + Self.strandLength] = UInt8(tone)
    }

    @inline(__always)
    private static func strandPlace(_ start: Int) -> Int {
        2 &* strandLength &* (start & 3) &+ ((start >> 2) & (strandLength &- 1))
    }

    /// In how many of the sixteen symbols after the first two the strongest tone is the same at two places.
    func agreement(_ first: Int, _ second: Int) -> Int {
        let (a, b) = (Self.strandPlace(first) + 2, Self.strandPlace(second) + 2)
        var count = 0
        for symbol in 0..<18 where strongest[a &+ symbol] == strongest[b &+ symbol] { count += 1 }
        return count
    }

    /// A symbol of which nothing is known: each tone has the noise's energy.
    static let unknown = Row(repeating: UInt8(energySteps))

    /// Keeps that nothing is known of a symbol.
    mutating func clearEnergies(_ start: Int) { energies[start & (Self.length - 1)] = Self.unknown }

    /// Keeps the correlations of a block, over the amplitude of a symbol's noise, in four vectors each.
    mutating func setCorrelations(
        _ block: Int, _ re: (SIMD8<Float>, SIMD8<Float>, SIMD8<Float>, SIMD8<Float>),
        _ im: (SIMD8<Float>, SIMD8<Float>, SIMD8<Float>, SIMD8<Float>)
    ) {
        let base = 64 * (block & (Self.length - 1))
        var target = correlations.mutableSpan
        Self.write(re.0, base, &target)
        Self.write(re.1, base + 8, &target)
        Self.write(re.2, base + 16, &target)
        Self.write(re.3, base + 24, &target)
        Self.write(im.0, base + 32, &target)
        Self.write(im.1, base + 40, &target)
        Self.write(im.2, base + 48, &target)
        Self.write(im.3, base + 56, &target)
    }

    /// The correlations of the tones with a block, real and imaginary parts, in steps.
    @inline(__always)
    func correlations(_ block: Int) -> (re: SIMD32<Float>, im: SIMD32<Float>) {
        let (base, source) = (Self.row(block), correlations.span)
        var (re, im) = (SIMD32<Int8>(), SIMD32<Int8>())
        for tone in 0..<32 {
            re[tone] = source[base &+ tone]
            im[tone] = source[base &+ tone &+ 32]
        }
        return (SIMD32<Float>(re), SIMD32<Float>(im))
    }

    /// Sets the energies over the noise of the 32 tones in the twenty symbols of a frame. Between two blocks the edges count by as
    /// much as they share with the symbol.
    func setEnergies(of place: Double, symbolCount: Int, in target: inout MutableSpan<Float>) {
        let first = Int(place.rounded(.down))
        let share = Float(place - Double(first))
        let (own, after) = ((1 - share) / Self.correlationSteps, share / Self.correlationSteps)
        let inner = 1 / Self.correlationSteps
        // Four blocks of noise have the energy one.
        let noise = ((1 - share) * (1 - share) + 3 + share * share) / 4
        let source = correlations.span
        for symbol in 0..<symbolCount {
            let block = first + CoarseAcquisition.blocksPerSymbol * symbol
            let (a, b, c, d, e) = (
                Self.row(block), Self.row(block + 1), Self.row(block + 2), Self.row(block + 3), Self.row(block + 4)
            )
            for tone in 0..<32 {
                let re =
                    Float(source[a &+ tone]) * own
                    + Float(Int32(source[b &+ tone]) &+ Int32(source[c &+ tone]) &+ Int32(source[d &+ tone])) * inner
                    + Float(source[e &+ tone]) * after
                let im =
                    Float(source[a &+ tone &+ 32]) * own
                    + Float(
                        Int32(source[b &+ tone &+ 32]) &+ Int32(source[c &+ tone &+ 32])
                            &+ Int32(source[d &+ tone &+ 32])) * inner
                    + Float(source[e &+ tone &+ 32]) * after
                let energy = (re * re + im * im) / noise
                target[32 &* symbol &+ tone] = energy < Self.greatestEnergy ? energy : Self.greatestEnergy
            }
        }
    }

    @inline(__always)
    private static func row(_ block: Int) -> Int { 64 &* (block & (length &- 1)) }

    /// Below 2²³ the last bits of a float are those of the integer.
    private static let integerBits: Float = 8_388_608

    @inline(__always)
    private static func byte(_ ratio: SIMD8<Float>) -> SIMD8<UInt8> {
        var value = ratio
        value.replace(with: greatestEnergy, where: value .> greatestEnergy)
        let shifted = value * energySteps + integerBits
        return SIMD8<UInt8>(truncatingIfNeeded: unsafe unsafeBitCast(shifted, to: SIMD8<UInt32>.self))
    }

    @inline(__always)
    private static func write(_ amplitudes: SIMD8<Float>, _ place: Int, _ target: inout MutableSpan<Int8>) {
        let values = signed(amplitudes)
        for lane in 0..<8 { target[place &+ lane] = values[lane] }
    }

    @inline(__always)
    private static func signed(_ amplitude: SIMD8<Float>) -> SIMD8<Int8> {
        let most = 127 / correlationSteps
        var value = amplitude
        value.replace(with: most, where: value .> most)
        value.replace(with: -most, where: value .< -most)
        let shifted = value * correlationSteps + (integerBits + 128)
        let biased = SIMD8<UInt8>(truncatingIfNeeded: unsafe unsafeBitCast(shifted, to: SIMD8<UInt32>.self))
        return SIMD8<Int8>(truncatingIfNeeded: biased &- 128)
    }
}

extension SIMD8<Float> {
    /// The first lane that has a value.
    @inline(__always)
    fileprivate func place(of value: Float) -> Int? { (0..<8).first { self[$0] == value } }
}
