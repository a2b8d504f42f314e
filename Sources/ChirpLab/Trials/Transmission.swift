public import Chirp

/// What is sent in one trial, and when.
public struct Transmission: Sendable {
    /// How the chirps of a trial lie in time.
    public enum Arrangement: Sendable {
        /// One, at a random moment.
        case single
        /// One, of which so many symbols were over when the recording began.
        case cut(symbols: Int)
        /// Two, so many seconds from start to start, the second so many decibels weaker.
        case overlapping(seconds: ClosedRange<Double>, weakerDecibels: Double)
        /// So many, each beginning where the one before ends.
        case backToBack(count: Int)
        /// One code so many times, at equal distances from start to start but for up to 10 ms.
        case repeated(count: Int, spacingSeconds: ClosedRange<Double>)
        /// So many without overlap, spread at random over a length of time.
        case scattered(count: Int, seconds: Double)
    }

    /// How far apart copies are that a receiver combines, from start to start.
    static let repeatSpacingSeconds = 1.8...15.0

    public var arrangement: Arrangement
    public var sender: Sender
    /// The format of the frames that the sender is given; a sender makes the sounds of one.
    public var format: WireFormat
    /// Chirps to choose from, with the pitches of each; empty for random codes from the sender.
    var measured: [MeasuredChirp] = []
    /// Whether each codeword is another one, too, when it is read a symbol early or late, as one in sixteen is.
    public var hasShiftedWords = false
    /// How many of the eighteen symbols of each codeword are silenced, at random places.
    public var silencedSymbols: Int
    /// How many of the eighteen are sent as some other symbol.
    public var wrongSymbols: Int

    public init(
        _ arrangement: Arrangement = .single, sender: Sender? = nil, silencedSymbols: Int = 0, wrongSymbols: Int = 0,
        format: WireFormat = .original
    ) {
        precondition(silencedSymbols + wrongSymbols <= 18, "a codeword has eighteen symbols")
        self.arrangement = arrangement
        self.sender = sender ?? .played(format: format)
        self.format = format
        self.silencedSymbols = silencedSymbols
        self.wrongSymbols = wrongSymbols
    }

    /// Codes that one trial sends.
    public var chirpCount: Int {
        switch arrangement {
        case .single, .cut, .repeated: 1
        case .overlapping: 2
        case .backToBack(let count), .scattered(let count, _): count
        }
    }

    /// A random code and its sound, damaged as asked.
    func makeChirp(
        sampleRateHertz: Double, using random: inout RandomSource
    ) -> (shortcode: Shortcode, samples: [Float]) {
        if let chirp = measured.randomElement(using: &random) {
            let samples = SenderModel.browser.samples(
                ofPitchesHertz: chirp.pitchesHertz, sampleRateHertz: sampleRateHertz)
            return (chirp.shortcode, samples)
        }
        let shortcode = hasShiftedWords ? Self.shiftedShortcode(using: &random) : .random(using: &random)
        return (shortcode, sound(of: shortcode.codeword, sampleRateHertz: sampleRateHertz, using: &random))
    }

    /// A random code that ends with a zero, and thus has another word a symbol earlier, or that word's code.
    private static func shiftedShortcode(using random: inout RandomSource) -> Shortcode {
        let code = Shortcode.random(using: &random)
        guard let ending = Shortcode(symbols: code.symbols.dropLast() + [0]) else { return code }
        guard Bool.random(using: &random), let other = ending.codeword.codeword(symbolsLater: -1) else { return ending }
        return other.shortcode
    }

    private func sound(of codeword: Codeword, sampleRateHertz: Double, using random: inout RandomSource) -> [Float] {
        var symbols = format.frame(of: codeword)
        let places = (format.startCode.count..<format.frameSymbolCount).shuffled(using: &random)
        for place in places.prefix(wrongSymbols) {
            symbols[place] = (symbols[place] + .random(in: 1..<32, using: &random)) % 32
        }
        var samples = sender.sound(symbols, sampleRateHertz, &random)
        for place in places.dropFirst(wrongSymbols).prefix(silencedSymbols) {
            let length = Double(samples.count) / Double(format.frameSymbolCount)
            for i in Int(Double(place) * length)..<Int(Double(place + 1) * length) { samples[i] = 0 }
        }
        return samples
    }

    /// Whether all chirps of a trial are copies of one.
    var isRepeated: Bool { if case .repeated = arrangement { true } else { false } }

    /// Where the chirps begin, in seconds, their gains, and the length of it all.
    func schedule(
        using random: inout RandomSource
    ) -> (starts: [(seconds: Double, decibels: Double)], lengthSeconds: Double) {
        let frame = format.frameSeconds
        // Room for a slow sender, an echo's end and a receiver's delay.
        let tail = 1.0
        let first = Double.random(in: 1...3.5, using: &random)
        switch arrangement {
        case .single:
            return ([(first, 0)], 3.5 + frame + tail)
        case .cut(let symbols):
            return ([(-Double(symbols) * format.symbolSeconds, 0)], 3.5 + frame + tail)
        case .overlapping(let seconds, let weaker):
            let second = first + Double.random(in: seconds, using: &random)
            let levels = Bool.random(using: &random) ? [0, -weaker] : [-weaker, 0]
            return ([(first, levels[0]), (second, levels[1])], 3.5 + seconds.upperBound + frame + tail)
        case .backToBack(let count):
            return ((0..<count).map { (first + Double($0) * frame, 0) }, 3.5 + Double(count) * frame + tail)
        case .repeated(let count, let spacing):
            let distance = Double.random(in: spacing, using: &random)
            let starts = (0..<count).map {
                (first + Double($0) * distance + .random(in: -0.005...0.005, using: &random), 0.0)
            }
            return (starts, 3.5 + Double(count - 1) * distance + frame + tail)
        case .scattered(let count, let seconds):
            // Gaps are the spacings of uniform points over the time left.
            let free = seconds - Double(count) * (frame + 0.1) - tail
            precondition(free > 0, "there is room for \(count) chirps")
            let points = (0..<count).map { _ in Double.random(in: 0..<free, using: &random) }.sorted()
            return (points.enumerated().map { ($1 + Double($0) * (frame + 0.1), 0) }, seconds)
        }
    }
}
