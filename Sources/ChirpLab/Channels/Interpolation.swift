internal import RealModule

/// Values between samples: a sinc under a Kaiser window, tabulated at so many places between two samples.
///
/// The table is read at its nearest entry; with 512 entries a sample, that error lies below −60 dB at a quarter of the
/// sample rate, well under the noise of any trial.
struct Interpolation: Sendable {
    static let placesPerSample = 512
    /// Taps on either side.
    let half: Int
    /// `table[p * 2 * half + k]`: weight of sample k − half + 1 after the one before, for place p.
    private let table: [Float]

    /// - Parameter cutoff: end of the pass band as a share of the sample rate read, at most 0.5.
    init(half: Int = 16, cutoff: Double = 0.5) {
        precondition(half > 0 && cutoff > 0 && cutoff <= 0.5, "an interpolation has taps and a pass band")
        self.half = half
        // β = 8: stop band 80 dB down (Kaiser, 1974).
        let beta = 8.0
        let norm = Self.bessel(beta)
        var table: [Float] = []
        table.reserveCapacity((Self.placesPerSample + 1) * 2 * half)
        for place in 0...Self.placesPerSample {
            let fraction = Double(place) / Double(Self.placesPerSample)
            for k in 0..<2 * half {
                let t = Double(k - half + 1) - fraction
                let x = t / Double(half)
                let window = x.magnitude < 1 ? Self.bessel(beta * (1 - x * x).squareRoot()) / norm : 0
                let sinc = t == 0 ? 2 * cutoff : Double.sin(2 * .pi * cutoff * t) / (.pi * t)
                table.append(Float(window * sinc))
            }
        }
        self.table = table
    }

    /// I₀ by its power series.
    private static func bessel(_ x: Double) -> Double {
        var (sum, term, k) = (1.0, 1.0, 1.0)
        while term > 1e-12 * sum {
            term *= (x / (2 * k)) * (x / (2 * k))
            sum += term
            k += 1
        }
        return sum
    }

    /// The value at a position between samples; beyond the ends there is silence.
    @inline(__always)
    func value(of samples: [Float], at position: Double) -> Float {
        let whole = position.rounded(.down)
        let place = Int(((position - whole) * Double(Self.placesPerSample)).rounded())
        let first = Int(whole) - half + 1
        let lower = max(0, -first)
        let upper = min(2 * half, samples.count - first)
        guard lower < upper else { return 0 }
        let weights = table.span.extracting(place * 2 * half + lower..<place * 2 * half + upper)
        let values = samples.span.extracting(first + lower..<first + upper)
        var sum: Float = 0
        for k in weights.indices { sum = Relaxed.multiplyAdd(weights[k], values[k], sum) }
        return sum
    }

    /// Adds an impulse of the given height at a position between samples.
    @inline(__always)
    func addImpulse(_ height: Float, at position: Double, to samples: inout [Float]) {
        let whole = position.rounded(.down)
        let place = Int(((position - whole) * Double(Self.placesPerSample)).rounded())
        let first = Int(whole) - half + 1
        let lower = max(0, -first)
        let upper = min(2 * half, samples.count - first)
        guard lower < upper else { return }
        let base = place * 2 * half
        for k in lower..<upper { samples[first + k] += height * table[base + k] }
    }

    /// Adds a sound that begins at a position between samples.
    func add(_ sound: [Float], gain: Float, at position: Double, to samples: inout [Float]) {
        let begin = max(0, Int(position.rounded(.down)) - half)
        let end = min(samples.count, Int(position.rounded(.up)) + sound.count + half)
        guard begin < end else { return }
        for i in begin..<end { samples[i] += gain * value(of: sound, at: Double(i) - position) }
    }
}

/// The same sound at another sample rate, or played faster: windowed-sinc interpolation with the pass band of the lower
/// of the two rates.
public struct Resampling: Channel {
    /// Rate that the sound has afterwards.
    public let sampleRateHertz: Double
    /// More than 1 plays it faster and higher.
    public let speed: Double

    private let sourceRateHertz: Double
    private let interpolation: Interpolation

    /// - Parameter half: samples on either side that a value is made of, at the lower of the two rates.
    public init(
        from sourceRateHertz: Double = 44_100, to sampleRateHertz: Double, speed: Double = 1, half: Int = 32
    ) {
        precondition(
            sourceRateHertz > 0 && sampleRateHertz > 0 && speed > 0, "sample rates and a speed are above zero")
        self.sourceRateHertz = sourceRateHertz
        self.sampleRateHertz = sampleRateHertz
        self.speed = speed
        let step = sourceRateHertz * speed / sampleRateHertz
        // 5 % below the new half rate; as many taps more as the impulse response grows wider.
        interpolation = Interpolation(
            half: Int((Double(half) * max(1, step)).rounded(.up)), cutoff: step > 1 ? 0.475 / step : 0.5)
    }

    /// Samples at another rate.
    public static func resampled(_ samples: [Float], from sourceRateHertz: Double, to rateHertz: Double) -> [Float] {
        Resampling(from: sourceRateHertz, to: rateHertz).resampled(samples)
    }

    private var step: Double { sourceRateHertz * speed / sampleRateHertz }

    func resampled(_ samples: [Float]) -> [Float] {
        (0..<Int((Double(samples.count) / step).rounded(.down))).map {
            interpolation.value(of: samples, at: Double($0) * step)
        }
    }

    public func pass(_ sound: inout Sound, using random: inout RandomSource) {
        precondition(sound.sampleRateHertz == sourceRateHertz, "a resampler reads the rate it was made for")
        sound.samples = resampled(sound.samples)
        sound.sampleRateHertz = sampleRateHertz
        let span = sound.chirpSpan
        sound.chirpSpan = Int(Double(span.lowerBound) / step)..<Int(Double(span.upperBound) / step)
    }
}
