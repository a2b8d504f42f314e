import Foundation

/// A radix-2 transform of doubles, written to be right and not to be fast.
enum PlainFourier {
    /// Powers of the bins 0 … count / 2.
    ///
    /// - Parameter samples: a power of two of them.
    static func powers(_ samples: [Double]) -> [Double] {
        let (re, im) = transform(samples, [Double](repeating: 0, count: samples.count))
        return (0...samples.count / 2).map { re[$0] * re[$0] + im[$0] * im[$0] }
    }

    private static func transform(_ re: [Double], _ im: [Double]) -> ([Double], [Double]) {
        let count = re.count
        guard count > 1 else { return (re, im) }
        let half = count / 2
        func every(second offset: Int, of values: [Double]) -> [Double] { (0..<half).map { values[2 * $0 + offset] } }
        let (evenRe, evenIm) = transform(every(second: 0, of: re), every(second: 0, of: im))
        let (oddRe, oddIm) = transform(every(second: 1, of: re), every(second: 1, of: im))
        var (outRe, outIm) = (re, im)
        for k in 0..<half {
            let angle = -2 * Double.pi * Double(k) / Double(count)
            let (c, s) = (cos(angle), sin(angle))
            let (r, i) = (oddRe[k] * c - oddIm[k] * s, oddRe[k] * s + oddIm[k] * c)
            (outRe[k], outIm[k]) = (evenRe[k] + r, evenIm[k] + i)
            (outRe[k + half], outIm[k + half]) = (evenRe[k] - r, evenIm[k] - i)
        }
        return (outRe, outIm)
    }
}
