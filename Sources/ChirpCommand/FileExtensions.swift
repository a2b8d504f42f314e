internal import ChirpPictures
internal import ChirpSound

/// The extensions of the files that are written, for help texts and messages.
enum FileExtensions {
    static let sounds = AudioFileFormat.allCases.map { ".\($0.rawValue)" }
    static let pictures = PictureFile.Format.allCases.map { ".\($0.rawValue)" }
}

extension [String] {
    /// “.wav, .flac or .ogg”.
    var alternatives: String {
        guard count > 1, let last else { return first ?? "" }
        return dropLast().joined(separator: ", ") + " or " + last
    }
}
