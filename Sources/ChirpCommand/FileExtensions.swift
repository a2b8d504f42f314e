internal import ChirpPictures
internal import ChirpSound
internal import Foundation

/// The extensions of the files that are written, for help texts and messages.
enum FileExtensions {
    static let sounds = AudioFileFormat.allCases.map { ".\($0.rawValue)" }
    static let pictures = PictureFile.Format.allCases.map { ".\($0.rawValue)" }

    /// Those of sounds that libsndfile does not read, as telephones and browsers record them, and of films.
    private static let foreign: Set = [
        "3gp", "aac", "amr", "ape", "m4a", "m4b", "mka", "mkv", "mov", "mp4", "webm", "wma", "wv",
    ]

    /// Whether a file is, by its name, a sound that has to be converted first.
    static func isConvertible(_ path: String) -> Bool {
        foreign.contains(URL(filePath: path).pathExtension.lowercased())
    }
}

extension [String] {
    /// “.wav, .flac or .ogg”.
    var alternatives: String {
        guard count > 1, let last else { return first ?? "" }
        return dropLast().joined(separator: ", ") + " or " + last
    }
}
