// Fits the acceptance model to readings of the laboratory, and shows how well it holds for others:
//
//     fit-acceptance FOLDER MODEL.swift TABLE.md
//
// FOLDER has recordings, mono at 44.1 kHz, as 32-bit floats without a header: fit/*.f32 and fit/speech-*.f32 to fit to, other/*.f32 and
// speech/*.f32 to test on. `make fit` calls it.

import Chirp
import ChirpLab
import Foundation

/// What is fitted to, and what it is tested on: other chirps, other noise, other recordings.
struct Readings {
    var seed: UInt64
    var trials: Int
    var hours: Double

    static let fitted = Readings(seed: 4001, trials: 80, hours: 20)
    static let held = Readings(seed: 5001, trials: 40, hours: 20)

    func collect(music: [[Float]], speech: [[Float]]) throws -> [LabelledReading] {
        try LabelledReading.collect(
            recordings: .init(music: music, speech: speech), trials: trials, hours: hours, seed: seed)
    }
}

func recordings(_ folder: URL, where isMeant: (String) -> Bool = { _ in true }) throws -> [[Float]] {
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        .filter { $0.pathExtension == "f32" && isMeant($0.lastPathComponent) }
        .sorted { $0.lastPathComponent < $1.lastPathComponent }
    guard !files.isEmpty else { throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: folder.path]) }
    return try files.map { file in
        let data = try Data(contentsOf: file)
        return data.withUnsafeBytes { bytes in
            (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
        }
    }
}

func number(_ value: some BinaryFloatingPoint & CVarArg, _ format: String) -> String { String(format: format, value) }

/// The model as Swift.
func source(_ model: AcceptanceModel, count: Int) -> String {
    let names = AcceptanceFeatures.names
    let weights = (0..<16).map { place in
        place < names.count ? "            \(number(Double(model.weights[place]), "%.3f")),  // \(names[place])\n" : ""
    }.joined()
    let empty = [String](repeating: "0", count: 16 - names.count).joined(separator: ", ")
    return """
        // Made by `make fit`.

        extension AcceptanceModel {
            /// Fitted to \(count) readings.
            package static let fitted = AcceptanceModel(
                weights: SIMD16(
        \(weights.split(separator: "\n").map { "        " + $0.dropFirst(8) }.joined(separator: "\n"))
                    \(empty)))
        }

        """
}

/// How often readings of some odds were right, as Markdown.
func table(_ readings: [LabelledReading], _ model: AcceptanceModel) -> String {
    let rows = AcceptanceFit.calibration(readings, model).map { bin in
        let (low, high) = (bin.logOdds.lowerBound, bin.logOdds.upperBound)
        let range =
            low < -50
            ? "below \(number(high, "%.0f"))"
            : high > 50
                ? "above \(number(low, "%.0f"))"
                : "\(number(low, "%.0f")) to \(number(high, "%.0f"))"
        return
            "| \(range) | \(bin.count) | \(number(100 * bin.predicted, "%.2f")) % | \(number(100 * bin.right, "%.2f")) % |"
    }
    return (["| logarithm of the odds | readings | right by the model | right |", "|---|---|---|---|"] + rows)
        .map { $0.replacingOccurrences(of: "| -", with: "| −").replacingOccurrences(of: " -", with: " −") }
        .joined(separator: "\n") + "\n"
}

let arguments = CommandLine.arguments.dropFirst()
guard arguments.count == 3, let folder = arguments.first.map({ URL(filePath: $0) }) else {
    FileHandle.standardError.write(Data("usage: fit-acceptance FOLDER MODEL.swift TABLE.md\n".utf8))
    exit(64)
}
let isSpeech = { (name: String) in name.hasPrefix("speech-") }
let fitted = try Readings.fitted.collect(
    music: try recordings(folder.appending(path: "fit")) { !isSpeech($0) },
    speech: try recordings(folder.appending(path: "fit"), where: isSpeech))
let model = AcceptanceFit.fit(fitted)
let held = try Readings.held.collect(
    music: try recordings(folder.appending(path: "other")), speech: try recordings(folder.appending(path: "speech")))
for (name, readings) in [("fitted to", fitted), ("held out", held)] {
    print(
        name, readings.count, "readings, right", readings.count { $0.isRight }, "loss",
        number(AcceptanceFit.loss(readings, model), "%.5f"), "with the model in use",
        number(AcceptanceFit.loss(readings, .fitted), "%.5f"))
}
let heldTable = table(held, model)
print(heldTable, terminator: "")
try source(model, count: fitted.count).write(
    to: URL(filePath: arguments.dropFirst().first!), atomically: true, encoding: .utf8)
try heldTable.write(to: URL(filePath: arguments.last!), atomically: true, encoding: .utf8)
