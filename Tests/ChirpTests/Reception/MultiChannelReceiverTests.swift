import Testing

@testable import Chirp

@Suite struct MultiChannelReceiverTests {
    private static let rate = 44_100.0
    private static let codes = [
        "gsm2h88c7u", "parrotbill", "0s61k2vb9m", "e0rgk4ncos", "7u5m30d1qa", "l2c9tvh4ib", "n3a67aai1o", "kingfisher",
    ]
    private static let startSeconds = 3.3
    private static let count = Int(7 * rate)

    /// How a channel hears a chirp.
    private struct Hearing {
        var delaySeconds = 0.0
        var gain: Float = 1
        /// Of the noise over that of the chirp, in the whole band.
        var noisePower: Float = 560
    }

    /// Several channels of one chirp, one after the other, each with its own white noise.
    private static func sound(
        of code: String, _ channels: [Hearing], seed: Int, startSeconds: Double = startSeconds,
        repeatedAfterSeconds: [Double] = [], count: Int = count
    ) throws -> [Float] {
        var random = SplitMix64(seed: UInt64(seed))
        let chirp = try Synthesiser(sampleRateHertz: rate).samples(of: try Shortcode(parsing: code).codeword)
        let power = chirp.reduce(0) { $0 + $1 * $1 } / Float(chirp.count)
        return channels.flatMap { hearing in
            // Uniform noise has a third of the power of its greatest sample; over a block it is as Gaussian as any.
            let level = (3 * power * hearing.noisePower).squareRoot()
            var sound = (0..<count).map { _ in level > 0 ? Float.random(in: -level...level, using: &random) : 0 }
            for later in [0] + repeatedAfterSeconds {
                let start = Int((startSeconds + later + hearing.delaySeconds) * rate)
                for (index, sample) in chirp.enumerated() { sound[start + index] += hearing.gain * sample }
            }
            return sound
        }
    }

    private static func heard(
        _ sound: [Float], combines: Bool = true, blockLength: Int = count, count: Int = count
    ) throws -> [ChannelDetection] {
        var receiver = try MultiChannelReceiver(
            sampleRateHertz: rate, channelCount: sound.count / count, combines: combines)
        var found: [ChannelDetection] = []
        for start in stride(from: 0, to: count, by: blockLength) {
            found += receiver.process(
                sound.span.extracting(start..<sound.count), stride: count, count: min(blockLength, count - start))
        }
        return found + receiver.finish()
    }

    /// How many of the codes are reported, by one channel or by several together. Others than those that were sent are not, but for one: so far
    /// below the limit of a single channel, two codes in a hundred are wrong.
    private static func recovered(_ channels: [Hearing], combines: Bool = true) throws -> Int {
        var (recovered, wrong) = (0, 0)
        for (number, code) in codes.enumerated() {
            let sound = try sound(of: code, channels, seed: 100 + number)
            let words = Set(try heard(sound, combines: combines).map(\.chirp.shortcode.description))
            recovered += words.contains(code) ? 1 : 0
            wrong += words.subtracting([code]).count
        }
        #expect(wrong <= 1)
        return recovered
    }

    @Test func `a chirp that begins before anything is known of the noise is combined as well`() throws {
        var recovered = 0
        for (number, code) in Self.codes.enumerated() {
            let sound = try Self.sound(of: code, [Hearing(), Hearing()], seed: 300 + number, startSeconds: 0.4)
            let words = Set(try Self.heard(sound).map(\.chirp.shortcode.description))
            #expect(words.isSubset(of: [code]))
            recovered += words.count
        }
        #expect(recovered >= 6)
    }

    @Test func `a channel that falls silent after a second does not keep the others from being combined`() throws {
        var recovered = 0
        for (number, code) in Self.codes.enumerated() {
            let heard = try Self.sound(of: code, [Hearing(), Hearing()], seed: 100 + number)
            let dying = (0..<Self.count).map { $0 < Int(Self.rate) ? heard[Self.count - 1 - $0] : 0 }
            recovered += Set(try Self.heard(heard + dying).map(\.chirp.shortcode.description)).count
        }
        #expect(recovered >= 6)
    }

    @Test(arguments: [
        [Hearing(), Hearing()], [Hearing(), Hearing(gain: -1)], [Hearing(delaySeconds: 0.03), Hearing()],
        [Hearing(), Hearing(delaySeconds: 0.011, gain: -1)],
        [Hearing(), Hearing(gain: 0.01, noisePower: 560 * 1e-4)],
    ])
    private func `two channels hear what neither hears by itself, inverted, delayed and at any level`(
        channels: [Hearing]
    ) throws {
        #expect(try Self.recovered(channels, combines: false) <= 2)
        #expect(try Self.recovered(channels) >= 6)
    }

