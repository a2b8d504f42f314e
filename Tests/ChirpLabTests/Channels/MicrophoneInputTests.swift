import Testing

@testable import ChirpLab

@Suite struct MicrophoneInputTests {
    @Test func `clipping cuts off at a share of a sine's peak, and leaves the rest as it is`() throws {
        // A sine of power 0.01 has a peak of 0.1414; half of it is 0.0707.
        let sound = try Sound([0, 0.07, -0.07, 0.08, -1]).passed(through: HardClipping(ceiling: 0.5))
        let limit = Float(0.005.squareRoot())
        #expect(sound.samples == [0, 0.07, -0.07, limit, -limit])
    }

    @Test func `gain changes the samples and the chirp's power alike`() throws {
        let sound = try Sound([0, 0.5, -0.25]).passed(through: Gain(decibels: -20))
        for (sample, expected) in zip(sound.samples, [0, 0.05, -0.025] as [Float]) {
            #expect(abs(sample - expected) < 1e-8)
        }
        #expect(abs(sound.chirpPower - 0.0001) < 1e-12)
    }

    @Test(arguments: [1, 2, 8, 12, 16, 24])
    func `samples are rounded to the steps of so many bits, and clip at full scale`(bits: Int) throws {
        let given = (-120...120).map { Float($0) / 100 }
        let step = 1 / Float(1 << (bits - 1))
        let quantised = try Sound(given).passed(through: Quantisation(bits: bits)).samples
        for (sample, given) in zip(quantised, given) {
            #expect((sample / step).rounded() == sample / step)
            let clipped = min(max(given, -1), 1 - step)
            #expect(abs(sample - clipped) <= step / 2, "\(given)")
        }
        #expect(quantised.first == -1 && quantised.last == 1 - step)
    }

    @Test(arguments: [HardClipping(ceiling: 0.1), Quantisation(bits: 8)] as [any Channel])
    func `clipping and rounding leave power and span as they are`(channel: any Channel) throws {
        let given = Sound([0, 0.5, -0.25])
        let sound = try given.passed(through: channel)
        #expect(sound.chirpPower == given.chirpPower && sound.chirpSpan == given.chirpSpan)
    }
}
