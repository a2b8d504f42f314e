/// Correlations of the 32 tones with the symbols of a frame, over the amplitude of the noise: in vectors of eight tones.
struct TonePhasors: Sendable {
    typealias Lanes = SIMD8<Float>
    /// Vectors of a symbol.
    static let rows = TonePhases.rows

    var values: [ComplexLanes]

    init(symbolCount: Int) { values = [ComplexLanes](repeating: ComplexLanes(), count: Self.rows * symbolCount) }

    /// The same sound, its phases turned.
    func turned(by turns: TonePhases) -> Self {
        var turned = self
        for index in values.indices { turned.values[index] = values[index] * turns.values[index % Self.rows] }
        return turned
    }

    /// The energies of eight tones.
    @inline(__always)
    func energies(_ index: Int) -> Lanes { values[index].power }

    /// The products with the conjugates of another frame's, as much of each as it counts, added up over the symbols.
    func products(with other: Self, weights: [Lanes]) -> Self {
        var sums = Self(symbolCount: 1)
        for row in 0..<Self.rows {
            var sum = ComplexLanes()
            for index in stride(from: row, to: weights.count, by: Self.rows) {
                sum += values[index].timesConjugate(other.values[index]) * weights[index]
            }
            sums.values[row] = sum
        }
        return sums
    }

    /// One for each tone of a frame that is none of a word's, nor just before or after one, and zero for the others: a tone sounds on in a room, and
    /// one copy may be off by a part of a symbol.
    static func rest(besides tones: [UInt8]) -> [Lanes] {
        var rest = [Lanes](repeating: Lanes(repeating: 1), count: rows * tones.count)
        for (symbol, tone) in tones.enumerated() {
            for near in max(0, symbol - 1)...min(tones.count - 1, symbol + 1) {
                rest[rows * near + Int(tone) / 8][Int(tone) % 8] = 0
            }
        }
        return rest
    }

    /// Mean square of the energies besides a word's tones, over the square of their mean: two in steady noise, as of all exponentially distributed
    /// values, and more in a sound that comes and goes or has tones of its own.
    func roughness(besides tones: [UInt8]) -> Float {
        let rest = Self.rest(besides: tones)
        var (count, sum, squares) = (Lanes(), Lanes(), Lanes())
        for index in rest.indices {
            let energies = energies(index) * rest[index]
            count += rest[index]
            sum += energies
            squares += energies * energies
        }
        return count.total * squares.total / max(.leastNormalMagnitude, sum.total * sum.total)
    }

    static func + (first: Self, second: Self) -> Self {
        var sum = first
        for index in sum.values.indices { sum.values[index] += second.values[index] }
        return sum
    }

    static func - (first: Self, second: Self) -> Self {
        var difference = first
        for index in difference.values.indices { difference.values[index] = first.values[index] - second.values[index] }
        return difference
    }
}