    @Test func `four channels hear more than two`() throws {
        let four = [0, 0.004, 0.013, 0.03].map { Hearing(delaySeconds: $0, noisePower: 800) }
        #expect(try Self.recovered(four) == Self.codes.count)
        #expect(try Self.recovered(Array(four.prefix(2))) < Self.codes.count)
    }

    @Test func `a channel that is dead, hears nothing or is clipped costs nothing`() throws {
        let plain = Hearing(noisePower: 100)
        for other in [Hearing(gain: 0, noisePower: 0), Hearing(gain: 0, noisePower: 1e6), Hearing(gain: 0)] {
            for channels in [[plain, other], [other, plain]] {
                #expect(try Self.recovered(channels) == Self.codes.count)
            }
        }
        // One that is clipped so much that hardly more than signs are left adds what little it has.
        for (index, code) in Self.codes.enumerated() {
            var sound = try Self.sound(of: code, [plain, Hearing()], seed: 100 + index)
            let limit = sound[Self.count...].reduce(0) { max($0, abs($1)) } / 20
            for place in Self.count..<2 * Self.count { sound[place] = max(-limit, min(limit, sound[place])) }
            #expect(try Set(Self.heard(sound).map(\.chirp.shortcode.description)) == [code])
        }
    }

    @Test func `a sum names its channels, and begins when the chirp does`() throws {
        let sound = try Self.sound(of: "gsm2h88c7u", [Hearing(), Hearing(delaySeconds: 0.02)], seed: 100)
        let heard = try Self.heard(sound)
        #expect(heard.map(\.channels) == [[0, 1]])
        let one = try #require(heard.first)
        #expect(one.channels.contains(one.channel))
        let start = Self.startSeconds + (one.channel == 0 ? 0 : 0.02)
        #expect(abs(one.chirp.startSeconds - start) < 0.02)
        #expect(one.chirp.repeats == 1)
        #expect(abs(one.chirp.snrDecibels + 27.5) < 2)
    }

    @Test(arguments: [77, 1_000, 4_096]) func `nothing depends on how the channels were cut`(blockLength: Int) throws {
        for (index, code) in Self.codes.prefix(3).enumerated() {
            let sound = try Self.sound(
                of: code, [Hearing(), Hearing(delaySeconds: 0.02, gain: -1), Hearing(gain: 0)], seed: 100 + index)
            #expect(try Self.heard(sound) == Self.heard(sound, blockLength: blockLength))
        }
    }

    /// Two copies, 4.7 s apart, of each code on two channels, 2 dB below what two copies or two channels yield, and what is reported of them.
    private static func heardOfCopies(
        _ code: String, _ channels: [Hearing], seed: Int, blockLength: Int = count
    ) throws -> [ChannelDetection] {
        let count = Int(11.5 * rate)
        let sound = try sound(of: code, channels, seed: seed, repeatedAfterSeconds: [4.7], count: count)
        return try heard(sound, blockLength: blockLength, count: count)
    }

    @Test(arguments: [Hearing(noisePower: 900), Hearing(delaySeconds: 0.027, gain: -1, noisePower: 900)])
    private func `copies that two channels heard are added up in both`(second: Hearing) throws {
        var (recovered, repeated, together, alone) = (0, 0, 0, 0)
        for (number, code) in Self.codes.enumerated() {
            let heard = try Self.heardOfCopies(code, [Hearing(noisePower: 900), second], seed: 500 + number)
            #expect(heard.allSatisfy { $0.chirp.shortcode.description == code })
            let sums = heard.filter { $0.channels == [0, 1] && $0.chirp.repeats == 2 }
            let delays = [0, second.delaySeconds]
            #expect(sums.allSatisfy { abs($0.chirp.startSeconds - Self.startSeconds - delays[$0.channel]) < 0.022 })
            recovered += heard.isEmpty ? 0 : 1
            repeated += heard.count { $0.chirp.repeats == 2 }
            together += sums.count
            alone += try Self.heardOfCopies(code, [second], seed: 500 + number).count
        }
        // Now and then a channel's own copies are enough.
        #expect(recovered >= 5 && repeated >= 4 && together >= 3)
        #expect(alone <= 1)
    }

    @Test func `the plainest channel of copies is named, and where the first one starts in it`() throws {
        for (loud, channels) in [
            (0, [Hearing(noisePower: 780), Hearing(delaySeconds: 0.02, noisePower: 1_250)]),
            (1, [Hearing(noisePower: 1_250), Hearing(delaySeconds: 0.02, noisePower: 780)]),
        ] {
            var together = 0
            for (number, code) in Self.codes.enumerated() {
                let heard = try Self.heardOfCopies(code, channels, seed: 700 + number)
                for sum in heard where sum.channels == [0, 1] && sum.chirp.repeats == 2 {
                    together += 1
                    #expect(sum.channel == loud)
                    #expect(abs(sum.chirp.startSeconds - Self.startSeconds - 0.02 * Double(loud)) < 0.022)
                }
            }
            #expect(together >= 2)
        }
    }

