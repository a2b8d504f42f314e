internal import ArgumentParser
internal import Chirp
internal import ChirpLab
internal import ChirpSound
internal import Foundation

/// Makes the recordings in Samples/ (`make samples`): of interest to those who work on chirp alone, and so not shown.
struct MakeSamplesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "make-samples", abstract: "Make the recordings in Samples/ anew.", shouldDisplay: false)

    @Argument(help: "The folder.")
    var folder: String

    @Option(help: "The pitches read off three original recordings.")
    var pitches: String

    private static let sampleRateHertz = 44_100
    private static let volume: Float = 0.5
    private static let silence = [Float](repeating: 0, count: sampleRateHertz / 4)

    private struct MeasuredPitches: Decodable {
        struct Recording: Decodable {
            let code: String
            let hertz: [Double]
        }
        let recordings: [Recording]
    }

    /// A code for each kind of sender, from those that the original service gave out.
    private static let senders: [(code: String, model: SenderModel)] = [
        ("srg00lgbif", .browser),
        ("gfhd9532dm", .freshSine),
        ("ovkp99793i", .wholeHertz),
        ("hcu7848rn3", .android),
        ("kingfisher", .glide),
        ("parrotbill", .browser.renamed("fast").played(speed: 1.025)),
        ("n3a67aai1o", .browser.renamed("slow").played(speed: 0.975)),
        ("vgkhu8dm1n", .freshSine.renamed("detuned").detuned(cents: detuning)),
    ]

    /// Up to 45 cents either way, no two neighbours alike: a walk over the tones in steps of the golden ratio.
    private static let detuning = (0..<WireFormat.original.toneCount).map { tone in
        let place = Double(tone) * 0.618_033_988_75
        return 90 * (place - place.rounded(.down)) - 45
    }

    func run() throws {
        let measured = try JSONDecoder().decode(
            MeasuredPitches.self, from: Data(contentsOf: URL(fileURLWithPath: pitches)))
        for (index, recording) in measured.recordings.enumerated() {
            try write(
                SenderModel.browser.samples(
                    ofPitchesHertz: recording.hertz, sampleRateHertz: Double(Self.sampleRateHertz), volume: Self.volume),
                as: "recording-\(index + 1)-\(recording.code)")
        }
        for (code, model) in Self.senders {
            try write(
                model.samples(
                    of: Codeword(parsing: code), sampleRateHertz: Double(Self.sampleRateHertz), volume: Self.volume),
                as: "\(model.name)-\(code)")
        }
    }

    private func write(_ samples: [Float], as name: String) throws {
        let writer = try AudioFileWriter(
            path: "\(folder)/\(name).flac", format: .flac, sampleRateHertz: Self.sampleRateHertz)
        try writer.write(Self.silence + samples + Self.silence)
        try writer.finish()
    }
}

extension SenderModel {
    fileprivate func renamed(_ name: String) -> SenderModel {
        var model = self
        model.name = name
        return model
    }
}
