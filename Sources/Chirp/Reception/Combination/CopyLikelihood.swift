internal import RealModule

/// Tables of what the energy of a tone says, in one of several copies or in their sum; each is made once, which takes as long as a few seconds of
/// noise.
enum CopyLikelihood {
    /// Es/N0 of each of so many copies at which half of the chirps come through.
    static func design(copies: Int) -> Double { 4.3 / Double.pow(Double(max(1, copies)), 0.6) }

    private static let copyCounts = 0...CopyCombiner.maximumCopyCount

    /// Likelihood ratios of a tone to none by its energy in one of so many copies, in the history's steps.
    static let singleRatios = copyCounts.map { singleTable(copies: $0) }
    /// Their logarithms.
    static let single = singleRatios.map { $0.map { Float.log($0) } }
    /// Likelihood ratios of a tone to none by the sum of its energies over so many copies, in the history's steps.
    static let sumRatios = copyCounts.map { sumTable(copies: $0) }
    /// Logarithms of them of a symbol with any of the 32 tones, by the best of them.
    static let bestOfSums = sumRatios.map { $0.map { Float.log(($0 + otherTones) / 32) } }

    /// What the tones of a symbol that are not its best are likely to be together, as a likelihood ratio.
    private static let otherTones: Float = 15

    private static func singleTable(copies: Int) -> [Float] {
        let design = design(copies: copies)
        return (0...255).map { step in
            SymbolLikelihood.exact(
                Double(step) / Double(ToneHistory.energySteps), energyRatio: design, outage: outage)
        }
    }

    /// The sum has a noncentral χ² distribution with twice as many degrees of freedom; its ratio to the central one is
    /// exp(−Mγ) · ₀F₁(M; Mγ e) with γ = Es/N0 (Proakis and Salehi, "Digital Communications", 5th ed., section 11.1-1).
    private static func sumTable(copies: Int) -> [Float] {
        guard copies > 0 else { return [1] }
        let total = Double(copies) * design(copies: copies)
        let scale = (1 - outage) * Double.exp(-total)
        let count = 255 * copies + 1
        var table: [Float] = []
        table.reserveCapacity(count)
        for first in stride(from: 0, to: count, by: 8) {
            // The series of eight steps at once; that of the last one converges last.
            var x = SIMD8<Double>()
            for lane in 0..<8 { x[lane] = total * Double(first + lane) / Double(ToneHistory.energySteps) }
            var (term, sum, n) = (SIMD8<Double>(repeating: 1), SIMD8<Double>(repeating: 1), 0.0)
            repeat {
                term *= x * (1 / ((n + 1) * (Double(copies) + n)))
                sum += term
                n += 1
            } while term[7] > 1e-9 * sum[7]
            for lane in 0..<min(8, count - first) { table.append(Float(scale * sum[lane] + outage)) }
        }
        return table
    }

    private static let outage = Double(SymbolLikelihood.outage)
}
