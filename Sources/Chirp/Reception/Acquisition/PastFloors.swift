/// What the noise floors were before the latest symbol starts, so that a scan may go back: once a symbol, as often as they follow.
struct PastFloors: Sendable {
    typealias Lanes = SIMD8<Float>

    /// Symbols of which they are kept.
    private static let length = CoarseAcquisition.historyLength / CoarseAcquisition.blocksPerSymbol
    /// Vectors of a floor.
    private let rows: Int
    private var floors: [Lanes]

    init(rows: Int) {
        self.rows = rows
        floors = [Lanes](repeating: Lanes(), count: rows * Self.length)
    }

    /// The last start up to some one before which floors are kept.
    static func keptStart(upTo start: Int) -> Int {
        start / CoarseAcquisition.blocksPerSymbol * CoarseAcquisition.blocksPerSymbol
    }

    /// The first start from some one on before which they are.
    static func keptStart(from start: Int) -> Int { keptStart(upTo: start + CoarseAcquisition.blocksPerSymbol - 1) }

    /// Keeps what the floor is before a start, if that is one before which floors are kept.
    mutating func keep(_ floor: [Lanes], before start: Int) {
        guard Self.keptStart(upTo: start) == start else { return }
        let first = first(of: start)
        for row in 0..<rows { floors[first + row] = floor[row] }
    }

    /// A vector of the floor before a start before which floors are kept.
    @inline(__always)
    subscript(start: Int, row: Int) -> Lanes { floors[first(of: start) + row] }

    @inline(__always)
    private func first(of start: Int) -> Int {
        rows &* (start / CoarseAcquisition.blocksPerSymbol & (Self.length &- 1))
    }
}
