/// Several channels as one, for what shows a single one.
public enum Mixdown {
    /// The mean of the channels; a channel that is not connected costs 3 dB at most, an inverted one may cost all.
    ///
    /// - Parameter interleaved: frame by frame, a sample of each channel in each.
    public static func mean(of interleaved: [Float], channelCount: Int) -> [Float] {
        guard channelCount > 1 else { return interleaved }
        let scale = 1 / Float(channelCount)
        return (0..<interleaved.count / channelCount).map { frame in
            var sum: Float = 0
            for channel in 0..<channelCount { sum += interleaved[frame * channelCount + channel] }
            return sum * scale
        }
    }
}
