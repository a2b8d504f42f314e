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

extension DataValue {
    /// Whether objects and arrays are within each other no deeper than some levels.
    func isNested(within levels: Int) -> Bool {
        switch self {
        case .array(let values): levels > 0 && values.allSatisfy { $0.isNested(within: levels - 1) }
        case .object(let members): levels > 0 && members.values.allSatisfy { $0.isNested(within: levels - 1) }
        default: true
        }
    }
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
