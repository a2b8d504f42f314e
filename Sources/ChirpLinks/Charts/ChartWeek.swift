/// A week of Last.fm's weekly chart list, by its bounds as that list gives them.
///
/// Neighbouring weeks touch or overlap by a second, and the same week's end is given one second apart in different
/// answers, so two weeks are the same when their middles fall into the same week of the grid that begins on 13 February
/// 2005 at noon UTC.
public struct ChartWeek: Sendable, Hashable, Codable {
    /// Seconds since 1970.
    public let from: Int64
    /// Seconds since 1970.
    public let to: Int64

    /// Seconds in a week.
    static let length: Int64 = 604_800
    /// The beginning of the first week, 13 February 2005, 12:00 UTC.
    static let origin: Int64 = 1_108_296_000

    /// - Throws: ``LinkError/notAWeek(from:to:)`` when the two are not a week apart, an hour more or less.
    public init(from: Int64, to: Int64) throws(LinkError) {
        let bounds: Range<Int64> = 1..<1 << 40
        guard bounds.contains(from), bounds.contains(to), abs(to - from - Self.length) <= 3_600 else {
            throw .notAWeek(from: from, to: to)
        }
        self.from = from
        self.to = to
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            from: container.decode(Int64.self, forKey: .from), to: container.decode(Int64.self, forKey: .to))
    }

    /// Weeks since the first of all, 0 for that one.
    public var number: Int64 {
        let middle = from + (to - from) / 2 - Self.origin
        return middle >= 0 ? middle / Self.length : (middle - Self.length + 1) / Self.length
    }

    /// The day in UTC on which it begins, a Sunday.
    public var firstDay: CivilDate { Timestamp(seconds: from).day }
    /// The last of its seven whole days, the Saturday after.
    public var lastDay: CivilDate { CivilDate(daysSinceEpoch: firstDay.daysSinceEpoch + 6) }

    public static func == (a: ChartWeek, b: ChartWeek) -> Bool { a.number == b.number }
    public func hash(into hasher: inout Hasher) { hasher.combine(number) }
}
