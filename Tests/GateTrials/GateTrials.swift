// Writes trials of the regression gate to standard output, with what the native receiver hears in them:
//
//     gate-trials TRIALS-OF-EACH-ROW
//
// Each trial is a line of JSON, in the names of `chirp decode --json` and with its name, rate and count of samples, and then the
// samples as 32-bit floats, little-endian.

import Chirp
import ChirpLab
import Foundation

func json(_ chirp: DetectedChirp) -> String {
    """
    {"start":\(chirp.startSeconds),"duration":\(chirp.durationSeconds),"longcode":"\(chirp.codeword)",\
    "snr_db":\(chirp.snrDecibels),"corrected":\(chirp.correctedSymbolCount),"confidence":\(chirp.confidence),\
    "tuning_cents":\(chirp.tuningCents),"speed":\(chirp.speed)}
    """
}

guard CommandLine.arguments.count == 2, let count = Int(CommandLine.arguments[1]), count > 0 else {
    try FileHandle.standardError.write(contentsOf: Data("usage: gate-trials TRIALS-OF-EACH-ROW\n".utf8))
    exit(64)
}
for name in RegressionGate.names {
    guard let scenario = RegressionGate.scenario(name) else { fatalError("the laboratory has no row \(name)") }
    let rate = scenario.deliveredSampleRateHertz
    for index in 0..<count {
        let (sound, _) = try scenario.makeSound(ofTrial: index, seed: RegressionGate.seed)
        var receiver = try Receiver(sampleRateHertz: rate)
        let chirps = receiver.process(sound.samples) + receiver.finish()
        let expected = chirps.map(json).joined(separator: ",")
        let line = """
            {"name":"\(name) \(index)","rate":\(rate),"count":\(sound.samples.count),"expected":[\(expected)]}

            """
        var record = Data(line.utf8)
        sound.samples.withUnsafeBytes { record.append(contentsOf: $0) }
        try FileHandle.standardOutput.write(contentsOf: record)
    }
}
