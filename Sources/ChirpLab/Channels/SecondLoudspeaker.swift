/// The same sound once more, later and weaker: out of a hall's second loudspeaker, or of another device that plays the same page. The sound
/// grows by the delay.
public struct SecondLoudspeaker: Channel {
    public let delaySeconds: ClosedRange<Double>
    public let gain: ClosedRange<Double>

    /// - Parameters:
    ///   - delaySeconds: drawn anew for each sound; not negative.
    ///   - gain: amplitude over that of the first one, likewise.
    public init(delaySeconds: ClosedRange<Double>, gain: ClosedRange<Double>) {
        precondition(delaySeconds.lowerBound >= 0, "the second loudspeaker is the later one")
        self.delaySeconds = delaySeconds
        self.gain = gain
    }

    public func pass(_ sound: inout Sound, using random: inout RandomSource) {
        let delay = Int(Double.random(in: delaySeconds, using: &random) * sound.sampleRateHertz)
        let gain = Float(Double.random(in: gain, using: &random))
        let first = sound.samples
        sound.samples.append(contentsOf: repeatElement(0, count: delay))
        for i in first.indices { sound.samples[i + delay] += gain * first[i] }
    }
}
