internal import CSndfile

/// The kinds of sound file that are written. A new one is a case here, and a line in ``fileExtensions``, ``maximumSampleCount`` and
/// `libraryFormat`; help texts and messages take it from there.
public enum AudioFileFormat: String, Sendable, CaseIterable {
    case wav, flac, ogg, aiff

    /// Extensions that stand for it, without the dot.
    public var fileExtensions: [String] {
        switch self {
        case .wav: ["wav"]
        case .flac: ["flac"]
        case .ogg: ["ogg", "oga"]
        case .aiff: ["aiff", "aif"]
        }
    }

    /// The format that a path's extension stands for, in whatever case it is written.
    public init(path: String) throws(AudioFileError) {
        let name = path.split(separator: "/").last ?? ""
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        let fileExtension = parts.count > 1 ? parts.last.map { $0.lowercased() } : nil
        guard
            let format = Self.allCases.first(where: { format in
                fileExtension.map(format.fileExtensions.contains) ?? false
            })
        else {
            throw .unknownExtension(path: path, known: Self.allCases.map(\.rawValue))
        }
        self = format
    }

    /// The most samples, of all channels together, that it can hold, where lengths in bytes have 32 bits; a kilobyte is left for the header.
    public var maximumSampleCount: Int? {
        switch self {
        case .wav, .aiff: (Int(UInt32.max) - 1024) / MemoryLayout<Int16>.size
        case .flac, .ogg: nil
        }
    }

    /// 16 bits a sample, or Vorbis.
    var libraryFormat: Int32 {
        let (kind, subtype) =
            switch self {
            case .wav: (SF_FORMAT_WAV, SF_FORMAT_PCM_16)
            case .flac: (SF_FORMAT_FLAC, SF_FORMAT_PCM_16)
            case .ogg: (SF_FORMAT_OGG, SF_FORMAT_VORBIS)
            case .aiff: (SF_FORMAT_AIFF, SF_FORMAT_PCM_16)
            }
        return Int32(kind | subtype)
    }
}
