/// Bytes that choices are made from, zeros when there are none left.
public struct ByteSource: Sendable {
    public private(set) var rest: ArraySlice<UInt8>

    public init(_ bytes: [UInt8]) { rest = bytes[...] }

    public var isEmpty: Bool { rest.isEmpty }

    public mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    public mutating func word() -> Int { Int(byte()) << 8 | Int(byte()) }

    public mutating func bits32() -> UInt32 { UInt32(word()) << 16 | UInt32(word()) }

    public mutating func bits64() -> UInt64 { UInt64(bits32()) << 32 | UInt64(bits32()) }

    public mutating func bytes(_ count: Int) -> [UInt8] {
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    /// Everything up to a zero byte or the end, as text with what is not UTF-8 replaced.
    public mutating func text() -> String {
        let bytes = rest.prefix { $0 != 0 }
        rest = rest.dropFirst(bytes.count + 1)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Everything that is left, as text with what is not UTF-8 replaced.
    public var wholeText: String { String(decoding: rest, as: UTF8.self) }

    public mutating func choice<T>(_ values: [T]) -> T { values[Int(byte()) % values.count] }
}
