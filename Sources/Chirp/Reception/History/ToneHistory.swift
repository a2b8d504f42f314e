internal import RealModule

/// What the acquisition measured in the last minutes, small enough to be kept: the energies of the 32 tones at each start of a symbol, a byte
/// each, and the correlations with them in each block of a quarter symbol, and with their slopes, two bytes each, all over the noise.
struct ToneHistory: Sendable {
    typealias Row = SIMD32<UInt8>

    /// For how many blocks there is room at first, and for how many after the newest at least as long as there is room for fewer than are kept: what
    /// is looked at beyond it is not there yet.
    private static let firstLength = 1 << 10
    private static let room = 1 << 7
    /// Steps of an energy, in noise energies, and of a correlation, in amplitudes of the noise of a symbol.
    static let energySteps: Float = 24
    private static let correlationSteps: Float = 40
    /// A byte holds no greater energy; a tone that has it is plain.
    static let greatestEnergy: Float = 255 / energySteps

    /// The first of the energies come again after the last, so that those of each frame are in a row.
    private var energies = [Row](repeating: Row(), count: Self.firstLength + Self.room)
    /// The strongest tone of the symbol that starts with each block: those that are whole symbols apart in a row, and the first of them again
    /// after the last.
    private var strongest: [UInt8]
    /// Real parts of the 32 tones, then imaginary ones, then as much of the slopes, block by block.
    private var correlations = [Int8](repeating: 0, count: 128 * Self.firstLength)
    /// Blocks that are kept at most, and for how many there is room. Until that is as many each block has the place of its number.
    private let length: Int
    private var count: Int { energies.count - Self.room }
    /// The block whose place is the first.
    private var origin = 0
    /// Symbols of a row of the strongest tones, and how many symbols come again: no frame has more.
    private let strandLength: Int
    private static let repeatedSymbols = room / CoarseAcquisition.blocksPerSymbol

    /// Memory is asked for as much as there can be, and given where it is written to: nothing is copied when there is more to keep.
    ///
    /// - Parameter length: blocks that are kept at least.
    init(length: Int) {
        strandLength = max(length, Self.firstLength) / CoarseAcquisition.blocksPerSymbol + 1
        self.length = strandLength * CoarseAcquisition.blocksPerSymbol
        strongest = [UInt8](
            repeating: 0, count: CoarseAcquisition.blocksPerSymbol * (strandLength + Self.repeatedSymbols))
        energies.reserveCapacity(self.length + Self.room)
        correlations.reserveCapacity(128 * self.length)
    }

    /// Makes room for a block.
    private mutating func makeRoom(for block: Int) {
        while count < length, block + Self.room >= count {
            let more = min(count, length - count)
            energies.append(contentsOf: repeatElement(Row(), count: more))
            correlations.append(contentsOf: repeatElement(0, count: 128 * more))
        }
        if block >= origin + length { origin += length }
    }

    /// Where a block is kept, of those that are; of others some place.
    @inline(__always)
    private func index(_ block: Int) -> Int {
        let index = block &- origin
        if index < 0 { return max(0, index &+ count) }
        return index < count ? index : min(count &- 1, index &- count)
    }

    /// The energies of the tones in the symbol that starts with a block.
    @inline(__always)
    subscript(start: Int) -> Row { energies[index(start)] }

    /// Where the energies of a frame of so many symbols are kept that starts with a block, in bytes.
    @inline(__always)
    func place(of start: Int, symbolCount: Int) -> Int {
        precondition(symbolCount <= Self.repeatedSymbols, "frames are no longer than what comes again")
        return MemoryLayout<Row>.stride * index(start)
    }

    /// The energies of the even tones in the symbols that start so many blocks after frames, at most a frame, and those of the odd ones, added up.
    ///
    /// - Parameter places: where the frames are kept (``place(of:symbolCount:)``).
    @inline(__always)
    func energies(at places: Span<Int>, later blocks: Int) -> (even: SIMD16<UInt16>, odd: SIMD16<UInt16>) {
        let (source, offset) = unsafe (energies.span.bytes, MemoryLayout<Row>.stride &* blocks)
        // Sums of both bytes of an integer, modulo 2¹⁶, and of the upper ones: compilers call a function for the conversion of a vector.
        var (pairs, odd) = (SIMD16<UInt16>(), SIMD16<UInt16>())
        for copy in places.indices {
            let both = unsafe source.unsafeLoad(
                fromUncheckedByteOffset: places[unchecked: copy] &+ offset, as: SIMD16<UInt16>.self)
            pairs &+= both
            odd &+= both &>> 8
        }
        return (pairs &- (odd &<< 8), odd)
    }

    /// The same of one frame.
    @inline(__always)
    func energies(of frame: Int, later blocks: Int) -> (even: SIMD16<UInt16>, odd: SIMD16<UInt16>) {
        let pairs = unsafe unsafeBitCast(energies[index(frame) &+ blocks], to: SIMD16<UInt16>.self)
        return (pairs & 0xff, pairs &>> 8)
    }

