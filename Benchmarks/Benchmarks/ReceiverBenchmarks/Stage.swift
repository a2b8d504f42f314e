internal import ChirpLab
internal import Foundation

@testable internal import Chirp

/// The coarse stages of the receiver by themselves.
struct Stage: ~Copyable {
    static let rate = 44_100.0

    private let format = WireFormat.original
    private var transform: FractionalBinTransform
    private var scan: CoarseAcquisition
    private var recording: SampleRing

    /// Stages that are given one sound.
    init(_ samples: [Float]) {
        transform = FractionalBinTransform(
            longestBlock: format.symbolSeconds * Self.rate / Double(CoarseAcquisition.blocksPerSymbol),
            sampleRateHertz: Self.rate, bandHertz: format.bandHertz)
        scan = CoarseAcquisition(format: format, sampleRateHertz: Self.rate, transform: transform)
        recording = SampleRing(silence: 0, span: samples.count)
        while recording.end < samples.count { _ = recording.append(samples.span.extracting(recording.end...)) }
        recording.horizon = recording.end
    }

    /// Takes the sound block by block, as what follows on the last.
    mutating func takeBlocks() {
        let blocks = Int(Double(recording.end) / scan.blockSamples)
        for block in 0..<blocks {
            let start = min(Int(Double(block) * scan.blockSamples), recording.end - Int(scan.blockSamples) - 1)
            scan.process(recording, at: start, transform: &transform)
        }
    }

    /// The metrics of all frames that might begin within so many seconds.
    func synchronise(seconds: Double) {
        let last = scan.blockCount - scan.frameBlocks
        for start in 0..<Int(seconds * Self.rate / scan.blockSamples) { _ = scan.metrics(start: min(start + 4, last)) }
    }

    static func noise(seconds: Double) -> [Float] {
        var random = RandomSource(seed: 7)
        var samples = [Float](repeating: 0, count: Int(seconds * rate))
        Gaussian().add(to: &samples, deviation: 0.1, using: &random)
        return samples
    }

    /// Noise, with a chirp in its middle at a ratio over the whole band.
    static func sound(seconds: Double, chirpDecibels: Double?) throws -> [Float] {
        var samples = noise(seconds: seconds)
        guard let chirpDecibels else { return samples }
        var random = RandomSource(seed: 8)
        let chirp = try Synthesiser(sampleRateHertz: rate).samples(
            of: Shortcode.random(using: &random).codeword, volume: 1)
        // A full-scale sine has a power of 1/2, the noise one of 0.01.
        let gain = Float((0.02 * pow(10, chirpDecibels / 10)).squareRoot())
        let start = samples.count / 2
        for (offset, sample) in chirp.enumerated() where start + offset < samples.count {
            samples[start + offset] += gain * sample
        }
        return samples
    }

    /// Scores of a word heard at Es/N0 of about 6 dB: Gaussian, the sent symbol's raised.
    static func scores(seed: UInt64) -> [Float] {
        var random = RandomSource(seed: seed)
        let gaussian = Gaussian()
        let word = Shortcode.random(using: &random).codeword.symbols
        return word.flatMap { sent in
            (0..<32).map { symbol in
                let (re, im) = (gaussian.next(using: &random), gaussian.next(using: &random))
                let raised = symbol == Int(sent) ? 2.8 : Float(0)
                return 2 * ((re + raised) * (re + raised) + im * im).squareRoot()
            }
        }
    }
}
