internal import Benchmark
internal import Chirp
internal import ChirpLinks
internal import ChirpSound
internal import Foundation

/// One core's time for what touches the disk.
let benchmarks: @Sendable () -> Void = {
    // The processor's clock ticks a hundred times a second on some machines, and instructions are not counted on all.
    Benchmark.defaultConfiguration = .init(
        metrics: [.wallClock, .cpuTotal, .instructions, .peakMemoryResident], warmupIterations: 2,
        maxDuration: .seconds(3),
        maxIterations: 100_000)

    for name in ["wav", "flac", "ogg"] {
        Benchmark("Reading: one minute of \(name), mono at 44.1 kHz") { benchmark in
            let folder = try Folder()
            let path = folder.path("minute.\(name)")
            try folder.writeMinute(to: path)
            benchmark.startMeasurement()
            for _ in benchmark.scaledIterations {
                let reader = try AudioFileReader(path: path)
                var block = AudioBlock(channelCount: reader.channelCount)
                while try reader.read(into: &block) { blackHole(block.frameCount) }
            }
            benchmark.stopMeasurement()
        }
    }

    Benchmark("Registry: look up one of 10,000 codes in SQLite") { benchmark in
        let folder = try Folder()
        let registry = SQLiteRegistry(path: folder.path("links.sqlite"))
        let codes = try await folder.fill(registry, count: 10_000)
        benchmark.startMeasurement()
        for iteration in benchmark.scaledIterations {
            blackHole(try await registry.record(of: codes[iteration &* 7_919 % codes.count]))
        }
        benchmark.stopMeasurement()
        await registry.close()
    }
}

/// A folder that lives as long as this object.
final class Folder {
    private let url = FileManager.default.temporaryDirectory.appending(path: "chirp-bench-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appending(path: name).path }

    /// Chirps for a minute.
    func writeMinute(to path: String) throws {
        var random = SystemRandomNumberGenerator()
        let synthesiser = try Synthesiser(sampleRateHertz: 44_100)
        let writer = try AudioFileWriter(path: path, format: AudioFileFormat(path: path), sampleRateHertz: 44_100)
        for _ in 0..<34 { try writer.write(synthesiser.samples(of: Shortcode.random(using: &random).codeword)) }
        try writer.finish()
    }

    /// Registers links and gives back their codes.
    func fill(_ registry: SQLiteRegistry, count: Int) async throws -> [Shortcode] {
        var random = SystemRandomNumberGenerator()
        let entries = try (0..<count).map { index in
            let link = Link.url(try WebAddress("https://example.org/\(index)"))
            let record = LinkRecord(
                code: .random(using: &random), link: link, title: nil, claimedMediaType: nil, created: .now,
                expires: nil, clientKind: "benchmark")
            return RegistryEntry(record: record, tokenDigest: [UInt8](repeating: 0, count: 32), content: nil)
        }
        _ = try await registry.add(entries)
        return entries.map(\.record.code)
    }
}
