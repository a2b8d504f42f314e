internal import Chirp
internal import ChirpSound
internal import Foundation

/// What a receiver needs for the 16-bit samples in a file, all of them in memory before the clock starts.
///
///     scan-benchmark FILE HERTZ              CPU seconds, and the number of codes: what is measured of ggwave, too
///     scan-benchmark --delay FILE HERTZ      wall time of the calls that reported: median and most in milliseconds,
///                                            and the number of codes
@main struct ScanBenchmark {
    static func main() throws {
        var words = CommandLine.arguments.dropFirst()
        let asksForDelay = words.first == "--delay"
        if asksForDelay { words.removeFirst() }
        guard words.count == 2, let path = words.first, let rate = words.last.flatMap(Double.init) else {
            print("usage: scan-benchmark [--delay] FILE HERTZ")
            exit(64)
        }
        let data = try Data(contentsOf: URL(filePath: path))
        let samples = data.withUnsafeBytes { unsafe Array($0.bindMemory(to: Int16.self)) }
        var receiver = try Receiver(sampleRateHertz: rate)
        if asksForDelay {
            let delays = delays(in: samples, with: &receiver).sorted()
            guard let longest = delays.last else {
                print(0, 0, 0)
                return
            }
            print(delays[delays.count / 2], longest, delays.count)
        } else {
            let begin = clock()
            let found = hear(samples.span, with: &receiver)
            print(Double(clock() - begin) / Double(CLOCKS_PER_SEC), found)
        }
    }

    /// The number of codes; the conversion to floating point is part of what is measured.
    private static func hear(_ samples: Span<Int16>, with receiver: inout Receiver) -> Int {
        var block = AudioBlock(channelCount: 1)
        var found = 0
        for start in stride(from: 0, to: samples.count, by: block.capacityFrames) {
            block.fill(interleaved: samples.extracting(start..<min(start + block.capacityFrames, samples.count)))
            found += block.withSamples(of: 0) { receiver.process($0).count }
        }
        return found + receiver.finish().count
    }

    /// How long the call took that reported each code, in milliseconds. Blocks are as short as a device's, so that a call
    /// does little besides.
    private static func delays(in samples: [Int16], with receiver: inout Receiver) -> [Double] {
        let sound = samples.map { Float($0) / 32_768 }
        let blockLength = 256
        var delays: [Double] = []
        for start in stride(from: 0, to: sound.count, by: blockLength) {
            let block = sound.span.extracting(start..<min(start + blockLength, sound.count))
            let begin = ContinuousClock.now
            let count = receiver.process(block).count
            let delay = (ContinuousClock.now - begin) / .milliseconds(1)
            delays += Array(repeating: delay, count: count)
        }
        return delays
    }
}
