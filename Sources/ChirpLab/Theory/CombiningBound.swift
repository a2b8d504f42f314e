internal import Chirp
internal import RealModule

/// How much lower a chirp may be when several copies of it, or channels that heard it, are combined before anything is decided.
///
/// The energies of each tone are summed over the copies, whose noise is independent. The mutual information of a symbol and those sums is
/// computed at the level that is asked about; a receiver of one chirp can do no better than half of its chirps at `singleSNRDecibels`, and
/// one of several copies no better at the level at which a symbol carries as much.
public enum CombiningBound {
    /// Where half of the chirps come through at best, one copy of each being sent: the bound of docs/ACCURACY.md for white noise at 44.1 kHz.
    public static let singleSNRDecibels = -27.5

    /// The signal-to-noise ratio at which half of the chirps come through at best, in decibels over the band at 44.1 kHz.
    ///
    /// - Parameters:
    ///   - copies: how many are combined, 1 to 64.
    ///   - symbols: how many symbols are simulated for each ratio: 20,000 give it to about .03 dB.
    public static func snrDecibels(copies: Int, symbols: Int = 20_000, seed: UInt64 = 1) -> Double {
        precondition((1...64).contains(copies), "1 to 64 copies")
        let asked = information(copies: 1, snrDecibels: singleSNRDecibels, symbols: symbols, seed: seed)
        // Copies gain at most what they add in energy.
        var range = (low: singleSNRDecibels - 10 * Double.log10(Double(copies)) - 1, high: singleSNRDecibels + 1)
        while range.high - range.low > 0.005 {
            let middle = (range.low + range.high) / 2
            if information(copies: copies, snrDecibels: middle, symbols: symbols, seed: seed) < asked {
                range.low = middle
            } else {
                range.high = middle
            }
        }
        return (range.low + range.high) / 2
    }

    /// Mutual information of a symbol and the sums of its tones' energies over the copies, in bits: at most five.
    public static func information(copies: Int, snrDecibels: Double, symbols: Int, seed: UInt64) -> Double {
        let energy = SymbolErrorRate.energyRatio(snrDecibels: snrDecibels)
        let (amplitude, gaussian) = (Float(energy.squareRoot()), Gaussian())
        let table = LikelihoodRatio(copies: copies, energy: energy)
        var lost = 0.0
        for symbol in 0..<symbols {
            var random = RandomSource(seed: seed, name: "information", index: symbol)
            // The first tone is the one that is sent.
            let logs = (0..<SoftWord.values).map { tone in
                var sum: Float = 0
                for _ in 0..<copies {
                    let real = gaussian.next(using: &random) * Float(0.5).squareRoot() + (tone == 0 ? amplitude : 0)
                    let imaginary = gaussian.next(using: &random) * Float(0.5).squareRoot()
                    sum += real * real + imaginary * imaginary
                }
                return table.log(of: Double(sum))
            }
            let most = logs.max() ?? 0
            lost += most + Double.log(logs.reduce(0) { $0 + Double.exp($1 - most) }) - logs[0]
        }
        return Double.log2(Double(SoftWord.values)) - lost / Double(symbols) / Double.log(2)
    }

    /// Logarithm of the likelihood ratio of a tone to noise by the sum y of its energies: noncentral against central chi-square of
    /// 2M degrees of freedom, whose ratio is y^((1−M)/2) · I_(M−1)(2√(M·γ·y)) but for a factor (Proakis, "Digital Communications",
    /// 4th edition, 2001, equations 2.1-110 and 2.1-118).
    private struct LikelihoodRatio {
        private static let step = 0.05
        private let values: [Double]

        init(copies: Int, energy: Double) {
            let total = Double(copies) * energy
            // Far above what the tone that is sent reaches.
            let most = total + Double(copies) + 12 * (2 * total + Double(copies)).squareRoot() + 10
            values = (0...Int(most / Self.step)).map { index in
                let y = max(Double(index) * Self.step, 1e-6)
                let order = Double(copies - 1)
                return Self.logBessel(order: copies - 1, 2 * (total * y).squareRoot())
                    - order / 2 * Double.log(total * y)
            }
        }

        func log(of sum: Double) -> Double {
            let place = min(sum / Self.step, Double(values.count - 2))
            let index = Int(place)
            return values[index] + (place - Double(index)) * (values[index + 1] - values[index])
        }

        /// ln I_n(x) by its power series, added up from its greatest term.
        private static func logBessel(order: Int, _ x: Double) -> Double {
            let half = Double.log(x / 2)
            func term(_ k: Int) -> Double {
                Double(2 * k + order) * half - Double.logGamma(Double(k + 1)) - Double.logGamma(Double(k + order + 1))
            }
            let greatest = max(0, Int((x * x + Double(order * order)).squareRoot() / 2 - Double(order) / 2))
            let peak = term(greatest)
            var sum = 0.0
            for k in stride(from: greatest, through: 0, by: -1) {
                let share = Double.exp(term(k) - peak)
                sum += share
                if share < 1e-12 { break }
            }
            var k = greatest + 1
            while true {
                let share = Double.exp(term(k) - peak)
                sum += share
                if share < 1e-12 { return peak + Double.log(sum) }
                k += 1
            }
        }
    }
}
