/// Some frames of sound, each channel's samples apart and contiguous.
public struct AudioBlock: Sendable {
    public let channelCount: Int
    /// The most frames it can hold.
    public let capacityFrames: Int
    /// The frames it holds.
    public private(set) var frameCount = 0

    /// Channel c lies at c · capacityFrames.
    private var samples: [Float]

    /// A block of 16 Ki samples, 0.4 s of mono at 44.1 kHz, or of 64 frames: never much memory, whatever number of channels
    /// a header claims.
    public init(channelCount: Int) {
        self.init(channelCount: channelCount, capacityFrames: max(64, 16_384 / max(channelCount, 1)))
    }

    public init(channelCount: Int, capacityFrames: Int) {
        precondition(channelCount > 0 && capacityFrames > 0, "a block has at least one channel and one frame")
        self.channelCount = channelCount
        self.capacityFrames = capacityFrames
        samples = [Float](repeating: 0, count: channelCount * capacityFrames)
    }

    /// The samples of one channel.
    public subscript(channel: Int) -> ArraySlice<Float> {
        precondition((0..<channelCount).contains(channel), "there is no channel \(channel)")
        return samples[channel * capacityFrames..<channel * capacityFrames + frameCount]
    }

    /// The mean of the channels.
    public func mean() -> [Float] {
        var mean = [Float](repeating: 0, count: frameCount)
        let share = 1 / Float(channelCount)
        for channel in 0..<channelCount {
            for (frame, sample) in self[channel].enumerated() { mean[frame] += share * sample }
        }
        return mean
    }

    /// Hands over the samples of one channel without a copy.
    public func withSamples<Result>(of channel: Int, _ body: (Span<Float>) -> Result) -> Result {
        precondition((0..<channelCount).contains(channel), "there is no channel \(channel)")
        let start = channel * capacityFrames
        return body(samples.span.extracting(start..<start + frameCount))
    }

    /// Hands over the samples of some channels without a copy: those of the first one, and those of each further one so many samples after
    /// the channel before.
    public func withSamples<Result>(of channels: Range<Int>, _ body: (Span<Float>, _ stride: Int) -> Result) -> Result {
        precondition(
            !channels.isEmpty && channels.lowerBound >= 0 && channels.upperBound <= channelCount,
            "there are no channels \(channels)")
        let end = (channels.upperBound - 1) * capacityFrames + frameCount
        return body(samples.span.extracting(channels.lowerBound * capacityFrames..<end), capacityFrames)
    }

    /// Replaces the content with interleaved samples, those that are not finite becoming silence.
    ///
    /// - Parameter interleaved: frame by frame, `channelCount` samples each; not more than `capacityFrames` frames.
    /// - Returns: the number of samples that were not finite.
    public mutating func fill(interleaved: Span<Float>) -> Int {
        var silenced = 0
        fill(interleaved) { (value: Float) in
            // Not a number, or infinite: the difference is not a number. Without a branch, so that it goes by vectors.
            let isFinite = value - value == 0
            silenced &+= isFinite ? 0 : 1
            return isFinite ? value : 0
        }
        return silenced
    }

    /// Replaces the content with interleaved 16-bit samples, which become −1…1.
    package mutating func fill(interleaved: Span<Int16>) {
        fill(interleaved) { (value: Int16) in Float(value) * (1 / 32_768) }
    }

    @inline(__always)
    private mutating func fill<Sample: BitwiseCopyable>(_ interleaved: Span<Sample>, convert: (Sample) -> Float) {
        let (channelCount, capacityFrames) = (channelCount, capacityFrames)
        let frames = interleaved.count / channelCount
        precondition(frames <= capacityFrames, "a block of \(capacityFrames) frames cannot hold \(frames)")
        frameCount = frames
        var samples = self.samples.mutableSpan
        // The frames were counted above: no index is checked again.
        if channelCount == 1 {
            for frame in 0..<frames {
                unsafe samples[unchecked: frame] = convert(interleaved[unchecked: frame])
            }
            return
        }
        for channel in 0..<channelCount {
            let base = channel &* capacityFrames
            var from = channel
            for frame in 0..<frames {
                unsafe samples[unchecked: base &+ frame] = convert(interleaved[unchecked: from])
                from &+= channelCount
            }
        }
    }
}
