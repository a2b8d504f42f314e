/// What a client asks for of a body (RFC 9110, section 14.1.2): some players take a sound by its parts alone.
enum ByteRange: Equatable {
    case part(Range<Int>)
    /// There is nothing of it.
    case unsatisfiable

    /// - Parameters:
    ///   - field: the value of `Range`. Several ranges and other units are no reason for less than all of the body, nil.
    ///   - length: of the body in bytes.
    init?(_ field: String, length: Int) {
        guard field.hasPrefix("bytes=") else { return nil }
        let ends = field.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false).map(
            Self.number)
        guard ends.count == 2, let first = ends[0], let last = ends[1] else { return nil }
        switch (first, last) {
        case (.some(let first), let last):
            if let last, last < first { return nil }
            self = first < length ? .part(first..<min(last ?? length, length - 1) + 1) : .unsatisfiable
        case (nil, .some(let count)):
            self = count > 0 && length > 0 ? .part(max(0, length - count)..<length) : .unsatisfiable
        case (nil, nil): return nil
        }
    }

    /// A number of digits alone, the inner nil where there is none; the outer one for anything else.
    private static func number(_ text: Substring) -> Int?? {
        if text.isEmpty { return .some(nil) }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        // What is beyond any body is beyond this one.
        return .some(Int(text) ?? Int.max - 1)
    }
}
