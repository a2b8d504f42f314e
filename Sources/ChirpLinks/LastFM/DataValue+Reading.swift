/// Reading answers in which numbers come as strings and lists of one as the object itself.
extension DataValue {
    /// A member of an object, or null.
    subscript(key: String) -> DataValue { if case .object(let members) = self { members[key] ?? .null } else { .null } }

    /// A whole number, however it is written.
    var wholeNumber: Int64? {
        switch self {
        case .integer(let value): value
        case .number(let value): Int64(exactly: value)
        case .string(let text): Int64(text)
        default: nil
        }
    }

    /// A text that is not empty; a number as its digits.
    var text: String? {
        switch self {
        case .string(let text): text.isEmpty ? nil : text
        case .integer(let value): "\(value)"
        default: nil
        }
    }

    /// A list. Any other value is a list of one, and an empty text or nothing an empty list.
    var list: [DataValue] {
        switch self {
        case .array(let values): values
        case .null, .string: []
        default: [self]
        }
    }

    /// The largest picture of a list of them, unless it is the grey star that stands for none.
    var pictureURL: String? {
        list.compactMap { $0["#text"].text }.last { $0.hasPrefix("http") && !$0.contains(Self.greyStar) }
    }

    private static let greyStar = "2a96cbd8b46e442fc41c2b86b821562f"
}
