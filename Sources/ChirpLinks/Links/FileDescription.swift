/// What is known of a picture or PDF apart from its bytes, which the registry keeps beside it.
public struct FileDescription: Sendable, Hashable {
    /// The largest file, in bytes: 10 MB of 2²⁰.
    public static let byteLimit = 10 * 1_048_576

    /// Its name without folders, for display; it is not part of the identity.
    public let name: String
    /// Told from the bytes.
    public let mediaType: MediaType
    public let byteCount: Int
    /// SHA-256 of the bytes, 32 bytes.
    public let digest: [UInt8]

    /// Describes a file's bytes.
    ///
    /// - Throws: ``LinkError`` when there are none, too many, or they are of no accepted type.
    public init(name: String, bytes: [UInt8]) throws(LinkError) {
        guard !bytes.isEmpty else { throw .emptyFile }
        guard bytes.count <= Self.byteLimit else { throw .fileLength(bytes.count, limit: Self.byteLimit) }
        guard let mediaType = MediaType(of: bytes) else { throw .fileType }
        self.init(
            name: Self.cleaned(name, mediaType: mediaType), mediaType: mediaType, byteCount: bytes.count,
            digest: SHA256.digest(of: bytes))
    }

    init(name: String, mediaType: MediaType, byteCount: Int, digest: [UInt8]) {
        self.name = name
        self.mediaType = mediaType
        self.byteCount = byteCount
        self.digest = digest
    }

    /// The last component of a path of any system, without control characters, at most 120 characters.
    private static func cleaned(_ name: String, mediaType: MediaType) -> String {
        let component = name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? ""
        let text = singleLine(String(component))
        return text.isEmpty || text.allSatisfy { $0 == "." }
            ? "file.\(mediaType.fileExtension)" : String(text.suffix(120))
    }

    public static func == (a: FileDescription, b: FileDescription) -> Bool { a.digest == b.digest }
    public func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}

/// A text as one line: control characters and the marks that turn the direction of text around become spaces, and the
/// space around it goes.
func singleLine(_ text: String) -> String {
    let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
        let category = scalar.properties.generalCategory
        let turnsDirection = (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
        let isBreak = category == .control || category == .lineSeparator || category == .paragraphSeparator
        return isBreak || turnsDirection ? " " : scalar
    }
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    var line = Substring(String(view))
    while line.first?.isWhitespace == true { line.removeFirst() }
    while line.last?.isWhitespace == true { line.removeLast() }
    return String(line)
}
