internal import RealModule

/// A symbol's metric by the ratio of its best tone to the noise: the logarithm of the likelihood ratio at the design
/// point up to `knee`, much flatter beyond, so that a few loud notes do not make a chirp.
struct ToneMetric: Sendable {
    static let knee: Float = 16
    private let table: [Float]

    init() {
        table = (0..<Int(Self.knee / SymbolLikelihood.step) + 2).map { index in
            let ratio = Float(index) * SymbolLikelihood.step
            return 2 * (SymbolLikelihood.design * ratio).squareRoot() - 0.25 * Float.log(1 + 40 * ratio)
        }
    }

    func callAsFunction(_ ratio: Float) -> Float {
        guard ratio < Self.knee else { return table[table.count - 2] + Float.log(ratio / Self.knee) }
        return table[Int(ratio / SymbolLikelihood.step)]
    }
}
