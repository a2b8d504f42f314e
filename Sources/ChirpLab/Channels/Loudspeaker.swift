internal import RealModule

/// A small loudspeaker that falls off towards 20 kHz: as loud as ever up to 15 kHz, and from there down by so many decibels, in a
/// straight line, at 19 kHz and on. A linear-phase filter whose response is sampled every 1/257 of the sample rate, under Hann's window.
public struct Loudspeaker: Channel {
    private let filter: Filter

    public init(downAt19kHertzDecibels decibels: Double, sampleRateHertz: Double) {
        let half = 128
        let count = 2 * half + 1
        func gain(_ hertz: Double) -> Double {
            .amplitudeRatio(decibels: -decibels * max(0, hertz - 15_000) / 4_000)
        }
        let taps = (-half...half).map { n in
            let response = (1...half).reduce(gain(0)) { sum, bin in
                sum + 2 * gain(Double(bin) * sampleRateHertz / Double(count))
                    * Double.cos(2 * .pi * Double(bin * n) / Double(count))
            }
            return Float(response / Double(count) * (0.5 + 0.5 * Double.cos(.pi * Double(n) / Double(half + 1))))
        }
        filter = Filter(taps: taps, sampleRateHertz: sampleRateHertz)
    }

    public func pass(_ sound: inout Sound, using random: inout RandomSource) { filter.pass(&sound, using: &random) }
}
