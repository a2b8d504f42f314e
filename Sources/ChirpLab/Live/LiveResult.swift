public import Chirp
internal import RealModule

/// What came of playing codes at several volumes while listening.
public struct LiveResult: Sendable {
    /// The codes played at one volume.
    public struct Volume: Sendable {
        /// Peak amplitude, 0–1.
        public let volume: Double
        public let recovered: Proportion
        /// The middle of the ratios of the chirps heard, over the whole band of the recording; nil when none was.
        public let snrDecibels: Double?
    }

    /// Ratio over the whole band, in decibels, from which noise takes no code away: it takes the first at −24 dB, music at −20.
    static let amplyAboveNoise = 0.0

    /// In the order in which they were played.
    public let volumes: [Volume]
    public let tones: ToneLevels
    /// Codes heard that were not played.
    public let wrong: Int
    /// Share of the samples at full scale, for each volume.
    public let clippedShares: [Double]
    /// How often the playing had a gap, as the machine was too busy.
    public let gapCount: Int
    /// Root mean square of the whole recording, in decibels of full scale; −∞ for silence.
    public let levelDecibels: Double

    /// - Parameters:
    ///   - played: the codes of each volume, all of them different.
    ///   - heard: times count from the first sample.
    ///   - clippedShares: one for each volume.
    public init(
        played: [(volume: Double, codes: [Codeword])], heard: [DetectedChirp], samples: [Float],
        sampleRateHertz: Double, clippedShares: [Double], gapCount: Int = 0
    ) {
        precondition(clippedShares.count == played.count, "there is one share a volume")
        let all = Set(played.flatMap(\.codes))
        let right = heard.filter { all.contains($0.codeword) }
        volumes = played.map { volume, codes in
            let found = right.filter { codes.contains($0.codeword) }
            let ratios = found.map(\.snrDecibels).sorted()
            return Volume(
                volume: volume,
                recovered: Proportion(successes: Set(found.map(\.codeword)).count, trials: codes.count),
                snrDecibels: ratios.isEmpty ? nil : ratios[ratios.count / 2])
        }
        tones = ToneLevels(samples: samples, sampleRateHertz: sampleRateHertz, chirps: right)
        wrong = heard.count - right.count
        self.clippedShares = clippedShares
        self.gapCount = gapCount
        let power = meanSquare(samples[...])
        levelDecibels = power > 0 ? 10 * .log10(power) : -.infinity
    }

    /// Something that a person can do about it.
    public enum Advice: Sendable, Hashable {
        /// Only zeros were captured.
        case captureIsSilent
        /// There is sound, but no chirp in it at any volume.
        case nothingHeard
        /// Everything arrives from this volume on, and not below it.
        case needsVolume(Double)
        /// Not everything arrives even at the loudest.
        case comeCloser(snrDecibels: Double)
        /// Not everything arrives even at the loudest, far above the noise though it is.
        case soundIsProcessed(snrDecibels: Double)
        /// Codes are lost, and the playing had gaps.
        case machineIsTooBusy(gapCount: Int)
        /// The capture is at full scale for this share of the samples while playing at this volume.
        case inputIsClipped(volume: Double, share: Double)
        /// These symbols are swallowed.
        case tonesAreSwallowed([UInt8])
        /// All is well at every volume; the ratio at the quietest.
        case allIsWell(snrDecibels: Double)
    }

    /// What to do, the most urgent first; never empty.
    public var advice: [Advice] {
        guard levelDecibels > -140 else { return [.captureIsSilent] }
        var advice: [Advice] = []
        for (volume, share) in zip(volumes, clippedShares) where share > 0.001 {
            advice.append(.inputIsClipped(volume: volume.volume, share: share))
            break
        }
        guard volumes.contains(where: { $0.recovered.successes > 0 }) else { return advice + [.nothingHeard] }
        let swallowed = tones.tones.filter(\.isSwallowed).map(\.symbol)
        if !swallowed.isEmpty { advice.append(.tonesAreSwallowed(swallowed)) }
        let byVolume = volumes.sorted { $0.volume < $1.volume }
        // From the loudest down to the first at which one is missing.
        let complete = byVolume.reversed().prefix { $0.recovered.successes == $0.recovered.trials }
        if let loudest = byVolume.last, loudest.recovered.successes < loudest.recovered.trials {
            advice.append(lossAdvice(snrDecibels: loudest.snrDecibels ?? byVolume.compactMap(\.snrDecibels).max() ?? 0))
        } else if complete.count < byVolume.count, let least = complete.last {
            advice.append(.needsVolume(least.volume))
        }
        if advice.isEmpty { advice.append(.allIsWell(snrDecibels: byVolume.first?.snrDecibels ?? 0)) }
        return advice
    }

    /// What takes codes away at the loudest: the ratio to the noise tells whether more of it would help.
    private func lossAdvice(snrDecibels: Double) -> Advice {
        if snrDecibels < Self.amplyAboveNoise { return .comeCloser(snrDecibels: snrDecibels) }
        return gapCount > 0 ? .machineIsTooBusy(gapCount: gapCount) : .soundIsProcessed(snrDecibels: snrDecibels)
    }

    /// Codes for a trial, all different, in which every tone sounds about equally often.
    ///
    /// - Parameter count: codes for each volume.
    public static func codes(count: Int, volumes: Int, seed: UInt64) -> [[Codeword]] {
        var random = RandomSource(seed: seed, name: "live", index: 0)
        var used = [Int](repeating: 0, count: WireFormat.original.toneCount)
        var known: Set<Codeword> = []
        return (0..<volumes).map { _ in
            (0..<count).map { _ in
                let candidates = (0..<64).map { _ in Shortcode.random(using: &random).codeword }
                    .filter { !known.contains($0) }
                // The one whose tones have been used least.
                let best = candidates.min { burden($0, used) < burden($1, used) } ?? candidates[0]
                known.insert(best)
                for symbol in best.frame { used[Int(symbol)] += 1 }
                return best
            }
        }
    }

    private static func burden(_ codeword: Codeword, _ used: [Int]) -> Int {
        // Squares of the counts that there would be.
        var counts = used
        for symbol in codeword.frame { counts[Int(symbol)] += 1 }
        return counts.reduce(0) { $0 + $1 * $1 }
    }
}
