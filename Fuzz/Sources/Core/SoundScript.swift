internal import Chirp
internal import FuzzSupport

/// Sound that bytes describe, so that a few of them reach what a chirp of a hundred thousand samples does: pieces of raw
/// floats, tones, noise, chirps and copies one after the other, and where the samples are cut into blocks.
struct SoundScript {
    let sampleRateHertz: Double
    let formats: [WireFormat]
    private(set) var samples: [Float] = []
    private let cuts: UInt8

    /// More of it finds no more, and takes longer.
    private static let mostSeconds = 2.6

    private static let levels: [Float] = [
        0, 1, -1, 0.5, 0.1, 1e-3, 1e-10, 1e-30, 1e10, 1e30, .greatestFiniteMagnitude, .infinity, -.infinity, .nan,
        .leastNonzeroMagnitude, .leastNormalMagnitude, -.signalingNaN, 32_768, 3e18, 1.8e19,
    ]

    private static let rates = [
        8_000.0, 8_000, 8_000, 8_001, 11_025, 12_000, 16_000, 22_050, 44_100, 48_000, 96_000, 192_000,
    ]

    init(_ source: inout ByteSource) {
        let choice = source.byte()
        sampleRateHertz =
            switch choice {
            case 250...: Double(bitPattern: source.bits64())
            case 240...: 8_000 + Double(source.word()) / 7
            default: Self.rates[Int(choice) % Self.rates.count]
            }
        let mask = source.byte()
        let chosen = WireFormat.all.enumerated().filter { mask & 1 << $0.offset != 0 }.map(\.element)
        formats = chosen.isEmpty ? [.original] : chosen
        cuts = source.byte()
        let rate = sampleRateHertz.isFinite ? min(max(sampleRateHertz, 1_000), 192_000) : 8_000
        let most = Int(Self.mostSeconds * rate)
        while !source.isEmpty, samples.count < most { append(from: &source, rate: rate, most: most) }
        samples.removeLast(max(0, samples.count - most))
    }

    private mutating func append(from source: inout ByteSource, rate: Double, most: Int) {
        switch source.byte() % 12 {
        case 0:
            let count = Int(source.byte())
            for _ in 0..<count { samples.append(Float(bitPattern: source.bits32())) }
        case 1:
            let level = source.choice(Self.levels)
            samples += [Float](repeating: level, count: source.word() % 8_192)
        case 2:
            let format = source.choice(formats)
            let step = 2 * Double.pi * format.pitchHertz(of: source.byte() & 31) / rate
            let level = source.choice(Self.levels)
            for index in 0..<source.word() % 16_384 { samples.append(level * Self.sine(step * Double(index))) }
        case 3:
            var state = UInt32(source.word()) | 1
            let level = source.choice(Self.levels)
            for _ in 0..<source.word() % 16_384 {
                state = state &* 1_664_525 &+ 1_013_904_223
                samples.append(level * (Float(state >> 8) / 8_388_608 - 1))
            }
        case 4, 5: appendChirp(from: &source, mixing: false)
        case 6: appendChirp(from: &source, mixing: true)
        case 7:
            let format = source.choice(formats)
            let symbols = (0..<1 + source.byte() % 24).map { _ in source.byte() & 31 }
            guard let synthesiser = try? Synthesiser(sampleRateHertz: rate, format: format) else { return }
            samples += synthesiser.samples(ofSymbols: symbols)
        case 8:
            let length = min(samples.count, 1 + source.word())
            for _ in 0..<1 + source.byte() % 4 where samples.count < most { samples += samples.suffix(length) }
        case 9:
            let level = source.choice(Self.levels)
            let start = samples.count - min(samples.count, source.word())
            for index in start..<samples.count { samples[index] *= level }
        case 10:
            let (low, high) = (source.choice(Self.levels), source.choice(Self.levels))
            let period = 1 + Int(source.byte())
            for index in 0..<source.word() % 8_192 { samples.append(index / period % 2 == 0 ? low : high) }
        default:
            let count = Int(source.byte())
            for _ in 0..<count { samples.append(Float(Int16(truncatingIfNeeded: source.word())) / 32_768) }
        }
    }

    private mutating func appendChirp(from source: inout ByteSource, mixing: Bool) {
        let format = source.choice(formats)
        let level = source.choice(Self.levels)
        guard let code = Shortcode(symbols: (0..<10).map { _ in source.byte() & 31 }),
            let synthesiser = try? Synthesiser(sampleRateHertz: sampleRateHertz, format: format)
        else { return }
        let chirp = synthesiser.samples(of: code.codeword).map { $0 * level }
        guard mixing else {
            samples += chirp
            return
        }
        let start = samples.count - min(samples.count, source.word())
        for (index, sample) in chirp.enumerated() {
            if start + index < samples.count {
                samples[start + index] += sample
            } else {
                samples.append(sample)
            }
        }
    }

    private static func sine(_ phase: Double) -> Float {
        // Exact enough, and without a library: the parabola through a sine's zeros and peaks.
        let turn = phase / (2 * Double.pi)
        let x = Float(turn - turn.rounded(.down)) * 2 - 1
        return -4 * x * (1 - abs(x))
    }

    /// The samples in blocks of lengths that the bytes choose, empty ones among them.
    var blocks: [ArraySlice<Float>] {
        var blocks: [ArraySlice<Float>] = []
        var rest = samples[...]
        var state = UInt32(cuts)
        while !rest.isEmpty {
            state = state &* 1_664_525 &+ 1_013_904_223
            let length =
                switch cuts % 4 {
                case 0: 1 + Int(cuts) * 16
                case 1: Int(state >> 20)
                case 2: Int(state >> 28) == 0 ? 20_000 : Int(state >> 26)
                default: Int(state >> 16)
                }
            blocks.append(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        return blocks
    }
}
