public import Chirp
internal import RealModule

/// How one kind of sender that is on the air makes its sound.
///
///     let sound = SenderModel.android.samples(of: code.codeword, sampleRateHertz: 44_100)
public struct SenderModel: Sendable, Hashable {
    public var name: String
    /// Pitch of each symbol's tone.
    public var tonePitchesHertz: [Double]
    public var symbolSeconds: Double
    /// Whether one oscillator is retuned at each edge, or each symbol is a fresh sine that begins at phase zero.
    public var phaseRunsOn: Bool
    /// Time in which the pitch moves in a straight line from the previous tone's; needs a phase that runs on.
    public var glideSeconds = 0.0
    /// Shares of a symbol in which its amplitude rises from zero and falls back to it, in straight lines.
    public var attackShare = 0.0
    public var releaseShare = 0.0

    /// The sound of a codeword's frame.
    ///
    /// - Parameters:
    ///   - sampleRateHertz: any; tones at or above half of it do not exist there and are silent.
    ///   - volume: the amplitude, 0–1.
    public func samples(of codeword: Codeword, sampleRateHertz: Double, volume: Float = 0.8) -> [Float] {
        samples(ofSymbols: codeword.frame, sampleRateHertz: sampleRateHertz, volume: volume)
    }

    /// The sound of a row of symbols.
    public func samples(ofSymbols symbols: [UInt8], sampleRateHertz: Double, volume: Float = 0.8) -> [Float] {
        samples(
            ofPitchesHertz: symbols.map { tonePitchesHertz[Int($0)] }, sampleRateHertz: sampleRateHertz, volume: volume)
    }

    /// The sound of a row of pitches, each as long as a symbol.
    public func samples(ofPitchesHertz pitches: [Double], sampleRateHertz: Double, volume: Float = 0.8) -> [Float] {
        func edge(_ index: Int) -> Int { Int((Double(index) * symbolSeconds * sampleRateHertz).rounded()) }
        var samples = [Float](repeating: 0, count: edge(pitches.count))
        var phase = 0.0
        for (index, pitch) in pitches.enumerated() {
            let previous = index > 0 ? pitches[index - 1] : pitch
            let range = edge(index)..<edge(index + 1)
            if !phaseRunsOn { phase = 0 }
            for sample in range {
                let elapsed = Double(sample - range.lowerBound) / sampleRateHertz
                let glide = elapsed < glideSeconds ? elapsed / glideSeconds : 1
                let instantaneous = previous + (pitch - previous) * glide
                let gain =
                    instantaneous < sampleRateHertz / 2
                    ? envelope(Double(sample - range.lowerBound) / Double(range.count)) : 0
                samples[sample] = Float(Double(volume) * gain * Double.sin(2 * .pi * phase))
                phase += instantaneous / sampleRateHertz
                phase -= phase.rounded(.down)
            }
        }
        return samples
    }

    /// Gain at a place in a symbol, 0 being its start and 1 its end.
    private func envelope(_ place: Double) -> Double {
        if place < attackShare { return place / attackShare }
        if 1 - place < releaseShare { return (1 - place) / releaseShare }
        return 1
    }

    /// The same sender played fast or slow, pitch and tempo together: 1.02 is 2 % fast.
    public func played(speed: Double) -> SenderModel {
        var model = self
        model.tonePitchesHertz = tonePitchesHertz.map { $0 * speed }
        model.symbolSeconds = symbolSeconds / speed
        model.glideSeconds = glideSeconds / speed
        return model
    }

    /// The same sender with every tone off by a number of cents of its own.
    ///
    /// - Parameter cents: one number a tone.
    public func detuned(cents: [Double]) -> SenderModel {
        precondition(cents.count == tonePitchesHertz.count, "there is one detuning a tone")
        var model = self
        model.tonePitchesHertz = zip(tonePitchesHertz, cents).map { $0 * Double.exp2($1 / 1200) }
        return model
    }
}
