internal import Foundation

/// A JSON object of at most 8 KB.
public struct DataObject: Sendable, Hashable {
    /// The largest object in its shortest spelling, in bytes: 8 KB of 2¹⁰.
    public static let byteLimit = 8 * 1_024

    /// Objects and arrays within each other at most: programs that read JSON have limits, some of 512.
    public static let depthLimit = 100

    public let value: [String: DataValue]
    /// Its shortest spelling with sorted keys, by which objects are compared.
    public let canonicalText: String

    /// - Throws: ``LinkError`` when it is too large, or too deep.
    public init(_ value: [String: DataValue]) throws(LinkError) {
        guard DataValue.object(value).isNested(within: Self.depthLimit) else {
            throw .invalid(.data, reason: "it is nested deeper than \(Self.depthLimit) levels")
        }
        let text: String
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            text = String(decoding: try encoder.encode(value), as: UTF8.self)
        } catch {
            throw .notAnObject(reason: "a number in it is out of range")
        }
        guard text.utf8.count <= Self.byteLimit else { throw .dataLength(text.utf8.count, limit: Self.byteLimit) }
        self.value = value
        canonicalText = text
    }

    /// Reads an object.
    ///
    /// - Throws: ``LinkError`` when it is none, or too large.
    public init(parsing json: String) throws(LinkError) {
        let value: [String: DataValue]
        do {
            value = try JSONDecoder().decode([String: DataValue].self, from: Data(json.utf8))
        } catch DecodingError.typeMismatch {
            throw .notAnObject(reason: "it is JSON, but not an object such as {\"a\": 1}")
        } catch {
            throw .notAnObject(reason: "it cannot be read as JSON")
        }
        try self.init(value)
    }

    public static func == (a: DataObject, b: DataObject) -> Bool { a.canonicalText == b.canonicalText }
    public func hash(into hasher: inout Hasher) { hasher.combine(canonicalText) }
}

extension DataObject: LinkContent {
    package static let kind = LinkKind.data
    package var link: Link { .data(self) }
    package var identity: [UInt8] { Self.identity(of: canonicalText) }

    package static let members = [LinkJSONMember("data", .object)]
    package var values: [String: DataValue] { ["data": .object(value)] }
    package init(_ summary: LinkSummary) throws { try self.init(summary.need("data") as [String: DataValue]) }

    package var columns: LinkColumns { LinkColumns(subject: canonicalText) }
    package init(_ columns: LinkColumns) throws { try self.init(parsing: columns.subject) }

    package static let noun = "object"
    package var headline: String { "Data" }

    package static func detail(of summary: LinkSummary) -> String? {
        summary.object("data").flatMap { try? DataObject($0) }?.canonicalText.shortened(to: 60)
    }

    package func card(_ record: LinkRecord) -> LinkCard {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let text = (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) }
        return LinkCard("Data", body: .code(text ?? canonicalText))
    }

    package static let mediaType = "application/json"
    package var originalMembers: [(key: String, value: DataValue)]? {
        value.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
