internal import RealModule

/// Correlations of the 32 tones with the symbols of a frame, over the amplitude of the noise: real and imaginary parts in vectors of eight tones.
struct TonePhasors: Sendable {
    typealias Lanes = SIMD8<Float>
    /// Vectors of a symbol.
    static let rows = 4

    var real: [Lanes]
    var imaginary: [Lanes]

    init(symbolCount: Int) {
        real = [Lanes](repeating: Lanes(), count: Self.rows * symbolCount)
        imaginary = real
    }

    /// The same sound, its phases turned.
    func turned(by turns: TonePhases) -> Self {
        var turned = self
        for index in real.indices {
            let (re, im) = (real[index], imaginary[index])
            let (cosine, sine) = (turns.cosines[index % Self.rows], turns.sines[index % Self.rows])
            turned.real[index] = re * cosine - im * sine
            turned.imaginary[index] = re * sine + im * cosine
        }
        return turned
    }

    /// The energies of eight tones.
    @inline(__always)
    func energies(_ index: Int) -> Lanes { real[index] * real[index] + imaginary[index] * imaginary[index] }

    /// The products with the conjugates of another frame's, as much of each as it counts, added up over the symbols.
    func products(with other: Self, weights: [Lanes]) -> Self {
        var sums = Self(symbolCount: 1)
        for row in 0..<Self.rows {
            var (re, im) = (Lanes(), Lanes())
            for index in stride(from: row, to: weights.count, by: Self.rows) {
                let (a, b) = (real[index], imaginary[index])
                let (c, d) = (other.real[index], other.imaginary[index])
                re += weights[index] * (a * c + b * d)
                im += weights[index] * (b * c - a * d)
            }
            sums.real[row] = re
            sums.imaginary[row] = im
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
        for index in sum.real.indices {
            sum.real[index] += second.real[index]
            sum.imaginary[index] += second.imaginary[index]
        }
        return sum
    }

    static func - (first: Self, second: Self) -> Self {
        var difference = first
        for index in difference.real.indices {
            difference.real[index] -= second.real[index]
            difference.imaginary[index] -= second.imaginary[index]
        }
        return difference
    }
}
