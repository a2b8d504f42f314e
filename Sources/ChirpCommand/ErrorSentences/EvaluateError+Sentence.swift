internal import ChirpLab
internal import ChirpPictures
internal import Foundation

/// Why an evaluation cannot run.
enum EvaluateError: Error {
    case needsRecordings(rows: String)
    case noRecordings(folder: String)
    case silent(path: String)
    case noSpace(metres: Double)
    case noFFmpeg
    case unreadable(path: String)
    case notResults(path: String)
}

extension EvaluateError: ExplainedError {
    var sentence: String {
        switch self {
        case .needsRecordings(let rows):
            "the rows \(rows) need recordings: give a folder with --recordings (Tools/fetch-noise.sh makes one)"
        case .noRecordings(let folder):
            "\(folder): is not a folder of recordings; Tools/fetch-noise.sh makes one"
        case .silent(let path): "\(path): is silent, and cannot be mixed with at any ratio"
        case .noSpace(let metres): "the simulated room of 6.2 × 5.1 × 2.9 m has no space for \(metres.formatted()) m"
        case .noFFmpeg: "codecs run through ffmpeg, which is not installed: apt-get install ffmpeg"
        case .unreadable(let path): "\(path): cannot be read"
        case .notResults(let path): "\(path): is not what chirp evaluate --json prints"
        }
    }
}

extension CodecError: ExplainedError {
    var sentence: String { "ffmpeg failed with the codec \(codec): \(message.split(separator: "\n").first ?? "")" }
}

extension PictureError: ExplainedError {
    var sentence: String {
        switch self {
        case .noGnuplot: "pictures are drawn by gnuplot, which is not installed: apt-get install gnuplot-nox"
        case .unknownExtension(let path): "\(path): the extension names the format, and is one of .svg, .png"
        case .gnuplot(let message): "gnuplot failed: \(message.split(separator: "\n").first ?? "")"
        case .unwritable(let path): "\(path): cannot be written"
        }
    }
}
