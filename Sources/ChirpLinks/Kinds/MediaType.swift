/// The types of file that a code can stand for.
public enum MediaType: String, Sendable, Hashable, Codable, CaseIterable {
    case png = "image/png"
    case jpeg = "image/jpeg"
    case gif = "image/gif"
    case webp = "image/webp"
    case pdf = "application/pdf"

    /// The type that the first bytes of a file tell, or nil for every other type.
    ///
    /// PNG specification 5.2, JPEG (ITU-T T.81) B.1.1.3 with the marker that follows, GIF89a section 17, WebP container
    /// specification ("WebP file header"), ISO 32000-1 7.5.2.
    public init?(of bytes: some Collection<UInt8>) {
        let head = Array(bytes.prefix(12))
        func begins(_ signature: [UInt8], at offset: Int = 0) -> Bool { head.dropFirst(offset).starts(with: signature) }
        if begins([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if begins([0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if begins(Array("GIF87a".utf8)) || begins(Array("GIF89a".utf8)) {
            self = .gif
        } else if begins(Array("RIFF".utf8)) && begins(Array("WEBP".utf8), at: 8) {
            self = .webp
        } else if begins(Array("%PDF-".utf8)) {
            self = .pdf
        } else {
            return nil
        }
    }

    /// Endings of file names, without the dot, that programs take for one of the types.
    private static let fileExtensions: Set = ["png", "jpg", "jpeg", "jpe", "jfif", "gif", "webp", "pdf"]

    /// The name under which a file of this type is saved: one that says another kind of file, which would be opened as that, gets this type's
    /// ending.
    package func savedName(of name: String) -> String {
        let ending = name.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last?.lowercased()
        return ending.map(Self.fileExtensions.contains) == true ? name : "\(name).\(fileExtension)"
    }

    /// The usual ending of file names, without the dot.
    public var fileExtension: String {
        switch self {
        case .png: "png"
        case .jpeg: "jpg"
        case .gif: "gif"
        case .webp: "webp"
        case .pdf: "pdf"
        }
    }
}