    /// Keeps energies over the noise, in four vectors.
    mutating func setEnergies(_ start: Int, _ ratios: (SIMD8<Float>, SIMD8<Float>, SIMD8<Float>, SIMD8<Float>)) {
        setEnergies(
            start,
            Row(
                lowHalf: SIMD16(lowHalf: Self.byte(ratios.0), highHalf: Self.byte(ratios.1)),
                highHalf: SIMD16(lowHalf: Self.byte(ratios.2), highHalf: Self.byte(ratios.3))))
        let greatest = SIMD4(ratios.0.greatest, ratios.1.greatest, ratios.2.greatest, ratios.3.greatest)
        let most = greatest.max()
        let all = SIMD32(
            lowHalf: SIMD16(lowHalf: ratios.0, highHalf: ratios.1),
            highHalf: SIMD16(lowHalf: ratios.2, highHalf: ratios.3))
        let row = 8 * ((0..<4).first { greatest[$0] == most } ?? 0)
        let tone = UInt8((row..<row + 8).first { all[$0] == most } ?? 0)
        let (place, symbol) = strand(start)
        strongest[place] = tone
        if symbol < Self.repeatedSymbols { strongest[place + strandLength] = tone }
    }

    /// Where the strongest tone of the symbol that starts with a block is, and which of its row that is.
    @inline(__always)
    private func strand(_ start: Int) -> (place: Int, symbol: Int) {
        let index = index(start)
        let symbol = index / CoarseAcquisition.blocksPerSymbol
        let row = index % CoarseAcquisition.blocksPerSymbol
        return (row &* (strandLength &+ Self.repeatedSymbols) &+ symbol, symbol)
    }

    /// In how many of sixteen symbols after the first two the strongest tone is the same at two places.
    @inline(__always)
    func agreement(_ first: Int, _ second: Int) -> Int {
        let places = (strand(first).place &+ 2, strand(second).place &+ 2)
        let same = unsafe strongest.withUnsafeBytes {
            unsafe $0.loadUnaligned(fromByteOffset: places.0, as: SIMD16<UInt8>.self)
                .== $0.loadUnaligned(fromByteOffset: places.1, as: SIMD16<UInt8>.self)
        }
        return Int(SIMD16<UInt8>().replacing(with: 1, where: same).wrappedSum())
    }

    /// What energies count for at most where it is asked how much they vary: a chirp's tones are not to tell.
    private static let greatestOfRough = UInt16(4 * energySteps)

    /// Mean square of the energies in a frame, none of which counts for more than four times the noise's, over the square of their mean: 1.9 in
    /// noise, with or without a faint chirp, and more in a sound that comes and goes or has tones of its own.
    func roughness(of place: Int, symbolCount: Int) -> Float {
        var (sum, squares) = (SIMD16<UInt16>(), SIMD8<UInt32>())
        for symbol in 0..<symbolCount {
            let energies = energies(of: place, later: CoarseAcquisition.blocksPerSymbol &* symbol)
            let (even, odd) = (Self.limited(energies.even), Self.limited(energies.odd))
            sum &+= even &+ odd
            let own = unsafe unsafeBitCast(even &* even &+ odd &* odd, to: SIMD8<UInt32>.self)
            squares &+= (own & 0xffff) &+ (own &>> 16)
        }
        let (total, all) = (Float(sum.wrappedSum()), Float(squares.wrappedSum()))
        return Float(32 * symbolCount) * all / max(1, total * total)
    }

    /// The lesser of each energy and the greatest that counts.
    @inline(__always)
    private static func limited(_ energies: SIMD16<UInt16>) -> SIMD16<UInt16> {
        // The upper bit tells which are greater; compilers call a function for a comparison.
        let greater = SIMD16<UInt16>() &- ((energies &+ (0x7fff - greatestOfRough)) &>> 15)
        return (energies & ~greater) | (greater & greatestOfRough)
    }

    /// A symbol of which nothing is known: each tone has the noise's energy.
    static let unknown = Row(repeating: UInt8(energySteps))

    /// Whether anything is known of a frame.
    func isKnown(aroundPlace place: Double, _ format: WireFormat) -> Bool {
        let start = max(0, Int(place.rounded()))
        return (0..<format.frameSymbolCount).contains {
            self[start + CoarseAcquisition.blocksPerSymbol * $0] != Self.unknown
        }
    }

    /// Keeps that nothing is known of a symbol.
    mutating func clearEnergies(_ start: Int) {
        setEnergies(start, Self.unknown)
    }

    private mutating func setEnergies(_ start: Int, _ row: Row) {
        makeRoom(for: start)
        let index = index(start)
        energies[index] = row
        if index < Self.room { energies[index + count] = row }
    }

