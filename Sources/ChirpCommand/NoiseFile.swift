internal import ChirpLab
internal import ChirpSound

/// Recordings that the laboratory mixes chirps with.
enum NoiseFile {
    /// The mean of a file's channels at the laboratory's sample rate.
    static func samples(path: String) throws -> [Float] {
        let reader = try AudioFileReader(path: path)
        var block = AudioBlock(channelCount: reader.channelCount)
        var mono: [Float] = []
        let share = 1 / Float(reader.channelCount)
        while try reader.read(into: &block) {
            let start = mono.count
            mono.append(contentsOf: repeatElement(0, count: block.frameCount))
            for channel in 0..<block.channelCount {
                for (offset, sample) in block[channel].enumerated() { mono[start + offset] += share * sample }
            }
        }
        guard reader.sampleRateHertz != Scenario.sampleRateHertz else { return mono }
        return Resampling.resampled(mono, from: reader.sampleRateHertz, to: Scenario.sampleRateHertz)
    }
}
