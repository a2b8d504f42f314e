internal import RealModule

/// Why a chirp cannot be synthesised.
public enum SynthesisError: Error, Sendable, Hashable {
    /// The highest tones do not exist at this sample rate; the range of those at which they do, in hertz.
    case sampleRate(Double, supported: ClosedRange<Double>)
}

/// Turns frames into sound: one oscillator whose phase runs on through every change of pitch, with short raised-cosine
/// edges, so that it neither clicks nor splatters.
public struct Synthesiser: Sendable {
    /// Sample rates at which the highest tone exists, with room for a reconstruction filter, in hertz.
    public static let supportedSampleRates: ClosedRange<Double> = 22_050...192_000

    /// Rise and fall at the two ends of a frame. Raised-cosine edges of 4 ms keep the splatter of an edge more than
    /// 40 dB down one semitone away at the lowest pitch (105 Hz); with 3.5 % of a symbol they cost 0.1 dB of energy.
    static let frameEdgeSeconds = 0.004
    /// Fall and rise, half of it each, at an edge between two different tones: short, as phase is continuous there.
    static let toneEdgeSeconds = 0.002

    public let format: WireFormat
    public let sampleRateHertz: Double

    /// - Throws: ``SynthesisError/sampleRate(_:supported:)`` outside 22,050–192,000 Hz.
    public init(sampleRateHertz: Double, format: WireFormat = .original) throws(SynthesisError) {
        guard Self.supportedSampleRates.contains(sampleRateHertz) else {
            throw .sampleRate(sampleRateHertz, supported: Self.supportedSampleRates)
        }
        self.format = format
        self.sampleRateHertz = sampleRateHertz
    }

    /// First sample of symbol `index` within a frame: rounded from the exact time, so that errors do not add up.
    public func symbolEdge(_ index: Int) -> Int {
        Int((Double(index) * format.symbolSeconds * sampleRateHertz).rounded())
    }

    /// The whole chirp of a codeword: 1.744 s of samples in −volume…volume.
    ///
    /// - Parameter volume: peak amplitude, 0–1; values outside are clamped.
    public func samples(of codeword: Codeword, volume: Float = 0.8) -> [Float] {
        samples(ofSymbols: codeword.frame, volume: volume)
    }

    /// Any row of symbols as tones.
    public func samples(ofSymbols symbols: [UInt8], volume: Float = 0.8) -> [Float] {
        let peak = Double(min(max(volume, 0), 1))
        var samples = [Float](repeating: 0, count: symbolEdge(symbols.count))
        var phase = 0.0
        for (index, symbol) in symbols.enumerated() {
            let range = symbolEdge(index)..<symbolEdge(index + 1)
            let step = 2 * Double.pi * format.pitchHertz(of: symbol) / sampleRateHertz
            let rise = index == 0 ? Self.frameEdgeSeconds : symbols[index - 1] == symbol ? 0 : Self.toneEdgeSeconds / 2
            let fall =
                index == symbols.count - 1
                ? Self.frameEdgeSeconds : symbols[index + 1] == symbol ? 0 : Self.toneEdgeSeconds / 2
            for sample in range {
                let sinceStart = (Double(sample - range.lowerBound) + 0.5) / sampleRateHertz
                let untilEnd = (Double(range.upperBound - sample) - 0.5) / sampleRateHertz
                let gain = Self.edgeGain(sinceStart, rise) * Self.edgeGain(untilEnd, fall)
                samples[sample] = Float(peak * gain * Double.sin(phase))
                phase += step
            }
            phase.formTruncatingRemainder(dividingBy: 2 * Double.pi)
        }
        return samples
    }

    /// Raised cosine from 0 at the edge to 1 at `length` from it.
    private static func edgeGain(_ distance: Double, _ length: Double) -> Double {
        guard distance < length else { return 1 }
        return 0.5 - 0.5 * Double.cos(Double.pi * distance / length)
    }
}