    /// One copy and the likeliest noise at some distance would make a chain.
    @Test func `a chirp that is sent once is not told as two copies`() throws {
        var recovered = 0
        for seed in 0..<5 {
            for (number, code) in Self.codes.enumerated() {
                let channels = [0, 0.004, 0.013, 0.03].map { Hearing(delaySeconds: $0, noisePower: 950) }
                let count = Int(15 * Self.rate)
                let sound = try Self.sound(
                    of: code, channels, seed: 900 + 10 * seed + number, startSeconds: 2, count: count)
                let heard = try Self.heard(sound, count: count)
                #expect(heard.allSatisfy { $0.chirp.repeats == 1 })
                recovered += heard.count { $0.chirp.shortcode.description == code }
            }
        }
        #expect(recovered >= 20)
    }

    @Test func `two copies on two channels that a third one knows nothing of are added up as well`() throws {
        var recovered = 0
        for (number, code) in Self.codes.enumerated() {
            let channels = [
                Hearing(gain: 0, noisePower: 0), Hearing(noisePower: 900),
                Hearing(delaySeconds: 0.012, noisePower: 900),
            ]
            let heard = try Self.heardOfCopies(code, channels, seed: 500 + number)
            #expect(heard.allSatisfy { $0.chirp.shortcode.description == code })
            recovered += heard.count { $0.channels == [1, 2] && $0.chirp.repeats == 2 }
        }
        #expect(recovered >= 5)
    }

    @Test(arguments: [77, 4_096])
    func `copies in two channels do not depend on how these were cut`(blockLength: Int) throws {
        let channels = [Hearing(noisePower: 900), Hearing(delaySeconds: 0.027, gain: -1, noisePower: 900)]
        var together = 0
        for (number, code) in Self.codes.prefix(3).enumerated() {
            let whole = try Self.heardOfCopies(code, channels, seed: 500 + number)
            #expect(try Self.heardOfCopies(code, channels, seed: 500 + number, blockLength: blockLength) == whole)
            together += whole.count { $0.channels == [0, 1] && $0.chirp.repeats == 2 }
        }
        #expect(together > 0)
    }

    @Test func `a chirp that each channel hears is reported once for each, as without combining`() throws {
        let plain = [Hearing(noisePower: 30), Hearing(delaySeconds: 0.004, noisePower: 30)]
        let sound = try Self.sound(of: "parrotbill", plain, seed: 9)
        let heard = try Self.heard(sound)
        #expect(heard == (try Self.heard(sound, combines: false)))
        #expect(heard.map(\.channels) == [[0], [1]])
    }

    /// One channel has a word, and another one what may be read of it a symbol later, or something else.
    private static func words(
        first: (code: String, noisePower: Float), second: (code: String, delaySeconds: Double, noisePower: Float),
        combines: Bool = true, blockLength: Int = count
    ) throws -> [String] {
        let one = try sound(of: first.code, [Hearing(noisePower: first.noisePower)], seed: 31)
        let hearing = Hearing(delaySeconds: second.delaySeconds, noisePower: second.noisePower)
        let two = try sound(of: second.code, [hearing], seed: 32)
        return try heard(one + two, combines: combines, blockLength: blockLength).map(\.chirp.shortcode.description)
    }

