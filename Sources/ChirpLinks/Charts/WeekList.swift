/// Last.fm's weeks in order, whose neighbours touch or overlap by a second.
public struct WeekList: Sendable, Hashable {
    public let weeks: [ChartWeek]

    /// - Parameter weeks: in order.
    public init(_ weeks: [ChartWeek]) { self.weeks = weeks }

    /// Where an instant falls.
    public enum Place: Sendable, Hashable {
        case week(ChartWeek)
        /// Before the first of all weeks, which is given.
        case beforeFirst(ChartWeek)
        /// After the last of all weeks, which is given: its own week is not over.
        case afterLast(ChartWeek)
        /// There are no weeks, or none at this time.
        case nowhere
    }

    /// The week that contains an instant; of two that do, the later one.
    ///
    /// Complexity: O(log *n*).
    public func place(of instant: Timestamp) -> Place {
        guard let first = weeks.first, let last = weeks.last else { return .nowhere }
        let seconds = instant.seconds
        guard seconds >= first.from else { return .beforeFirst(first) }
        guard seconds <= last.to else { return .afterLast(last) }
        var (low, high) = (0, weeks.count - 1)
        while low < high {
            let middle = (low + high + 1) / 2
            if weeks[middle].from <= seconds { low = middle } else { high = middle - 1 }
        }
        return seconds <= weeks[low].to ? .week(weeks[low]) : .nowhere
    }
}
