internal import Foundation

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

    /// The last component of a path of any system, as one line: the last 120 characters of it.
    private static func cleaned(_ name: String, mediaType: MediaType) -> String {
        let component = name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? ""
        let text = singleLine(String(component), last: 120)
        return text.allSatisfy { $0 == "." } ? "file.\(mediaType.fileExtension)" : text
    }

    public static func == (a: FileDescription, b: FileDescription) -> Bool { a.digest == b.digest }
    public func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}

extension FileDescription: LinkContent {
    package static let kind = LinkKind.file
    package var link: Link { .file(self) }
    /// A file's digest begins with nothing that the texts of other kinds begin with.
    package var identity: [UInt8] { digest }

    package static let members = [
        LinkJSONMember("name", .string), LinkJSONMember("mimetype", .string), LinkJSONMember("size", .integer),
        LinkJSONMember("sha256", .string, pattern: "^[0-9a-f]{64}$"),
    ]
    package var values: [String: DataValue] {
        [
            "name": .string(name), "mimetype": .string(mediaType.rawValue), "size": .integer(Int64(byteCount)),
            "sha256": .string(hexadecimal(digest)),
        ]
    }

    package init(_ summary: LinkSummary) throws {
        guard let type = MediaType(rawValue: try summary.need("mimetype")) else {
            throw LinkSummaryError(kind: Self.kind, missing: "mimetype")
        }
        guard let digest = bytes(hexadecimal: try summary.need("sha256")), digest.count == 32 else {
            throw LinkSummaryError(kind: Self.kind, missing: "sha256")
        }
        let (name, size): (String, Int64) = (try summary.need("name"), try summary.need("size"))
        self.init(name: Self.cleaned(name, mediaType: type), mediaType: type, byteCount: Int(size), digest: digest)
    }

    package var columns: LinkColumns { LinkColumns(subject: name, byteCount: Int64(byteCount)) }

    package init(_ columns: LinkColumns) throws {
        guard let byteCount = columns.byteCount, let type = columns.mediaType.flatMap(MediaType.init(rawValue:)) else {
            throw LinkError.fileType
        }
        self.init(
            name: Self.cleaned(columns.subject, mediaType: type), mediaType: type, byteCount: Int(byteCount),
            digest: columns.identity)
    }

    package static let noun = "file"
    package var headline: String { name }

    package static func detail(of summary: LinkSummary) -> String? {
        let size = binarySize(Int(summary.integer("size") ?? 0))
        return "\(summary.string("name") ?? "") (\(summary.string("mimetype") ?? ""), \(size))"
    }

    package func card(_ record: LinkRecord) -> LinkCard {
        let source = "/\(record.code)/content"
        return LinkCard(
            "File", heading: name,
            body: mediaType == .pdf ? nil : .picture(source: source, description: record.title ?? name),
            action: .save(
                source: source, name: mediaType.savedName(of: name),
                details: "\(mediaType.rawValue), \(Self.decimalSize(byteCount))"))
    }

    private static func binarySize(_ bytes: Int) -> String {
        switch bytes {
        case ..<1_024: "\(bytes) bytes"
        case ..<1_048_576: "\((bytes + 512) / 1_024) KB"
        default: String(format: "%.1f MB", Double(bytes) / 1_048_576)
        }
    }

    private static func decimalSize(_ bytes: Int) -> String {
        switch bytes {
        case ..<1_000: "\(bytes) bytes"
        case ..<1_000_000: "\(bytes / 1_000) kB"
        default: String(format: "%.1f MB", Double(bytes) / 1e6)
        }
    }
}
