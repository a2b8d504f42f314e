import Chirp
import RealModule

/// A chirp in white noise of a level relative to its own.
struct NoisyChirp {
    /// What is heard, of silence at both ends nothing but noise.
    var samples: [Float]
    /// Samples before the chirp, and up to its end.
    var start: Int
    var end: Int

    /// - Parameters:
    ///   - decibels: power of the chirp over that of the noise in the whole band.
    ///   - speed: how much faster, and higher, it is played than it should be.
    ///   - start: samples of noise before it; as many more come after it as `tail` says.
    init(
        _ word: Codeword, format: WireFormat = .original, decibels: Double, sampleRateHertz: Double = 44_100,
        speed: Double = 1, start: Int, tail: Int, using random: inout SplitMix64
    ) throws {
        let chirp = try Synthesiser(sampleRateHertz: sampleRateHertz / speed, format: format).samples(of: word)
        let power = chirp.reduce(0) { $0 + $1 * $1 } / Float(chirp.count)
        // Uniform noise has a third of the square of its greatest value as its power.
        let level = (3 * power * Float(Double.pow(10, -decibels / 10))).squareRoot()
        self.start = start
        end = start + chirp.count
        samples = (0..<end + tail).map { _ in Float.random(in: -level...level, using: &random) }
        for (index, value) in chirp.enumerated() { samples[start + index] += value }
    }
}
