internal import Chirp
internal import Foundation

/// A chirp as a person counts: what several channels heard at once is one.
struct MergedDetection {
    /// As it was heard best.
    let chirp: DetectedChirp
    let channels: [Int]

    /// The line that is printed: code, start, signal-to-noise ratio, corrected symbols, file, channels when it has several.
    func line(file: String, channelCount: Int) -> String {
        let columns = [
            chirp.shortcode.description,
            Self.clock(chirp.startSeconds),
            String(format: "%+5.1f dB", chirp.snrDecibels),
            String(format: "%2d corrected", chirp.correctedSymbolCount),
            file + (channelCount > 1 ? " (channel \(channels.map(String.init).joined(separator: ", ")))" : ""),
        ]
        return (columns + chirp.unusualColumns).joined(separator: "  ")
    }

    /// Minutes and seconds, and hours when there are any: 0:01.23.
    static func clock(_ seconds: Double) -> String {
        let hundredths = Int((abs(seconds) * 100).rounded())
        let (minutes, rest) = (hundredths / 6000, hundredths % 6000)
        let sign = seconds < 0 && hundredths > 0 ? "-" : ""
        let tail = String(format: "%02d.%02d", rest / 100, rest % 100)
        let head = minutes < 60 ? "\(minutes)" : "\(minutes / 60):" + String(format: "%02d", minutes % 60)
        return sign + head + ":" + tail
    }
}

extension DetectedChirp {
    /// How many copies were combined, if more than one was, and the format, if it is not the original, which is what everybody sends.
    var unusualColumns: [String] {
        (repeats > 1 ? ["\(repeats) ×"] : []) + (format == .original ? [] : [format.name])
    }
}
