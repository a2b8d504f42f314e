internal import Chirp
internal import ChirpLab
internal import Foundation

/// The report of a live trial, as text and as JSON.
struct LiveReport {
    private let result: LiveResult
    private let seed: UInt64

    init(_ result: LiveResult, seed: UInt64) {
        self.result = result
        self.seed = seed
    }

    /// Tables of volumes and tones, and advice.
    var lines: [String] {
        var lines = ["seed \(seed)", "volume  recovered  95 % interval  SNR dB"]
        for volume in result.volumes {
            let interval = volume.recovered.wilsonInterval
            lines.append(
                String(format: "%6.3f", volume.volume)
                    + Self.padded("\(volume.recovered.successes)/\(volume.recovered.trials)", 11)
                    + String(format: "      %.2f–%.2f", interval.lowerBound, interval.upperBound)
                    + Self.padded(volume.snrDecibels.map { String(format: "%.1f", $0) } ?? "–", 8))
        }
        if result.wrong > 0 { lines.append("wrong codes: \(result.wrong)") }
        lines += ["", "tone       Hz  level dB  over noise dB"]
        for tone in result.tones.tones {
            let name = WireFormat.original.text(of: [tone.symbol])
            let head = "\(name)   " + String(format: "%9.1f", tone.pitchHertz)
            guard let level = tone.levelDecibels, let above = tone.aboveNoiseDecibels else {
                lines.append(head + "         –  not heard often enough to tell")
                continue
            }
            let mark = tone.isSwallowed ? "swallowed" : Self.bar(level)
            // Without this, a level of −0.04 would be −0.0.
            lines.append(head + String(format: "%10.1f%15.1f  ", (10 * level).rounded() / 10 + 0, above) + mark)
        }
        return lines + [""] + result.advice.map(\.userMessage)
    }

    /// One block for every 2 dB above −30.
    private static func bar(_ decibels: Double) -> String {
        String(repeating: "▇", count: max(1, min(22, Int((decibels + 30) / 2))))
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }

    private struct Output: Encodable {
        struct Volume: Encodable {
            let volume: Double
            let played: Int
            let recovered: Int
            let low: Double
            let high: Double
            let snrDb: Double?
        }
        struct Tone: Encodable {
            let symbol: String
            let hertz: Double
            let soundings: Int
            let levelDb: Double?
            let aboveNoiseDb: Double?
            let swallowed: Bool
        }
        let seed: UInt64
        let volumes: [Volume]
        let tones: [Tone]
        let wrong: Int
        let advice: [String]
    }

    /// One object.
    var json: String {
        get throws {
            let output = Output(
                seed: seed,
                volumes: result.volumes.map {
                    let interval = $0.recovered.wilsonInterval
                    return .init(
                        volume: $0.volume, played: $0.recovered.trials, recovered: $0.recovered.successes,
                        low: interval.lowerBound, high: interval.upperBound, snrDb: $0.snrDecibels)
                },
                tones: result.tones.tones.map {
                    .init(
                        symbol: WireFormat.original.text(of: [$0.symbol]), hertz: $0.pitchHertz,
                        soundings: $0.soundings, levelDb: $0.levelDecibels, aboveNoiseDb: $0.aboveNoiseDecibels,
                        swallowed: $0.isSwallowed)
                }, wrong: result.wrong, advice: result.advice.map(\.userMessage))
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys]
            encoder.keyEncodingStrategy = .convertToSnakeCase
            return String(decoding: try encoder.encode(output), as: UTF8.self)
        }
    }
}
