import Chirp
import RealModule
import Testing

/// Chirps that each channel of a recording hears plainly by itself: what channels and copies have together is nothing new then.
@Suite struct PlainChirpsInChannelsTests {
    private static let rate = 44_100.0

    private static func power(_ samples: [Float]) -> Float { samples.reduce(0) { $0 + $1 * $1 } / Float(samples.count) }

    /// Uniform noise that has the power of a chirp less some decibels.
    private static func noise(
        _ count: Int, _ chirp: [Float], snrDecibels: Double, using random: inout SplitMix64
    ) -> [Float] {
        let level = (3 * power(chirp)).squareRoot() * Float(Double.pow(10, -snrDecibels / 20))
        return (0..<count).map { _ in Float.random(in: -level...level, using: &random) }
    }

    private static func heard(_ channels: [[Float]]) throws -> [ChannelDetection] {
        var receiver = try MultiChannelReceiver(
            sampleRateHertz: rate, channelCount: channels.count, combines: true)
        let (blockLength, count) = (4_096, channels[0].count)
        var found: [ChannelDetection] = []
        for start in stride(from: 0, to: count, by: blockLength) {
            let end = min(count, start + blockLength)
            let block = channels.flatMap { $0[start..<end] }
            found += receiver.process(block.span, stride: end - start, count: end - start)
        }
        return found + receiver.finish()
    }

    @Test(arguments: [10.0, 0]) func `where channels share a part of their noise each tells what it hears`(snr: Double)
        throws
    {
        for trial in 0..<12 {
            var random = SplitMix64(seed: UInt64(trial))
            let code = Shortcode.random(using: &random)
            let chirp = try Synthesiser(sampleRateHertz: Self.rate).samples(of: code.codeword)
            let count = Int(12 * Self.rate)
            let start = Int(Self.rate * Double.random(in: 5...8, using: &random))
            let shared = Self.noise(count, chirp, snrDecibels: snr, using: &random)
            var channels: [[Float]] = []
            for _ in 0..<2 {
                let own = Self.noise(count, chirp, snrDecibels: snr, using: &random)
                var channel = zip(shared, own).map { Float(0.3).squareRoot() * $0 + Float(0.7).squareRoot() * $1 }
                for (index, sample) in chirp.enumerated() { channel[start + index] += sample }
                channels.append(channel)
            }
            let heard = try Self.heard(channels)
            #expect(heard.map(\.channels).sorted { $0[0] < $1[0] } == [[0], [1]])
            for one in heard {
                #expect(one.chirp.shortcode == code && abs(one.chirp.snrDecibels - snr) < 2)
                #expect(abs(one.chirp.startSeconds - Double(start) / Self.rate) < 0.003)
            }
        }
    }

    @Test func `clear chirps one after the other are no sums`() throws {
        var random = SplitMix64(seed: 64)
        let synthesiser = try Synthesiser(sampleRateHertz: Self.rate)
        for _ in 0..<16 {
            let codes = (0..<2).map { _ in Shortcode.random(using: &random) }
            let chirps = codes.map { synthesiser.samples(of: $0.codeword) }
            let count = Int(10 * Self.rate)
            var channels = (0..<2).map { _ in Self.noise(count, chirps[0], snrDecibels: 25, using: &random) }
            let first = Double.random(in: 1...2, using: &random)
            let starts = [first, first + Double.random(in: 3...6, using: &random)].map { Int($0 * Self.rate) }
            for channel in channels.indices {
                for (chirp, start) in zip(chirps, starts) {
                    for (index, sample) in chirp.enumerated() { channels[channel][start + index] += sample }
                }
            }
            let heard = try Self.heard(channels)
            #expect(heard.map(\.chirp.shortcode) == [codes[0], codes[0], codes[1], codes[1]])
            #expect(heard.allSatisfy { $0.channels.count == 1 && $0.chirp.repeats == 1 && $0.chirp.snrDecibels > 20 })
        }
    }

    /// Seeds of which noise once completed what had arrived of the chirp to another word.
    @Test(arguments: [120, 224]) func `while a chirp arrives nothing else is made of it`(trial: Int) throws {
        let snr = -15.0
        var random = SplitMix64(seed: UInt64(trial * 7_919 + 850))
        let code = Shortcode.random(using: &random)
        let chirp = try Synthesiser(sampleRateHertz: Self.rate).samples(of: code.codeword)
        let count = Int(12 * Self.rate)
        var channels = (0..<2).map { _ in Self.noise(count, chirp, snrDecibels: snr, using: &random) }
        let start = Int(Self.rate * Double.random(in: 5...9, using: &random))
        for channel in channels.indices {
            let begin = start + Int.random(in: 0...400, using: &random)
            for (index, sample) in chirp.enumerated() { channels[channel][begin + index] += sample }
        }
        #expect(try Self.heard(channels).map(\.chirp.shortcode) == [code, code])
    }
}
