import Testing

@testable import ChirpSound

@Suite struct DeviceSampleFormatTests {
    /// Half a step of the coarsest format, 16 bits, and what scaling by 2ⁿ − 1 instead of 2ⁿ takes off.
    private static let tolerance: Float = 2 / 32_768

    @Test(arguments: DeviceSampleFormat.allCases)
    func `samples come back as they went to the device`(format: DeviceSampleFormat) {
        let samples: [Float] = [0, 0.5, -0.5, 0.25, -0.125, 0.999, -0.999, 1, -1, 1e-3, -1e-3]
        var bytes: [UInt8] = []
        format.encode(samples, copies: 1, to: &bytes)
        #expect(bytes.count == samples.count * format.bytesPerSample)
        let decoded = format.decode(bytes)
        #expect(decoded.count == samples.count)
        for (sample, back) in zip(samples, decoded) { #expect(abs(sample - back) <= Self.tolerance) }
    }

    @Test(arguments: DeviceSampleFormat.allCases)
    func `what is too loud is clamped, and what is no number is silent`(format: DeviceSampleFormat) {
        var bytes: [UInt8] = []
        format.encode([2, -3, .nan, .infinity, -.infinity], copies: 1, to: &bytes)
        let decoded = format.decode(bytes)
        #expect(decoded.prefix(2).map { ($0 * 1_000).rounded() } == [1_000, -1_000])
        #expect(decoded.suffix(3).allSatisfy { $0 == 0 })
    }

    @Test(arguments: DeviceSampleFormat.allCases, 1...3)
    func `every channel gets the same sample`(format: DeviceSampleFormat, channels: Int) {
        var bytes: [UInt8] = []
        format.encode([0.5, -0.25], copies: channels, to: &bytes)
        let decoded = format.decode(bytes)
        try? #require(decoded.count == 2 * channels)
        #expect(Set(decoded.prefix(channels)).count == 1)
        #expect(Set(decoded.suffix(channels)).count == 1)
    }

    @Test func `bytes are in the order that ALSA's little-endian formats have`() {
        func bytes(_ format: DeviceSampleFormat, _ sample: Float) -> [UInt8] {
            var bytes: [UInt8] = []
            format.encode([sample], copies: 1, to: &bytes)
            return bytes
        }
        #expect(bytes(.signed16, -1) == [0x01, 0x80])
        #expect(bytes(.signed24Packed, 1) == [0xFF, 0xFF, 0x7F])
        #expect(bytes(.signed32, 1) == [0xFF, 0xFF, 0xFF, 0x7F])
        #expect(bytes(.float32, 1) == [0, 0, 0x80, 0x3F])
    }

    @Test func `the upper byte of 24 bits in 32 does not matter`() {
        let decoded = DeviceSampleFormat.signed24.decode([0, 0, 0xC0, 0x5A, 0, 0, 0x40, 0xA5])
        #expect(decoded == [-0.5, 0.5])
    }
}
