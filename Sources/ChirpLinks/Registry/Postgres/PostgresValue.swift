/// A parameter of a statement.
enum PostgresValue: Sendable {
    case null
    case integer(Int64)
    case text(String)
    case bytes([UInt8])

    init(_ value: Int64?) { self = value.map { .integer($0) } ?? .null }
    init(_ value: String?) { self = value.map { .text($0) } ?? .null }

    /// What is sent, ended by a zero that text needs and that the length of bytes does not count.
    var wireBytes: [UInt8]? {
        switch self {
        case .null: nil
        case .integer(let value): Array("\(value)".utf8) + [0]
        case .text(let value): Array(value.utf8) + [0]
        case .bytes(let value): value + [0]
        }
    }

    var isBinary: Bool { if case .bytes = self { true } else { false } }
}

/// What a statement answered, copied out of the library's memory.
struct PostgresRows: Sendable {
    /// Rows of fields, nil for NULL; in the text or the binary format, as was asked for.
    let fields: [[[UInt8]?]]
    /// How many rows a command changed.
    let changedCount: Int
}

/// One row in text format, read by column.
struct PostgresRow {
    let fields: [[UInt8]?]

    func text(_ column: Int) -> String? { fields[column].map { String(decoding: $0, as: UTF8.self) } }
    func integer(_ column: Int) -> Int64? { text(column).flatMap { Int64($0) } }

    /// A `bytea` in its hexadecimal output format, `\x0123…`.
    func bytes(_ column: Int) -> [UInt8]? {
        text(column).flatMap { $0.hasPrefix("\\x") ? ChirpLinks.bytes(hexadecimal: String($0.dropFirst(2))) : nil }
    }
}
