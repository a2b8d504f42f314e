/// Some frames of sound, each channel's samples apart and contiguous.
public struct AudioBlock: Sendable {
    public let channelCount: Int
    /// The most frames it can hold.
    public let capacityFrames: Int
    /// The frames it holds.
    public private(set) var frameCount = 0

    /// Channel c lies at c · capacityFrames.
    private var samples: [Float]

    /// A block of about 64 Ki samples: 1.5 s of mono at 44.1 kHz, and never much memory, whatever number of channels a
    /// header claims.
    public init(channelCount: Int) {
        self.init(channelCount: channelCount, capacityFrames: max(64, 65_536 / max(channelCount, 1)))
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

    /// Hands over the samples of one channel without a copy.
    public func withSamples<Result>(of channel: Int, _ body: (Span<Float>) -> Result) -> Result {
        precondition((0..<channelCount).contains(channel), "there is no channel \(channel)")
        let start = channel * capacityFrames
        return body(samples.span.extracting(start..<start + frameCount))
    }

    /// Replaces the content with interleaved samples, those that are not finite becoming silence.
    ///
    /// - Parameter interleaved: frame by frame, `channelCount` samples each; not more than `capacityFrames` frames.
    /// - Returns: the number of samples that were not finite.
    public mutating func fill(interleaved: Span<Float>) -> Int {
        let (channelCount, capacityFrames) = (channelCount, capacityFrames)
        let frames = interleaved.count / channelCount
        precondition(frames <= capacityFrames, "a block of \(capacityFrames) frames cannot hold \(frames)")
        frameCount = frames
        var silenced = 0
        var samples = self.samples.mutableSpan
        for channel in 0..<channelCount {
            let base = channel * capacityFrames
            var from = channel
            for frame in 0..<frames {
                let value = interleaved[from]
                let isFinite = value.isFinite
                samples[base + frame] = isFinite ? value : 0
                silenced += isFinite ? 0 : 1
                from += channelCount
            }
        }
        return silenced
    }

    /// Replaces the content with interleaved 16-bit samples, which become −1…1.
    mutating func fill(interleaved: Span<Int16>) {
        let (channelCount, capacityFrames) = (channelCount, capacityFrames)
        let frames = interleaved.count / channelCount
        precondition(frames <= capacityFrames, "a block of \(capacityFrames) frames cannot hold \(frames)")
        frameCount = frames
        var samples = self.samples.mutableSpan
        for channel in 0..<channelCount {
            let base = channel * capacityFrames
            var from = channel
            for frame in 0..<frames {
                samples[base + frame] = Float(interleaved[from]) * (1 / 32_768)
                from += channelCount
            }
        }
    }
}