    /// Keeps a block's correlations over the amplitude of a symbol's noise.
    ///
    /// - Parameters:
    ///   - rows: those of eight tones each, then as much of the slopes.
    ///   - scales: what those of each tone are multiplied by, and all by `loudness`.
    mutating func setCorrelations(
        _ block: Int, _ rows: Span<ComplexLanes>, scales: Span<SIMD8<Float>>, loudness: Float
    ) {
        makeRoom(for: block)
        let row = row(block)
        var target = correlations.mutableSpan
        precondition(row + 16 * rows.count <= target.count && scales.count == 4, "there is room for the rows")
        for index in 0..<rows.count {
            let value = rows[index] * scales[index & 3] * loudness
            let (real, imaginary) = (Self.signed(value.real), Self.signed(value.imaginary))
            // Four rows of real parts, four of imaginary ones, then the slopes'.
            let place = row &+ 64 &* (index / 4) &+ 8 &* (index & 3)
            for lane in 0..<8 {
                unsafe target[unchecked: place &+ lane] = real[lane]
                unsafe target[unchecked: place &+ 32 &+ lane] = imaginary[lane]
            }
        }
    }

    /// Keeps that nothing is known of a block.
    mutating func clearCorrelations(_ block: Int) {
        makeRoom(for: block)
        for lane in 0..<128 { correlations[row(block) + lane] = 0 }
    }

    /// The correlations of the tones with a block, in steps.
    @inline(__always)
    func correlations(_ block: Int) -> ComplexVector<SIMD32<Float>> {
        let (base, source) = (row(block), correlations.span)
        var (re, im) = (SIMD32<Int8>(), SIMD32<Int8>())
        for tone in 0..<32 {
            re[tone] = source[base &+ tone]
            im[tone] = source[base &+ tone &+ 32]
        }
        return ComplexVector(SIMD32(re), SIMD32(im))
    }

    /// The energies over the noise of the 32 tones in the symbols of a frame. Between two blocks each edge counts by as
    /// much as it shares with the symbol, and by its slope.
    func energies(of place: Double, symbolCount: Int) -> [Float] {
        amplitudes(from: Int(place.rounded(.down)), symbolCount: symbolCount)
            .energies(of: place, symbolCount: symbolCount)
    }

    /// The correlations of the blocks of a frame that begins with a block or so many later.
    func amplitudes(from first: Int, symbolCount: Int, later: Int = 0) -> ToneAmplitudes {
        let count = CoarseAcquisition.blocksPerSymbol * symbolCount + 1 + later
        // Pointers, as compilers put eight of these conversions into two instructions, and into forty through spans.
        let values = unsafe [Float](unsafeUninitializedCapacity: 128 * count) { target, initializedCount in
            unsafe correlations.withUnsafeBufferPointer { source in
                for block in 0..<count {
                    let row = row(first &+ block)
                    for lane in 0..<128 {
                        let step = unsafe Float(source[row &+ lane])
                        unsafe target.initializeElement(
                            at: 128 &* block &+ lane, to: step * (1 / Self.correlationSteps))
                    }
                }
            }
            initializedCount = 128 * count
        }
        return ToneAmplitudes(first: first, values: values)
    }

    @inline(__always)
    private func row(_ block: Int) -> Int { 128 &* index(block) }

    /// Below 2²³ the last bits of a float are those of the integer.
    private static let integerBits: Float = 8_388_608

    /// The whole steps below energies.
    @inline(__always)
    static func steps(of energies: SIMD8<Float>) -> SIMD8<UInt32> {
        // What is no number counts as none. A half less is a whole step less, but for whole ones.
        var value = SIMD8<Float>()
        value.formGreater(energies * energySteps - 0.499)
        value.formLesser(255)
        return unsafe unsafeBitCast(value + integerBits, to: SIMD8<UInt32>.self) &- integerBits.bitPattern
    }

    @inline(__always)
    private static func byte(_ ratio: SIMD8<Float>) -> SIMD8<UInt8> {
        var value = ratio
        value.formLesser(greatestEnergy)
        let shifted = value * energySteps + integerBits
        return SIMD8<UInt8>(truncatingIfNeeded: unsafe unsafeBitCast(shifted, to: SIMD8<UInt32>.self))
    }

    @inline(__always)
    private static func signed(_ amplitude: SIMD8<Float>) -> SIMD8<Int8> {
        let most = 127 / correlationSteps
        var value = amplitude
        value.formLesser(most)
        value.formGreater(-most)
        let shifted = value * correlationSteps + (integerBits + 128)
        let biased = SIMD8<UInt8>(truncatingIfNeeded: unsafe unsafeBitCast(shifted, to: SIMD8<UInt32>.self))
        return SIMD8<Int8>(truncatingIfNeeded: biased &- 128)
    }
}
