internal import Foundation

/// A value within a JSON object that a code stands for, whole numbers kept whole.
public enum DataValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([DataValue])
    case object([String: DataValue])
}

extension DataValue: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // The most frequent first: every attempt that fails makes an error.
        if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode([String: DataValue].self) {
            self = .object(value)
        } else if let value = try? container.decode([DataValue].self) {
            self = .array(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else {
            self = .number(try container.decode(Double.self))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}

/// A JSON object of at most 8 KB.
public struct DataObject: Sendable, Hashable {
    /// The largest object in its shortest spelling, in bytes: 8 KB of 2¹⁰.
    public static let byteLimit = 8 * 1_024

    public let value: [String: DataValue]
    /// Its shortest spelling with sorted keys, by which objects are compared.
    public let canonicalText: String

    /// - Throws: ``LinkError`` when it is too large.
    public init(_ value: [String: DataValue]) throws(LinkError) {
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
        } catch {
            throw .notAnObject(reason: "it cannot be read as JSON")
        }
        try self.init(value)
    }

    public static func == (a: DataObject, b: DataObject) -> Bool { a.canonicalText == b.canonicalText }
    public func hash(into hasher: inout Hasher) { hasher.combine(canonicalText) }
}
