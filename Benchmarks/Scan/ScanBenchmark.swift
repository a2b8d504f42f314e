internal import Chirp
internal import ChirpSound
internal import Foundation

/// CPU seconds in which a receiver hears the 16-bit samples in a file, all of them in memory before the clock starts: what
/// `make bench-peers` measures of ggwave, too.
///
///     scan-benchmark FILE HERTZ
@main struct ScanBenchmark {
    static func main() throws {
        let words = CommandLine.arguments
        guard words.count == 3, let rate = Double(words[2]) else {
            print("usage: scan-benchmark FILE HERTZ")
            exit(64)
        }
        let data = try Data(contentsOf: URL(filePath: words[1]))
        let samples = data.withUnsafeBytes { unsafe Array($0.bindMemory(to: Int16.self)) }
        var receiver = try Receiver(sampleRateHertz: rate)
        let begin = clock()
        let found = hear(samples.span, with: &receiver)
        print(Double(clock() - begin) / Double(CLOCKS_PER_SEC), found)
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
}
