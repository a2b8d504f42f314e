/// The noise floors of tones or bins, in rows of eight, and what they were before the latest symbol starts, so that a scan may go back.
struct NoiseFloors: Sendable {
    typealias Lanes = SIMD8<Float>

    /// What is added to a floor by which something is divided.
    static let tiny: Float = 1e-20
    /// Symbol starts of which the first floors are the mean.
    static let firstCount = 128
    /// Share of the newest symbol in later floors. They follow once a symbol, as the starts between share three quarters of the sound.
    private static let laterRate: Float = 1.0 / 32
    /// Share of the floors below which most sound must stay, for about a second, longer than a pause in speech, for them to be measured anew.
    /// Floors that follow fall by 1.6 dB a second.
    private static let restartingFall: Float = 1e-2
    /// Symbol starts for which most lanes are so far below.
    private static let lastingCount = 48
    /// Lanes that may be above, one in so many: a chirp's own tones.
    private static let lanesForOneAbove = 4
    /// Symbols of which past floors are kept: one start each, as often as they follow.
    private static let pastLength = CoarseAcquisition.historyLength / CoarseAcquisition.blocksPerSymbol

    private let rows: Int
    private(set) var current: [Lanes]
    /// One over each.
    private(set) var inverse: [Lanes]
    /// Symbol starts heard since the floors were last measured anew.
    private(set) var heardCount = 0
    /// The latest of them at which most lanes were far below their floors.
    private var quietCount = 0
    private var pastRows: [Lanes]
    private var pastCounts = [(heard: Int, quiet: Int)](repeating: (0, 0), count: CoarseAcquisition.historyLength)

    init(rows: Int) {
        self.rows = rows
        current = [Lanes](repeating: Lanes(), count: rows)
        inverse = current
        pastRows = [Lanes](repeating: Lanes(), count: rows * Self.pastLength)
    }

    /// The last start up to some one before which floors are kept.
    static func keptStart(upTo start: Int) -> Int {
        start / CoarseAcquisition.blocksPerSymbol * CoarseAcquisition.blocksPerSymbol
    }

    /// The first start from some one on before which they are.
    static func keptStart(from start: Int) -> Int { keptStart(upTo: start + CoarseAcquisition.blocksPerSymbol - 1) }

    /// Keeps what is known before a start; starts come in order.
    mutating func keep(before start: Int) {
        pastCounts[CoarseAcquisition.place(of: start)] = (heardCount, quietCount)
        guard Self.keptStart(upTo: start) == start else { return }
        let first = firstPast(start)
        for row in 0..<rows { pastRows[first + row] = current[row] }
    }

    /// A row of the floors before a start before which floors are kept.
    @inline(__always)
    func past(_ start: Int, row: Int) -> Lanes { pastRows[firstPast(start) + row] }

    /// Of how many symbol starts the floors were the mean before one.
    func heardCount(before start: Int) -> Int {
        start < 0 ? 0 : pastCounts[CoarseAcquisition.place(of: start)].heard
    }

    /// Goes back to what was known before a start before which floors are kept.
    mutating func rewind(to start: Int) {
        (heardCount, quietCount) = pastCounts[CoarseAcquisition.place(of: start)]
        for row in 0..<rows {
            current[row] = past(start, row: row)
            inverse[row] = 1 / (current[row] + Self.tiny)
        }
    }

    /// Counts a symbol, the energies of which begin with `energies[first]`; the first ones make the floors before they are weighed.
    mutating func hear(_ energies: [Lanes], from first: Int) {
        // What is far quieter than anything before is another sound: its floors are not to wait for the old ones to fall.
        if heardCount > 0 {
            quietCount = areMostBelow(energies, from: first) ? quietCount + 1 : 0
            if quietCount > Self.lastingCount {
                heardCount = 0
                quietCount = 0
            }
        }
        heardCount += 1
        guard heardCount <= Self.firstCount else { return }
        Self.move(&current, &inverse, to: energies, from: first, rate: 1 / Float(heardCount), limit: .infinity)
    }

    /// Counts a symbol of digital silence, which says nothing about noise; what comes after it may be another sound.
    mutating func hearSilence() { quietCount += 1 }

    /// Follows the symbol that starts with block `start` once it has been weighed, if it is later than the first ones.
    ///
    /// - Parameter limit: how many times the floor an energy counts at most, so that a crack does not deafen for minutes.
    mutating func follow(_ energies: [Lanes], from first: Int, start: Int, limit: Float) {
        guard heardCount > Self.firstCount, start % CoarseAcquisition.blocksPerSymbol == 0 else { return }
        Self.move(&current, &inverse, to: energies, from: first, rate: Self.laterRate, limit: limit)
    }

    private func areMostBelow(_ energies: [Lanes], from first: Int) -> Bool {
        let (energies, floors) = (energies.span.extracting(first..<first + rows), current.span)
        let mostAbove = Float(rows * Lanes.scalarCount / Self.lanesForOneAbove)
        var above = Lanes()
        // Nearly always the first few tell.
        let fewRows = rows / Self.lanesForOneAbove + 1
        for row in 0..<rows {
            if row == fewRows, above.total > mostAbove { return false }
            let (energy, floor) = (energies[row], floors[row] * Self.restartingFall)
            for lane in 0..<Lanes.scalarCount { above[lane] += energy[lane] > floor[lane] ? 1 : 0 }
        }
        return above.total <= mostAbove
    }

    /// Apart from the structure, so that a write to one array is checked once and not for each element.
    private static func move(
        _ floors: inout [Lanes], _ inverses: inout [Lanes], to energies: [Lanes], from first: Int, rate: Float,
        limit: Float
    ) {
        let energies = energies.span
        var floors = floors.mutableSpan
        var inverses = inverses.mutableSpan
        for row in 0..<floors.count {
            let floor = floors[row]
            var energy = energies[first + row]
            if limit < .infinity { energy.formLesser(floor * limit) }
            let moved = floor + (energy - floor) * rate
            floors[row] = moved
            inverses[row] = 1 / (moved + tiny)
        }
    }

    @inline(__always)
    private func firstPast(_ start: Int) -> Int {
        rows &* (start / CoarseAcquisition.blocksPerSymbol & (Self.pastLength &- 1))
    }
}
