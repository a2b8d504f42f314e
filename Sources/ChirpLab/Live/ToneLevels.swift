public import Chirp
internal import RealModule

/// How loud each of the 32 tones arrives in a recording of chirps that are known.
public struct ToneLevels: Sendable {
    /// One tone as it was heard.
    public struct Tone: Sendable, Hashable {
        public let symbol: UInt8
        public let pitchHertz: Double
        /// How often it was played in chirps that were found.
        public let soundings: Int
        /// Its level relative to the middle of all tones, in decibels; nil when it was not played.
        public let levelDecibels: Double?
        /// Its power over what is heard at its pitch while other tones sound, in decibels; nil when it was not played.
        public let aboveNoiseDecibels: Double?

        /// Whether something on the way swallows it.
        public var isSwallowed: Bool { levelDecibels.map { $0 < ToneLevels.swallowedDecibels } ?? false }

        init(symbol: UInt8, pitchHertz: Double, soundings: Int, levelDecibels: Double?, aboveNoiseDecibels: Double?) {
            self.symbol = symbol
            self.pitchHertz = pitchHertz
            self.soundings = soundings
            self.levelDecibels = levelDecibels
            self.aboveNoiseDecibels = aboveNoiseDecibels
        }
    }

    /// A tone this far below the others is missing rather than weak: a loudspeaker and a room colour tones by ±10 dB
    /// (Toole, "Sound Reproduction", 3rd edition, 2017, section 4.2), and a symbol loses to the noise long before.
    static let swallowedDecibels = -15.0

    /// All tones, lowest first.
    public let tones: [Tone]

    /// Measures the tones of chirps within a recording.
    ///
    /// - Parameters:
    ///   - samples: mono, of any scale.
    ///   - chirps: where they are in it: times count from the first sample.
    public init(samples: [Float], sampleRateHertz: Double, chirps: [DetectedChirp], format: WireFormat = .original) {
        var sounding = [[Double]](repeating: [], count: format.toneCount)
        var silent = sounding
        for chirp in chirps {
            let symbols = chirp.codeword.frame
            let powers = Self.powers(of: chirp, in: samples, sampleRateHertz: sampleRateHertz, format: format)
            let own = zip(powers, symbols).compactMap { column, symbol in column.map { $0[Int(symbol)] } }
            guard own.count == symbols.count else { continue }
            // Chirps played at different volumes are compared with their own middle.
            let middle = max(Self.median(own), .leastNormalMagnitude)
            for (place, column) in powers.enumerated() {
                guard let column else { continue }
                for tone in 0..<format.toneCount {
                    if symbols[place] == tone {
                        sounding[tone].append(column[tone] / middle)
                    } else if place == 0 || symbols[place - 1] != tone {
                        // Right after a tone its echo is still there.
                        silent[tone].append(column[tone] / middle)
                    }
                }
            }
        }
        let played = sounding.filter { !$0.isEmpty }.map { Self.median($0) }
        let middle = max(Self.median(played), .leastNormalMagnitude)
        tones = (0..<format.toneCount).map { tone in
            let symbol = UInt8(tone)
            guard !sounding[tone].isEmpty else {
                return Tone(
                    symbol: symbol, pitchHertz: format.pitchHertz(of: symbol), soundings: 0, levelDecibels: nil,
                    aboveNoiseDecibels: nil)
            }
            let power = max(Self.median(sounding[tone]), 1e-12)
            let noise = max(Self.median(silent[tone]), 1e-12)
            return Tone(
                symbol: symbol, pitchHertz: format.pitchHertz(of: symbol), soundings: sounding[tone].count,
                levelDecibels: 10 * Double.log10(power / middle), aboveNoiseDecibels: 10 * Double.log10(power / noise))
        }
    }

    /// The power of each tone in each symbol of a chirp, nil for a symbol that is not wholly in the recording.
    private static func powers(
        of chirp: DetectedChirp, in samples: [Float], sampleRateHertz: Double, format: WireFormat
    ) -> [[Double]?] {
        let count = format.frameSymbolCount
        let symbolSamples = chirp.durationSeconds / Double(count) * sampleRateHertz
        let ratio = Double.exp2(chirp.tuningCents / 1_200)
        return (0..<count).map { place in
            let start = Int((chirp.startSeconds * sampleRateHertz + Double(place) * symbolSamples).rounded())
            let length = Int(symbolSamples)
            guard start >= 0, start + length <= samples.count else { return nil }
            return (0..<format.toneCount).map { tone in
                power(
                    at: format.pitchHertz(of: UInt8(tone)) * ratio, in: samples[start..<start + length],
                    sampleRateHertz: sampleRateHertz)
            }
        }
    }

    /// Power at one pitch through a Hann window, which is 31 dB down one semitone away at the lowest (Harris, Proc. IEEE
    /// 66, 1978): Goertzel's recursion.
    static func power(at pitchHertz: Double, in samples: ArraySlice<Float>, sampleRateHertz: Double) -> Double {
        guard pitchHertz < sampleRateHertz / 2 else { return 0 }
        let step = 2 * Double.pi * pitchHertz / sampleRateHertz
        let coefficient = 2 * Double.cos(step)
        let count = Double(samples.count)
        var (last, beforeLast) = (0.0, 0.0)
        for (index, sample) in samples.enumerated() {
            let window = 0.5 - 0.5 * Double.cos(2 * .pi * (Double(index) + 0.5) / count)
            (last, beforeLast) = (Double(sample) * window + coefficient * last - beforeLast, last)
        }
        return (last * last + beforeLast * beforeLast - coefficient * last * beforeLast) * 8 / (count * count)
    }

    private static func median(_ values: [Double]) -> Double {
        guard !values.isEmpty else { return 0 }
        let sorted = values.sorted()
        let half = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2
    }
}
