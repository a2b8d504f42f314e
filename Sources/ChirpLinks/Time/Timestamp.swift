internal import Foundation

/// An instant in whole milliseconds since 1970 in UTC, so that every registry keeps the same one.
public struct Timestamp: Sendable, Hashable, Comparable {
    public let milliseconds: Int64

    public init(milliseconds: Int64) { self.milliseconds = milliseconds }
    public init(seconds: Int64) { self.init(milliseconds: seconds * 1_000) }

    /// What the system's clock says.
    public static var now: Timestamp {
        Timestamp(milliseconds: Int64((Date().timeIntervalSince1970 * 1_000).rounded(.down)))
    }

    /// Whole seconds, rounded down.
    public var seconds: Int64 { (milliseconds - (((milliseconds % 1_000) + 1_000) % 1_000)) / 1_000 }

    /// The day in UTC that it falls on.
    public var day: CivilDate { CivilDate(daysSinceEpoch: Int((seconds - secondOfDay) / 86_400)) }

    /// Seconds since that day began, 0–86,399.
    public var secondOfDay: Int64 { ((seconds % 86_400) + 86_400) % 86_400 }

    /// An instant within a day in UTC.
    public init(_ day: CivilDate, secondOfDay: Int64) {
        self.init(seconds: Int64(day.daysSinceEpoch) * 86_400 + secondOfDay)
    }

    public func advanced(by duration: Duration) -> Timestamp {
        let (seconds, attoseconds) = duration.components
        return Timestamp(milliseconds: milliseconds + seconds * 1_000 + attoseconds / 1_000_000_000_000_000)
    }

    public static func < (a: Timestamp, b: Timestamp) -> Bool { a.milliseconds < b.milliseconds }
}

extension Timestamp: CustomStringConvertible {
    /// ISO 8601 with milliseconds: `2026-11-21T07:43:45.120Z`.
    public var description: String {
        let second = Int(secondOfDay)
        let fraction = Int(((milliseconds % 1_000) + 1_000) % 1_000)
        return "\(day)T\(padded(second / 3_600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
            + ".\(padded(fraction, 3))Z"
    }

    /// Reads what ``description`` writes, with any number of decimals or none, or nil.
    public init?(_ text: some StringProtocol) {
        guard text.hasSuffix("Z"), let separator = text.firstIndex(of: "T"), let day = CivilDate(text[..<separator])
        else { return nil }
        let clock = text[text.index(after: separator)...].dropLast().split(
            separator: ":", omittingEmptySubsequences: false)
        // Digit by digit: Int(_:) takes a sign, and Double(_:) an exponent, hexadecimal digits and “nan”.
        guard clock.count == 3, clock[0].utf8.count == 2, clock[1].utf8.count == 2,
            clock[0].utf8.allSatisfy(isDigit), clock[1].utf8.allSatisfy(isDigit),
            clock[2].utf8.allSatisfy({ isDigit($0) || $0 == UInt8(ascii: ".") }),
            let hour = Int64(clock[0]), hour < 24, let minute = Int64(clock[1]), minute < 60,
            let second = Double(clock[2]), second < 60
        else { return nil }
        self = Timestamp(day, secondOfDay: hour * 3_600 + minute * 60)
            .advanced(by: .milliseconds(Int64((second * 1_000).rounded())))
        // Rounded up to a year of five digits, it would not be read again.
        guard self.day.year <= 9_999 else { return nil }
    }
}

extension Timestamp: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let timestamp = Timestamp(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(text) is not an instant in UTC")
        }
        self = timestamp
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
