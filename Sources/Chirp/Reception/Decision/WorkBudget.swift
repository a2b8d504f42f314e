/// How much a receiver may spend on what looks like a chirp, so that no sound wears it out.
///
/// Work is counted in operations, which are the same on every machine. It is earned with every second of sound and saved up to a limit, as in
/// a token bucket. What is dearest and least likely to be a chirp is left out first: clear tones without a preamble, then searches for other
/// tempi and pitches, then looks at nominal ones. Chirps that the energies of the acquisition show plainly are decoded in any case.
struct WorkBudget: Sendable {
    /// What is left out when little is left: what must be left for each.
    enum Priority: Double {
        /// Either of the others where tones are so clear that the preamble would be heard, and it is not: a part of a chirp that has not ended,
        /// or one whose beginning something else hides.
        case withoutPreamble = 300
        /// A search for time, tempo and pitch.
        case search = 100
        /// A look at nominal tempo and pitch.
        case look = 0
    }

    /// Frames transformed for each second of sound, and what else costs as much: a faint chirp costs what three to seven seconds earn, most of
    /// it without a preamble, before its end.
    static let earnedPerSecond = 30.0
    /// What is saved up at most: twenty seconds' worth, more than any trial of the laboratory needs.
    static let greatestSaving = 20 * earnedPerSecond
    /// What a search costs, in transformed frames, beside its transforms: short correlations, and alignments at a hundred timings.
    private static let correlatedFrameCost = 2.5
    /// How many patterns of a decoding cost as much as a transformed frame.
    private static let patternsPerFrame = 20_000.0

    private let earnedPerSecond: Double
    private var earned = Self.greatestSaving
    private var spent: Double

    /// A full budget.
    ///
    /// - Parameter spent: what was spent before it.
    init(earnedPerSecond: Double = Self.earnedPerSecond, spent: ReceptionWork = ReceptionWork()) {
        self.earnedPerSecond = earnedPerSecond
        self.spent = Self.cost(of: spent)
    }

    /// In transformed frames.
    private static func cost(of work: ReceptionWork) -> Double {
        Double(work.transformedFrames) + correlatedFrameCost * Double(work.correlatedFrames)
            + Double(work.patterns) / patternsPerFrame
    }

    /// Takes the sound of a block into account, and what was spent since the receiver was made.
    mutating func follow(seconds: Double, work: ReceptionWork) {
        let total = Self.cost(of: work)
        earned = min(Self.greatestSaving, earned + earnedPerSecond * seconds - (total - spent))
        spent = total
    }

    /// Whether there is enough left; counts what is not allowed.
    func allows(_ priority: Priority, counting work: inout ReceptionWork) -> Bool {
        let isAllowed = earned > priority.rawValue
        if !isAllowed { work.leftOutLooks += 1 }
        return isAllowed
    }
}
