internal import RealModule

/// A linear-phase filter: windowed sinc with a Blackman window (−74 dB in the stop band), its delay taken out.
public struct Filter: Channel {
    let taps: [Float]
    /// The sample rate that it was designed for.
    public let sampleRateHertz: Double

    /// Lets through from `lowHertz` (0: a low-pass) to `highHertz`, where it is 6 dB down.
    ///
    /// - Parameter transitionHertz: width from pass to stop band; its length in samples is 5.5 times the sample rate
    ///   over this (Oppenheim and Schafer, "Discrete-Time Signal Processing", table 7.2: 12π/M for Blackman's window).
    public init(lowHertz: Double = 0, highHertz: Double, transitionHertz: Double = 500, sampleRateHertz: Double) {
        precondition(lowHertz >= 0 && lowHertz < highHertz, "a filter lets something through")
        let half = Int((2.75 * sampleRateHertz / transitionHertz).rounded(.up))
        self.sampleRateHertz = sampleRateHertz
        taps = (-half...half).map { n in
            let x = Double(n) / Double(half + 1)
            let window = 0.42 + 0.5 * Double.cos(.pi * x) + 0.08 * Double.cos(2 * .pi * x)
            return Float(
                window * (Self.sinc(n, highHertz / sampleRateHertz) - Self.sinc(n, lowHertz / sampleRateHertz)))
        }
    }

    /// A filter of these taps, an odd number of them.
    init(taps: [Float], sampleRateHertz: Double) {
        self.taps = taps
        self.sampleRateHertz = sampleRateHertz
    }

    /// Impulse response at sample n of an ideal low-pass at `cutoff`, a share of the sample rate.
    private static func sinc(_ n: Int, _ cutoff: Double) -> Double {
        n == 0 ? 2 * cutoff : Double.sin(2 * .pi * cutoff * Double(n)) / (.pi * Double(n))
    }

    public func pass(_ sound: inout Sound, using random: inout RandomSource) {
        precondition(sound.sampleRateHertz == sampleRateHertz, "a filter is used at the rate it was designed for")
        let half = taps.count / 2
        let count = sound.samples.count
        let padded = [Float](repeating: 0, count: half) + sound.samples + [Float](repeating: 0, count: half)
        for i in 0..<count { sound.samples[i] = dotProduct(taps, padded, from: i) }
    }
}

/// Sum of `a[k] · b[start + k]` over all of a.
@inline(__always)
func dotProduct(_ a: [Float], _ b: [Float], from start: Int) -> Float {
    let (a, b) = (a.span, b.span.extracting(start..<start + a.count))
    var sum: Float = 0
    for k in a.indices { sum = Relaxed.multiplyAdd(a[k], b[k], sum) }
    return sum
}
