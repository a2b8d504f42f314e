import Chirp
import Foundation
import Testing

@testable import ChirpLab

@Suite struct SymbolErrorRateTests {
    @Test(arguments: [0.1, 1, 4, 9])
    func `two tones err as the textbook says`(energyRatio: Double) {
        // Proakis, equation 5.2-72: ½ e^(−Es/2N0).
        let rate = SymbolErrorRate.noncoherent(energyRatio: energyRatio, toneCount: 2)
        #expect(abs(rate - 0.5 * exp(-energyRatio / 2)) < 1e-12)
    }

    @Test func `without a signal every tone is as likely`() {
        #expect(abs(SymbolErrorRate.noncoherent(energyRatio: 0) - 31.0 / 32) < 1e-7)
    }

    @Test func `a symbol has 32,8 dB more than the recording`() {
        #expect(abs(10 * log10(SymbolErrorRate.energyRatio(snrDecibels: 0)) - 32.84) < 0.01)
    }

    /// Sound and ear together against the closed form: chirps as samples, noise at a ratio in the whole band, and an ear
    /// of a few lines that knows the symbols' edges, without a part of the receiver.
    @Test(arguments: [-22.0, -24, -26, -28])
    func `symbols sent through the noise err as often as the closed form says`(snr: Double) throws {
        let rate = Scenario.sampleRateHertz
        let format = WireFormat.original
        var random = RandomSource(seed: 11, name: "symbols", index: Int(snr))
        let noise = WhiteNoise(snrDecibels: snr)
        let tones = (0..<32).map { tone in
            let step = 2 * Double.pi * format.pitchHertz(of: UInt8(tone)) / rate
            return (0..<3_846).map { (Float(cos(step * Double($0))), Float(sin(step * Double($0)))) }
        }
        let cosines = tones.map { $0.map(\.0) }
        let sines = tones.map { $0.map(\.1) }
        var errors = 0
        let frames = 60
        for _ in 0..<frames {
            let symbols = Shortcode.random(using: &random).codeword.frame
            // The sender that neither ramps nor glides has all the energy that the closed form supposes.
            let samples = SenderModel.browser.samples(ofSymbols: symbols, sampleRateHertz: rate)
            var sound = Sound(
                samples: samples, sampleRateHertz: rate, chirpPower: meanSquare(samples[...]),
                chirpSpan: samples.indices)
            noise.pass(&sound, using: &random)
            for (index, symbol) in symbols.enumerated() {
                let start = Int((Double(index) * format.symbolSeconds * rate).rounded())
                let stretch = Array(sound.samples[start..<start + 3_845])
                let energies = (0..<32).map { tone in
                    let (c, s) = (
                        dotProduct(stretch, cosines[tone], from: 0), dotProduct(stretch, sines[tone], from: 0)
                    )
                    return c * c + s * s
                }
                errors += energies.indices.max { energies[$0] < energies[$1] } == Int(symbol) ? 0 : 1
            }
        }
        let trials = 20 * frames
        let exact = SymbolErrorRate.noncoherent(energyRatio: SymbolErrorRate.energyRatio(snrDecibels: snr))
        let error = (exact * (1 - exact) / Double(trials)).squareRoot()
        #expect(abs(Double(errors) / Double(trials) - exact) < 3.5 * error)
    }
}
