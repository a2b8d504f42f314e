// Measures formats that differ from `ultrasonic` and `fast` in the numbers that are free to choose, in the laboratory's channels:
//
//     format-sweep CHIRPS-IN-EACH-CHANNEL SEED
//
// docs/FORMATS.md has its tables. Each line is a format, each column the share of its chirps that came back, and wrong codes if any.

import Chirp
import ChirpLab
import Foundation

/// A channel for any format.
struct Column {
    let name: String
    let scenario: (WireFormat) -> Scenario
}

/// A channel with white noise over the whole band, and what a chirp passes before.
func column(_ name: String, snrDecibels: Double, propagation: [any Channel] = [], speed: Double = 1) -> Column {
    Column(name: name) { format in
        // The sender's clock is off, and the receiver does not know.
        let sender = Sender.played(format: format.played(speed: speed))
        return Scenario(
            name, transmission: Transmission(sender: sender, format: format), propagation: propagation,
            disturbances: [WhiteNoise(snrDecibels: snrDecibels)])
    }
}

func measure(_ title: String, _ formats: [(label: String, format: WireFormat)], _ columns: [Column]) async throws {
    print("\n" + (["| " + title] + columns.map(\.name)).joined(separator: " | ") + " |")
    print("|---|" + columns.map { _ in "---|" }.joined())
    for (label, format) in formats {
        var cells: [String] = []
        for column in columns {
            let result = try await experiment.run(column.scenario(format))
            let share = Double(result.recovered.successes) / Double(max(1, result.recovered.trials))
            cells.append(String(format: "%.2f", share) + (result.wrong > 0 ? " (\(result.wrong) wrong)" : ""))
        }
        print("| " + ([label] + cells).joined(separator: " | ") + " |")
    }
}

let numbers = CommandLine.arguments.dropFirst().map { UInt64($0) }
guard numbers.count == 2, let count = numbers[0], (1...1_000_000).contains(count), let seed = numbers[1] else {
    try FileHandle.standardError.write(contentsOf: Data("usage: format-sweep CHIRPS-IN-EACH-CHANNEL SEED\n".utf8))
    exit(64)
}
let experiment = Experiment(
    seed: seed, chirpsPerScenario: Int(count), jobs: ProcessInfo.processInfo.activeProcessorCount)

func room(_ seconds: Double, metres: Double) -> any Channel {
    StandardScenarios.reverberation(seconds: seconds, metres: metres, seed: seed, name: "room \(seconds) s \(metres) m")
}
func loudspeaker(_ decibels: Double) -> any Channel {
    Loudspeaker(downAt19kHertzDecibels: decibels, sampleRateHertz: Scenario.sampleRateHertz)
}

/// Tones from so many hertz up, or down from so many.
func ultrasonic(from base: Double? = nil, to top: Double = 19_832, spacing: Double) -> (String, WireFormat) {
    let lowest = base ?? top - 31 * spacing
    let label = String(format: "%.0f–%.0f Hz, %.0f Hz apart", lowest, lowest + 31 * spacing, spacing)
    return (label, WireFormat.ultrasonic.sweeping(basePitchHertz: lowest, toneSpacingHertz: spacing))
}

let rooms = [
    column("white −25 dB", snrDecibels: -25), column("white −26 dB", snrDecibels: -26),
    column("0.02 % fast, −22 dB", snrDecibels: -22, speed: 1.0002),
    column("0.1 % fast, −15 dB", snrDecibels: -15, speed: 1.001),
    column("0.15 % fast, −15 dB", snrDecibels: -15, speed: 1.0015),
    column(
        "room 0.6 s 3 m, speaker −20 dB, −10 dB", snrDecibels: -10,
        propagation: [loudspeaker(20), room(0.6, metres: 3)]),
    column(
        "room 0.6 s 3 m, speaker −40 dB, −10 dB", snrDecibels: -10,
        propagation: [loudspeaker(40), room(0.6, metres: 3)]),
]
try await measure(
    "`ultrasonic`",
    [24, 36, 48, 60, 72].map { ultrasonic(from: 17_600, spacing: $0) } + [
        ultrasonic(to: 19_832, spacing: 36), ultrasonic(from: 17_000, spacing: 72),
        ultrasonic(from: 18_200, spacing: 72),
        ultrasonic(from: 17_600, spacing: 84),
    ], rooms)

try await measure(
    "`ultrasonic`, symbol",
    [36.0, 50, 65, 87.2, 110].map { milliseconds in
        (
            String(format: "%g ms", milliseconds),
            WireFormat.ultrasonic.sweeping(symbolSeconds: milliseconds / 1000)
        )
    }, [rooms[0], rooms[1], rooms[5], rooms[6]])

try await measure(
    "`fast`, symbol",
    [18, 22, 26, 30, 33, 36, 40, 43].map { milliseconds in
        ("\(milliseconds) ms", WireFormat.fast.sweeping(symbolSeconds: Double(milliseconds) / 1000))
    },
    [
        column("white −15 dB", snrDecibels: -15), column("white −20 dB", snrDecibels: -20),
        column("white −22 dB", snrDecibels: -22),
        column("room 0.3 s 2 m, +10 dB", snrDecibels: 10, propagation: [room(0.3, metres: 2)]),
        column("room 0.6 s 3 m, +10 dB", snrDecibels: 10, propagation: [room(0.6, metres: 3)]),
    ])
