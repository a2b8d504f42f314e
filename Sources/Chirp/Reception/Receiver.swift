internal import RealModule

/// Finds every chirp in a stream of samples.
///
/// Give it blocks of any size as they come; the result does not depend on how the samples were cut:
///
///     var receiver = try Receiver(sampleRateHertz: 44_100)
///     for block in blocks {
///         for chirp in receiver.process(block) { print(chirp.shortcode, chirp.startSeconds) }
///     }
///     for chirp in receiver.finish() { print(chirp.shortcode, chirp.startSeconds) }
///
/// Samples are mono, of any scale; values that are not finite count as silence. Memory is constant.
public struct Receiver: ~Copyable, Sendable {
    public let format: WireFormat
    public let sampleRateHertz: Double

    /// Sample rates at which enough of the tones exist, in hertz.
    public static let supportedSampleRates: ClosedRange<Double> = 8_000...192_000

    private var transform: FourierTransform
    private let code: ReedSolomon
    private let blockLength: Int
    private var buffer: [Float] = []
    private var bufferStart = 0
    private var nextStart = 0
    private let hop: Int

    /// - Throws: ``ReceptionError/sampleRate(_:supported:)`` outside 8–192 kHz.
    public init(sampleRateHertz: Double, format: WireFormat = .original) throws(ReceptionError) {
        guard Self.supportedSampleRates.contains(sampleRateHertz) else {
            throw .sampleRate(sampleRateHertz, supported: Self.supportedSampleRates)
        }
        self.format = format
        self.sampleRateHertz = sampleRateHertz
        blockLength = Int(format.symbolSeconds * sampleRateHertz)
        hop = max(1, blockLength / 8)
        var length = 1
        while length < blockLength { length *= 2 }
        transform = FourierTransform(length: length)
        code = ReedSolomon(format: format)
    }

    /// Takes the next samples and gives back the chirps that they completed, in the order in which they were found.
    public mutating func process(_ samples: some Sequence<Float>) -> [DetectedChirp] {
        buffer.append(contentsOf: samples.lazy.map { $0.isFinite ? $0 : 0 })
        return search()
    }

    /// Ends the stream and gives back the chirps still undecided. The receiver then begins anew at time zero.
    public mutating func finish() -> [DetectedChirp] {
        buffer.append(contentsOf: repeatElement(0, count: blockLength))
        let found = search()
        reset()
        return found
    }

    /// Forgets everything heard and begins anew at time zero.
    public mutating func reset() {
        buffer.removeAll(keepingCapacity: true)
        bufferStart = 0
        nextStart = 0
    }

    private mutating func search() -> [DetectedChirp] {
        var found: [DetectedChirp] = []
        let frameLength = Int(format.frameSeconds * sampleRateHertz) + 2
        while nextStart + frameLength <= bufferStart + buffer.count {
            if let chirp = decode(at: nextStart) {
                found.append(chirp)
                nextStart += frameLength - blockLength / 4
            } else {
                nextStart += hop
            }
        }
        if nextStart - bufferStart > 4 * frameLength {
            buffer.removeFirst(nextStart - bufferStart)
            bufferStart = nextStart
        }
        return found
    }

    private mutating func decode(at start: Int) -> DetectedChirp? {
        var received: [UInt8] = []
        var margin: Float = 0
        for index in 0..<format.frameSymbolCount {
            let edge = start + Int((Double(index) * format.symbolSeconds * sampleRateHertz).rounded())
            let energies = energies(at: edge)
            guard let best = energies.indices.max(by: { energies[$0] < energies[$1] }) else { return nil }
            let total = energies.reduce(0, +)
            margin += total > 0 ? energies[best] / total : 0
            if index < format.startCode.count {
                guard best == Int(format.startCode[index]) else { return nil }
            } else {
                received.append(UInt8(best))
            }
        }
        guard let correction = code.decode(received), let codeword = Codeword(symbols: correction.word) else {
            return nil
        }
        let share = Double(margin) / Double(format.frameSymbolCount)
        guard share > 0.3 else { return nil }
        return DetectedChirp(
            codeword: codeword, startSeconds: Double(start) / sampleRateHertz, durationSeconds: format.frameSeconds,
            snrDecibels: 10 * Double.log10(share / max(1 - share, 1e-6)),
            correctedSymbolCount: correction.correctedPositions.count, confidence: 0.999, tuningCents: 0, speed: 1)
    }

    private mutating func energies(at start: Int) -> [Float] {
        let margin = blockLength / 8
        let first = start - bufferStart
        let (buffer, blockLength, format) = (buffer, blockLength, format)
        let binsPerHertz = Double(transform.length) / sampleRateHertz
        let binCount = transform.binCount
        return transform.execute { input in
            for i in input.indices {
                input[i] = i >= margin && i < blockLength - margin ? buffer[first + i] : 0
            }
        } read: { spectrum in
            (0..<format.toneCount).map { tone in
                let bin = format.pitchHertz(of: UInt8(tone)) * binsPerHertz
                let range = Int(bin * 0.98)...Int(bin * 1.02 + 1)
                guard range.upperBound < binCount else { return 0 }
                return range.reduce(0) { most, bin in
                    max(most, spectrum[2 * bin] * spectrum[2 * bin] + spectrum[2 * bin + 1] * spectrum[2 * bin + 1])
                }
            }
        }
    }
}

/// Why a receiver cannot be made.
public enum ReceptionError: Error, Sendable, Hashable {
    /// Too few of the tones exist at this sample rate, or it is beyond what was tested; the range in hertz.
    case sampleRate(Double, supported: ClosedRange<Double>)
}
