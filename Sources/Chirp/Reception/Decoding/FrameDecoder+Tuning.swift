internal import RealModule

extension FrameDecoder {
    /// How far a tone is above its pitch, and what that counts.
    typealias Deviation = (cents: Double, weight: Double)

    /// Tones this near to a common tuning are off by it: bins are ±1 to ±6 cents wide, and a tone's place among them is known to
    /// a fifth.
    private static let sameTuningCents = 3.0
    /// So many tones must agree on another tuning, and as many as do not, to be looked at as another chirp's.
    private static let minimumOtherTones = 4

    /// The median of the deviations of the tones that are received, weighted towards high tones, where the same error in
    /// hertz is fewer cents.
    func commonTuning(of frame: [UInt8], in soft: SoftFrame, fallback: Double = 0) -> Double {
        Self.median(of: deviations(of: frame, in: soft)) ?? fallback
    }

    /// The median of the deviations that are not a tuning, where some agree on it.
    static func otherTuning(of deviations: [Deviation], than tuning: Double) -> Double? {
        let others = deviations.filter { abs($0.cents - tuning) > sameTuningCents }
        guard let other = median(of: others) else { return nil }
        let same = others.count { abs($0.cents - other) <= sameTuningCents }
        return same >= minimumOtherTones && 2 * same >= others.count ? other : nil
    }

    /// How far the tones that are received are off, by the spectra at hand.
    func deviations(of frame: [UInt8], in soft: SoftFrame) -> [Deviation] {
        frame.enumerated().compactMap { symbol, tone in
            guard soft.ratios[32 * symbol + Int(tone)] > 4,
                let cents = spectra.peak(symbol: symbol, tone: tone)?.cents
            else { return nil }
            return (cents, format.pitchHertz(of: tone))
        }
    }

    /// The weighted median: of so few values that each is asked how much there is up to it.
    static func median(of deviations: [Deviation]) -> Double? {
        let half = deviations.reduce(0) { $0 + $1.weight } / 2
        return deviations.map { $0.cents }.filter { cents in
            deviations.reduce(0) { $1.cents > cents ? $0 : $0 + $1.weight } >= half
        }.min()
    }
}
