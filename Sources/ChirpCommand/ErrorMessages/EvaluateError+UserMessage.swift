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
    case notResults(path: String)
}

extension EvaluateError: UserFacingError {
    var userMessage: String {
        switch self {
        case .needsRecordings(let rows):
            "the rows \(rows) need recordings: give a folder with --recordings (Tools/fetch-noise.sh creates one)"
        case .noRecordings(let folder):
            "\(folder): is not a folder of recordings; Tools/fetch-noise.sh creates one"
        case .silent(let path): "\(path): is silent, so it cannot be used as noise; name another file"
        case .noSpace(let metres):
            "the simulated room of 6.2 × 5.1 × 2.9 m has no space for \(metres.formatted()) m; choose a smaller --distance"
        case .noFFmpeg: "ffmpeg, which runs the codecs, is not installed: apt-get install ffmpeg"
        case .notResults(let path): "\(path): is not a result of chirp evaluate --json; write one with it"
        }
    }
}

extension CodecError: UserFacingError {
    var userMessage: String { "ffmpeg failed with the codec \(codec): \(message.split(separator: "\n").first ?? "")" }
}

extension PictureError: UserFacingError {
    var userMessage: String {
        switch self {
        case .noGnuplot: "gnuplot, which draws the pictures, is not installed: apt-get install gnuplot-nox"
        case .unknownExtension(let path):
            "\(path): unknown extension; use one of \(FileExtensions.pictures.joined(separator: ", "))"
        case .gnuplot(let message): "gnuplot failed: \(message.split(separator: "\n").first ?? "")"
        }
    }
}
