internal import Benchmark
internal import ChirpLab

@testable internal import Chirp

/// One core's time for each stage of sending and receiving. Sound is made before the clock starts.
let benchmarks: @Sendable () -> Void = {
    // The processor's clock ticks a hundred times a second on some machines, and instructions are not counted on all.
    Benchmark.defaultConfiguration = .init(
        metrics: [.wallClock, .cpuTotal, .instructions, .peakMemoryResident], warmupIterations: 2,
        maxDuration: .seconds(3),
        maxIterations: 100_000)

    Benchmark("Synthesis: one chirp at 44.1 kHz") { benchmark in
        let synthesiser = try Synthesiser(sampleRateHertz: 44_100)
        var random = RandomSource(seed: 1)
        let codeword = Shortcode.random(using: &random).codeword
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations { blackHole(synthesiser.samples(of: codeword)) }
    }

    Benchmark("Tone energies: one second of noise", configuration: .init(scalingFactor: .one)) { benchmark in
        var stage = Stage(Stage.noise(seconds: 1))
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations { stage.takeBlocks() }
    }

    Benchmark("Synchronisation: one second of symbol starts", configuration: .init(scalingFactor: .one)) { benchmark in
        var stage = Stage(Stage.noise(seconds: 3))
        stage.takeBlocks()
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations { stage.synchronise(seconds: 1) }
    }

    for (name, budget) in [("3,000", 3_000), ("300,000", 300_000)] {
        Benchmark("Soft decoding: one word, \(name) patterns") { benchmark in
            let scores = Stage.scores(seed: 5)
            let decoder = SoftDecoder()
            benchmark.startMeasurement()
            for _ in benchmark.scaledIterations { blackHole(decoder.decode(scores, patternBudget: budget)) }
        }
    }

    for (name, decibels) in [("white noise", nil), ("a chirp at −10 dB", -10), ("a chirp at −25 dB", -25)]
        as [(String, Double?)]
    {
        Benchmark("Receiver: ten seconds with \(name)") { benchmark in
            let sound = try Stage.sound(seconds: 10, chirpDecibels: decibels)
            var receiver = try Receiver(sampleRateHertz: 44_100)
            benchmark.startMeasurement()
            for _ in benchmark.scaledIterations {
                for start in stride(from: 0, to: sound.count, by: 8_192) {
                    blackHole(receiver.process(sound.span.extracting(start..<min(start + 8_192, sound.count))))
                }
                blackHole(receiver.finish())
            }
        }
    }
}
