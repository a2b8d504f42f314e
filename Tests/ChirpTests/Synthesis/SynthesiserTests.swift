import Chirp
import Foundation
import Testing

@Suite struct SynthesiserTests {
    static let rates: [Double] = [22_050, 24_000, 32_000, 44_100, 48_000, 88_200, 96_000, 192_000]
    private let format = WireFormat.original

    @Test(arguments: rates, [Float(0), 0.1, 0.8, 1])
    func `the peak is the volume asked for, and never above it`(rate: Double, volume: Float) throws {
        let samples = try Synthesiser(sampleRateHertz: rate).samples(
            of: Shortcode(parsing: "0123456789").codeword, volume: volume)
        let peak = samples.map(abs).max() ?? 0
        #expect(peak <= volume)
        #expect(peak >= volume * 0.99)
    }

    @Test(arguments: [(-1.0, 0.0), (2.0, 1.0)])
    func `a volume outside 0–1 is clamped`(volume: Float, peak: Float) throws {
        let samples = try Synthesiser(sampleRateHertz: 44_100).samples(
            of: Shortcode(parsing: "gsm2h88c7u").codeword, volume: volume)
        #expect(abs((samples.map(abs).max() ?? -1) - peak) < 0.01)
    }

    @Test(arguments: rates)
    func `symbol edges are the exact times, rounded, and a frame ends at the last`(rate: Double) throws {
        let synthesiser = try Synthesiser(sampleRateHertz: rate)
        for index in 0...20 {
            #expect(abs(Double(synthesiser.symbolEdge(index)) - Double(index) * 0.0872 * rate) <= 0.5)
        }
        let samples = try synthesiser.samples(of: Shortcode(parsing: "gsm2h88c7u").codeword)
        #expect(samples.count == synthesiser.symbolEdge(20))
    }

    @Test func `at 44.1 kHz the edges are those of 3845.52 samples a symbol`() throws {
        let synthesiser = try Synthesiser(sampleRateHertz: 44_100)
        #expect((0...4).map(synthesiser.symbolEdge) == [0, 3846, 7691, 11537, 15382])
        #expect(synthesiser.symbolEdge(20) == 76_910)
    }

    /// Phase against a reference oscillator of the nominal pitch, at the first and the last quarter of the symbol: a
    /// pitch that is 0.05 Hz off turns it by 0.8 degrees in the 44 ms between.
    @Test(arguments: rates, ["0123456789", "abcdefghij", "klmnopqrst", "uvuvuvuvuv"])
    func `every symbol has its tone's pitch to 0.05 Hz`(rate: Double, text: String) throws {
        let synthesiser = try Synthesiser(sampleRateHertz: rate)
        let codeword = try Shortcode(parsing: text).codeword
        let samples = synthesiser.samples(of: codeword)
        for (index, symbol) in codeword.frame.enumerated() {
            let (start, end) = (synthesiser.symbolEdge(index), synthesiser.symbolEdge(index + 1))
            let pitch = format.pitchHertz(of: symbol)
            let window = (end - start) / 3
            func phase(from first: Int) -> Double {
                var (re, im) = (0.0, 0.0)
                for sample in first..<first + window {
                    // A Hann window keeps the mirror image at the negative pitch out.
                    let weight = 0.5 - 0.5 * cos(2 * .pi * (Double(sample - first) + 0.5) / Double(window))
                    let angle = 2 * .pi * pitch * Double(sample) / rate
                    re += weight * Double(samples[sample]) * cos(angle)
                    im -= weight * Double(samples[sample]) * sin(angle)
                }
                return atan2(im, re)
            }
            let distance = (end - start) / 2
            let first = start + (end - start) / 12
            var turn = phase(from: first + distance) - phase(from: first)
            turn -= 2 * .pi * (turn / (2 * .pi)).rounded()
            let errorHertz = turn / (2 * .pi) * rate / Double(distance)
            #expect(abs(errorHertz) < 0.05, "symbol \(index)")
        }
    }

    /// A sine's step from sample to sample is at most its amplitude times 2 sin(π f / rate); where tones change, the
    /// phase runs on, and so does the bound. Amplitude ramps add under a thousandth of it.
    @Test(arguments: rates)
    func `no step is larger than the highest tone's own: the phase is continuous and nothing clicks`(
        rate: Double
    ) throws {
        let synthesiser = try Synthesiser(sampleRateHertz: rate)
        var random = SplitMix64(seed: 5)
        for _ in 0..<5 {
            let codeword = Shortcode.random(using: &random).codeword
            let samples = [0] + synthesiser.samples(of: codeword, volume: 1) + [0]
            for index in 0..<20 {
                let range = synthesiser.symbolEdge(index)..<synthesiser.symbolEdge(index + 1)
                let neighbours = codeword.frame[max(0, index - 1)...min(19, index + 1)]
                let pitch = neighbours.map(format.pitchHertz).max() ?? 0
                let most = Float(2 * sin(.pi * pitch / rate)) * 1.001 + 0.002
                for sample in range { #expect(abs(samples[sample + 1] - samples[sample]) <= most) }
            }
        }
    }

    /// Power outside a band around the tones, 1760–10548 Hz, against that inside it. The same frame with hard edges has
    /// −35 and −39 dB there, and −49 and −66 dB with ours.
    @Test(arguments: [(1000.0...12_000.0, -48.0), (500.0...13_000.0, -65.0)])
    func `a frame does not splatter`(band: ClosedRange<Double>, mostDecibels: Double) throws {
        let rate = 44_100.0
        let samples = try Synthesiser(sampleRateHertz: rate).samples(of: Shortcode(parsing: "0v0v0v0v0v").codeword)
        let length = 4096
        var (inside, outside) = (0.0, 0.0)
        for start in stride(from: -length / 2, to: samples.count, by: length / 2) {
            let block = (0..<length).map { offset in
                let sample = start + offset
                let weight = 0.5 - 0.5 * cos(2 * .pi * Double(offset) / Double(length))
                return samples.indices.contains(sample) ? weight * Double(samples[sample]) : 0
            }
            for (bin, power) in PlainFourier.powers(block).enumerated() {
                let hertz = Double(bin) * rate / Double(length)
                if band.contains(hertz) { inside += power } else { outside += power }
            }
        }
        #expect(10 * log10(outside / inside) < mostDecibels)
    }

    @Test(arguments: [0, 8_000, 22_049.9, 192_000.1, -44_100, .infinity, .nan])
    func `rates at which the tones do not exist are refused`(rate: Double) {
        #expect(throws: SynthesisError.self) { try Synthesiser(sampleRateHertz: rate) }
    }
}
