/// Two runs of one row, and whether they differ by more than chance.
public struct Comparison: Sendable {
    public enum Verdict: String, Sendable {
        case better
        case worse
        case noMoreThanChance = "no more than chance"
    }

    public let name: String
    public let before: Proportion
    public let after: Proportion
    /// Whether both heard the same sound, so that trials were compared one by one.
    public let isPaired: Bool
    /// Of so large a difference by chance, corrected for the number of rows compared.
    public let probability: Double

    /// A difference counts when chance would bring it about less often than once in twenty such comparisons of tables.
    public var verdict: Verdict {
        guard probability < 0.05 else { return .noMoreThanChance }
        return after.share > before.share ? .better : .worse
    }

    /// What came of it, in a line.
    public var sentence: String {
        func text(_ proportion: Proportion) -> String {
            "\(proportion.successes)/\(proportion.trials) (\(ExperimentRecord.decimal(proportion.share, 3)))"
        }
        let test = isPaired ? "sign test, same sound" : "Fisher's exact test"
        return "\(name): \(text(before)) before, \(text(after)) now: \(verdict.rawValue) "
            + "(p = \(ExperimentRecord.decimal(probability, 4)), \(test))"
    }

    /// Compares the rows that both records have, by name.
    ///
    /// Rows with the same seed and number of trials are compared trial by trial, with the exact sign test; others as two
    /// independent samples, with Fisher's exact test.
    public static func compare(before: ExperimentRecord, after: ExperimentRecord) -> [Comparison] {
        let earlier = Dictionary(before.rows.map { ($0.name, $0) }) { first, _ in first }
        let pairs = after.rows.compactMap { row in earlier[row.name].map { ($0, row) } }
        let raw = pairs.map { old, new in
            let isPaired = before.seed == after.seed && old.recoveredByTrial.count == new.recoveredByTrial.count
            let changes = zip(old.recoveredByTrial, new.recoveredByTrial)
            let probability =
                isPaired
                ? Significance.sign(better: changes.count { $0 < $1 }, worse: changes.count { $0 > $1 })
                : Significance.fisher(old.recovered, new.recovered)
            return (isPaired: isPaired, probability: probability)
        }
        let corrected = Significance.holm(raw.map(\.probability))
        return pairs.indices.map {
            Comparison(
                name: pairs[$0].1.name, before: pairs[$0].0.recovered, after: pairs[$0].1.recovered,
                isPaired: raw[$0].isPaired, probability: corrected[$0])
        }
    }
}
