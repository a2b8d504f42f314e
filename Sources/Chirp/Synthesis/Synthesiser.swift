internal import RealModule

/// Why a chirp cannot be synthesised.
public enum SynthesisError: Error, Sendable, Hashable {
    /// The highest tones do not exist at this sample rate; the range of those at which they do, in hertz.
    case sampleRate(Double, supported: ClosedRange<Double>)
}

/// Turns frames into sound: one oscillator whose phase runs on through every change of pitch, with short raised-cosine
/// edges, so that it neither clicks nor splatters.
public struct Synthesiser: Sendable {
    /// Sample rates at which the highest tone of the original format exists, in hertz; ``WireFormat/synthesisRatesHertz``.
    public static let supportedSampleRates = WireFormat.original.synthesisRatesHertz

    /// The format that it sends.
    public let format: WireFormat
    /// The rate of the samples that it makes, in hertz.
    public let sampleRateHertz: Double

    /// Makes the chirps of one format.
    ///
    /// - Throws: ``SynthesisError/sampleRate(_:supported:)`` outside the format's ``WireFormat/synthesisRatesHertz``.
    public init(sampleRateHertz: Double, format: WireFormat = .original) throws(SynthesisError) {
        guard format.synthesisRatesHertz.contains(sampleRateHertz) else {
            throw .sampleRate(sampleRateHertz, supported: format.synthesisRatesHertz)
        }
        self.format = format
        self.sampleRateHertz = sampleRateHertz
    }

    /// First sample of symbol `index` within a frame: rounded from the exact time, so that errors do not add up.
    public func symbolEdge(_ index: Int) -> Int {
        Int((Double(index) * format.symbolSeconds * sampleRateHertz).rounded())
    }

    /// The whole chirp of a codeword, 1.744 s in the original format: samples in −volume…volume.
    ///
    /// - Parameters:
    ///   - codeword: the word that is sent.
    ///   - volume: peak amplitude, 0–1; values outside are clamped.
    public func samples(of codeword: Codeword, volume: Float = 0.8) -> [Float] {
        samples(ofSymbols: format.frame(of: codeword), volume: volume)
    }

    /// Any row of symbols as tones.
    public func samples(ofSymbols symbols: [UInt8], volume: Float = 0.8) -> [Float] {
        // What is no number is silence.
        let peak = volume > 0 ? Double(min(volume, 1)) : 0
        var samples = [Float](repeating: 0, count: symbolEdge(symbols.count))
        var phase = 0.0
        for (index, symbol) in symbols.enumerated() {
            let range = symbolEdge(index)..<symbolEdge(index + 1)
            let step = 2 * Double.pi * format.pitchHertz(of: symbol) / sampleRateHertz
            let rise =
                index == 0 ? format.frameEdgeSeconds : symbols[index - 1] == symbol ? 0 : format.toneEdgeSeconds / 2
            let fall =
                index == symbols.count - 1
                ? format.frameEdgeSeconds : symbols[index + 1] == symbol ? 0 : format.toneEdgeSeconds / 2
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