    @Test func `what one channel reads of another one's word a symbol late is not told unless it is surer`() throws {
        var random = SplitMix64(seed: 7)
        var pair: (code: String, other: String)?
        while pair == nil {
            let word = Shortcode.random(using: &random).codeword
            guard let other = word.codeword(symbolsLater: 1), other != word else { continue }
            pair = (word.shortcode.description, other.shortcode.description)
        }
        let (code, other) = try #require(pair)
        let late = WireFormat.original.symbolSeconds
        let clear: Float = 1
        let faint: Float = 300
        for length in [Self.count, 441, 1_000] {
            #expect(
                try Self.words(first: (code, clear), second: (other, late, faint), blockLength: length) == [code])
        }
        #expect(try Set(Self.words(first: (code, faint), second: (other, late, clear))) == [code, other])
        #expect(
            try Set(Self.words(first: (code, clear), second: (other, late, faint), combines: false)) == [code, other])
        // Another word, or the same tones at another time, is another chirp.
        #expect(try Set(Self.words(first: (code, clear), second: ("gsm2h88c7u", late, faint))) == [code, "gsm2h88c7u"])
        #expect(try Set(Self.words(first: (code, clear), second: (other, 1, faint))) == [code, other])
    }

    @Test func `of two words a symbol apart that channels may have heard the one that was sent is likelier`() throws {
        let sent = try Shortcode(parsing: "6klli6np80").codeword
        let early = try #require(sent.codeword(symbolsLater: -1))
        let sound = try Self.sound(
            of: "6klli6np80", [Hearing(), Hearing(gain: 0, noisePower: 0), Hearing(delaySeconds: 0.01)], seed: 9)
        let heard = try (0..<3).map { channel in
            var receiver = try Receiver(sampleRateHertz: Self.rate, combinesCopies: true)
            _ = receiver.process(sound[channel * Self.count..<(channel + 1) * Self.count])
            let start = (Self.startSeconds + (channel == 2 ? 0.01 : 0)) * Self.rate + Double(receiver.ring.silence)
            let recorder = try #require(receiver.scan.coherent.recorder)
            return (place: start / receiver.scan.blockSamples, history: recorder.history)
        }
        // Histories are too long for messages.
        let isSentLikelier = Receiver.isLikeliestShift(sent, at: heard, .original)
        #expect(isSentLikelier)
        let earlier = heard.map { (place: $0.place - Double(CoarseAcquisition.blocksPerSymbol), history: $0.history) }
        let isEarlyLikelier = Receiver.isLikeliestShift(early, at: earlier, .original)
        #expect(!isEarlyLikelier)
    }

    @Test func `the same noise twice is no more than once`() throws {
        let noise = Hearing(gain: 0)
        let one = try Self.sound(of: "parrotbill", [noise], seed: 5)
        let two = try Self.sound(of: "parrotbill", [noise, noise], seed: 5)
        func weight(_ sound: [Float], delays: [Int]) throws -> Float {
            var histories: [ToneHistory] = []
            for channel in 0..<2 {
                var receiver = try Receiver(sampleRateHertz: Self.rate, combinesCopies: true)
                _ = receiver.process(sound[channel * Self.count..<(channel + 1) * Self.count])
                histories.append(try #require(receiver.scan.coherent.recorder).history)
            }
            var likeness = ChannelLikeness(channelCount: 2)
            for block in stride(from: 40, to: 300, by: CoarseAcquisition.blocksPerSymbol) {
                likeness.follow(histories, at: block)
            }
            return likeness.weight(delays: delays)
        }
        #expect(abs(try weight(one + one, delays: [0, 0]) - 0.5) < 0.01)
        #expect(abs(try weight(one + one.map { -0.1 * $0 }, delays: [0, 0]) - 0.5) < 0.01)
        for delays in [[0, 0], [0, 1], [1, 0]] { #expect(try weight(two, delays: delays) > 0.95) }
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 0, -44_100, 1e300])
    func `a rate that none is received at is refused`(rate: Double) {
        for formats in [[WireFormat.original], WireFormat.all] {
            #expect(throws: ReceptionError.self) {
                _ = try MultiFormatReceiver(sampleRateHertz: rate, formats: formats)
            }
            #expect(throws: ReceptionError.self) {
                _ = try MultiFormatReceiver(sampleRateHertz: rate, fitting: formats)
            }
            #expect(throws: ReceptionError.self) {
                _ = try MultiChannelReceiver(sampleRateHertz: rate, channelCount: 2, formats: formats, combines: true)
            }
        }
    }

    @Test func `a channel that comes out of digital silence joins the others, and is not named before`() throws {
        let count = Int(80 * Self.rate)
        let hearing = Hearing(noisePower: 900)
        var sound = try Self.sound(
            of: "gsm2h88c7u", [hearing, hearing, hearing], seed: 50,
            repeatedAfterSeconds: (1...20).map { 3.3 * Double($0) }, count: count)
        let silent = Int(50 * Self.rate)
        for index in 2 * count..<2 * count + silent { sound[index] = 0 }
        let found = try Self.heard(sound, blockLength: 44_100, count: count)
        #expect(found.contains { $0.chirp.shortcode.description == "gsm2h88c7u" })
        for detection in found where detection.chirp.startSeconds < 40 && !detection.channels.isEmpty {
            #expect(!detection.channels.contains(2))
        }
        // Noise alone, two of four channels of which fall silent now and then.
        let noise = try Self.sound(
            of: "parrotbill", [Hearing](repeating: Hearing(noisePower: 1e6), count: 4), seed: 51, count: 2 * count)
        var gated = noise
        for channel in 2..<4 {
            for index in 0..<2 * count where index / Int(30 * Self.rate) % 2 == 0 {
                gated[2 * count * channel + index] = 0
            }
        }
        _ = try Self.heard(gated, blockLength: 44_100, count: 2 * count)
    }
}
